/** Gates that cannot run with the plan's settings: a retry would not help, so a person is asked at once. */
import type { Verdict } from '../event-schemas/schemas.ts'

export const MIGRATIONS_UNTRIED =
  'this critical task changes a migration, but environment.migrations has no commands to try it; try it by hand before you continue'

export const isUntried = ({ gate, outcome, evidence }: Verdict): boolean =>
  gate === 'migrations' && outcome === 'inconclusive' && evidence.runs.length === 0

/** Whether every inconclusive verdict is of this kind. */
export const isAllUntried = (verdicts: readonly Verdict[] | null): boolean => {
  const unknown = (verdicts ?? []).filter(({ outcome }) => outcome === 'inconclusive')
  return unknown.length > 0 && unknown.every(isUntried)
}
