import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Beside each script and style the same made small, so that the server need not do it at each request. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    writeBundle({ dir = '' }, bundle) {
      for (const [name, file] of Object.entries(bundle)) {
        if (!/\.(js|css)$/.test(name)) continue
        const content = file.type === 'chunk' ? file.code : file.source
        writeFileSync(join(dir, `${name}.br`), brotliCompressSync(content))
        writeFileSync(join(dir, `${name}.gz`), gzipSync(content))
      }
    },
  }
}

export default defineConfig({
  plugins: [react(), tailwindcss(), precompress()],
  build: {
    // The oldest that know light-dark(), by which each colour is written once for both themes.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // The policy lets nothing in that is not a file of the server's own.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
