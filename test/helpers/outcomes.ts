/** Verdicts of gates as a test names them: every other gate passes. */
import { NO_EVIDENCE, type MappedCriterion } from '../../src/core/event-schemas/evidence.ts'
import type { GateName, Verdict } from '../../src/core/event-schemas/schemas.ts'
import { blocking, forReview } from '../../src/core/gates/verdicts.ts'

export interface Outcomes {
  readonly failed?: readonly GateName[]
  readonly inconclusive?: readonly GateName[]
  /** What each gate that did not pass names as its reasons. */
  readonly failures?: readonly string[]
  /** Its blocking findings. */
  readonly findings?: readonly string[]
  /** What each gate leaves to review. */
  readonly forReview?: readonly string[]
}

export function verdictOf(gate: GateName, outcomes: Outcomes, mapped: readonly MappedCriterion[]): Verdict {
  const { failed = [], inconclusive = [], failures, findings = [], forReview: left = [] } = outcomes
  const outcome = failed.includes(gate) ? 'failed' : inconclusive.includes(gate) ? 'inconclusive' : 'passed'
  const evidence = {
    ...NO_EVIDENCE,
    ...(gate === 'plan_alignment' ? { criteria: [...mapped] } : {}),
    findings: [
      ...(outcome === 'passed' ? [] : findings.map((text) => blocking(text))),
      ...left.map((text) => forReview(text)),
    ],
    ...(outcome === 'passed' || failures === undefined ? {} : { failures: [...failures] }),
  }
  return { gate, outcome, summary: `${gate} ${outcome}`, evidence }
}
