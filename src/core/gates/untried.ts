/** What nobody can check as the plan was started: to run it again changes nothing, so a person is asked at once. */
import type { Verdict } from '../event-schemas/schemas.ts'

export const MIGRATIONS_UNTRIED =
  'this critical task changes a migration, and environment.migrations names no commands that try it up and down: try it by hand before you let it go on'

export const isUntried = ({ gate, outcome, evidence }: Verdict): boolean =>
  gate === 'migrations' && outcome === 'inconclusive' && evidence.runs.length === 0

/** Whether everything that could not be checked is of this kind. */
export const isAllUntried = (verdicts: readonly Verdict[] | null): boolean => {
  const unknown = (verdicts ?? []).filter(({ outcome }) => outcome === 'inconclusive')
  return unknown.length > 0 && unknown.every(isUntried)
}
