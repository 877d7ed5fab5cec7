import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react(), tailwindcss()],
  build: {
    // The oldest that know light-dark(), by which each colour is written once for both themes.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // The policy lets nothing in that is not a file of the server's own.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
