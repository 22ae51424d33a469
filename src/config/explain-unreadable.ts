import type { Problem } from '../core/planning/plan.ts'

/** A file that is there and could not be read, as a problem with it. */
export function explainUnreadable(file: string, error: unknown): Problem {
  const why = error instanceof Error ? error.message : String(error)
  return {
    severity: 'error',
    file,
    line: 1,
    message: `cannot be read: ${why}`,
    remedy: 'Make it a readable file.',
  }
}
