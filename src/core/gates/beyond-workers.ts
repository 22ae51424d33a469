/** Failures of the test runner itself: another worker would meet them again, so a person is asked at once. */
import type { Verdict } from '../event-schemas/schemas.ts'
import { CANNOT_FAIL } from './tests/canary.ts'

/** Whether nothing else is held against the work. */
export function isBeyondWorkers(verdicts: readonly Verdict[] | null): boolean {
  const failed = (verdicts ?? []).filter(({ outcome }) => outcome === 'failed')
  const reasons = failed.map(({ evidence }) => evidence.findings.filter(({ weight }) => weight === 'blocks'))
  return (
    failed.length > 0 &&
    reasons.every((all) => all.length > 0 && all.every(({ text }) => text.startsWith(CANNOT_FAIL)))
  )
}
