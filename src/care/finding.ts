export type State = 'ok' | 'warning' | 'failed'

/** What one look of the doctor has shown, and what to do about it. */
export interface Finding {
  check: string
  state: State
  message: string
  action?: string
}

export function ok(check: string, message: string): Finding {
  return { check, state: 'ok', message }
}

export function warning(check: string, message: string, action: string): Finding {
  return { check, state: 'warning', message, action }
}

export function failed(check: string, message: string, action: string): Finding {
  return { check, state: 'failed', message, action }
}
