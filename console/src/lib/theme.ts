export const THEMES = { system: 'Do sistema', light: 'Claro', dark: 'Escuro' } as const
export type Theme = keyof typeof THEMES

const KEY = 'lastro.tema'

export function chosenTheme(): Theme {
  try {
    const kept = localStorage.getItem(KEY)
    return kept === 'light' || kept === 'dark' ? kept : 'system'
  } catch {
    return 'system'
  }
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export function chooseTheme(theme: Theme): void {
  applyTheme(theme)
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // A browser that keeps nothing still shows the theme until it is closed.
  }
}
