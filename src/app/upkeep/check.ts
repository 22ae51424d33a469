/** What `bosun doctor` found out about one thing. */
export interface Check {
  readonly id: string
  readonly status: 'ok' | 'warning' | 'problem'
  readonly message: string
  /** What to do; empty when all is well. */
  readonly remedy: string
}

export function ok(id: string, message: string): Check {
  return { id, status: 'ok', message, remedy: '' }
}

export function warning(id: string, message: string, remedy: string): Check {
  return { id, status: 'warning', message, remedy }
}

export function problem(id: string, message: string, remedy: string): Check {
  return { id, status: 'problem', message, remedy }
}
