/** How many files this process may have open at once. Node has raised its soft limit to the hard one when it started. */
import { readFileSync } from 'node:fs'
import { Refusal } from '../refusal.ts'
import { orElse } from '../or-else.ts'

/** The daemon at rest has about thirty; workers, gates, git and callers need the rest. */
const NEEDED = 128

/** Null without a limit, or where it is unknown. */
export function openFilesLimit(): number | null {
  // Missing on other systems, or without a /proc.
  const limits = orElse(() => readFileSync('/proc/self/limits', 'utf8'), '')
  const limit = /^Max open files\s+(\d+)/m.exec(limits)?.[1]
  if (limit !== undefined) return Number(limit)
  if (process.platform === 'linux') return null
  const report = process.report?.getReport() as
    | { readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } } }
    | undefined
  const soft = report?.userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : null
}

/** A daemon with fewer would fail in the middle of things, again and again. */
export function refuseFewOpenFiles(limit: number | null): void {
  if (limit === null || limit >= NEEDED) return
  throw new Refusal({
    code: 'failed',
    message: `the limit of open files (ulimit -n) is ${limit}; the daemon needs at least ${NEEDED}`,
    remedy: 'Raise it in this shell and try again: ulimit -n 1024',
  })
}

/** Of those that may be open, how many may be callers. */
export const connectionsWithin = (limit: number | null, most: number): number =>
  limit === null ? most : Math.min(most, Math.floor(limit / 4))
