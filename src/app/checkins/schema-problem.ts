import type { z } from 'zod'
import { terminalLine } from '../../lib/text/terminal-text.ts'

/** The first thing that a schema found wrong, with its key after `prefix`; `whole` names the value itself. Safe to print. */
export function schemaProblem({ issues: [issue] }: z.ZodError, whole: string, prefix = ''): string {
  const key = issue?.path.join('.') ?? ''
  return terminalLine(`${key === '' ? whole : `${prefix}${key}`}: ${issue?.message ?? 'is invalid'}`)
}
