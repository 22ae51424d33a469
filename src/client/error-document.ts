/** The one form of an error for programs: what commands print and the daemon answers. */
import type { Refusal, RefusalCode } from '../lib/refusal.ts'

/** `internal` is a bug in Bosun. */
export type ErrorReport = Pick<Refusal, 'message' | 'remedy'> &
  Partial<Pick<Refusal, 'faults' | 'details'>> & { readonly code: RefusalCode | 'internal' }

export const errorDocument = ({ code, message, remedy, faults = [], details }: ErrorReport) => {
  const problems = faults.length === 0 ? undefined : faults
  const error = { code, message, remedy, problems, details: details ?? undefined }
  return { schema: 'bosun.error/v1', error }
}
