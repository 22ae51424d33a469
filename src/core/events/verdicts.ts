/** Shared by the events of task gates and of release gates. */
import { cut } from './activity-lines.ts'
import type { RunEvidence } from '../event-schemas/evidence.ts'
import type { Verdict } from '../event-schemas/schemas.ts'
import { counted } from '../../lib/text/counted.ts'

export const runsOf = (verdicts: readonly Verdict[]): readonly RunEvidence[] =>
  verdicts.flatMap(({ evidence }) => evidence.runs)

/** A run without the hash of its command and environment proves nothing. */
export function rejectUnhashed(runs: readonly RunEvidence[]): string | null {
  const bare = runs.find(({ commandSha256 }) => commandSha256 === null)
  return bare === undefined ? null : `the run of ${bare.command} has no hash of its command and environment`
}

export const gateData = (verdict: Verdict, more: Readonly<Record<string, unknown>>) => ({
  gate: verdict.gate,
  ...more,
  summary: cut(verdict.summary),
})

export function gateLine(verdicts: readonly Verdict[]): string {
  const bad = verdicts.filter(({ outcome }) => outcome === 'failed' || outcome === 'inconclusive')
  if (bad.length > 0) {
    const alike = Map.groupBy(bad, ({ outcome, summary }) => `${outcome} (${summary})`)
    return [...alike].map(([how, all]) => `${all.map(({ gate }) => gate).join(', ')} ${how}`).join('; ')
  }
  const passed = verdicts.filter(({ outcome }) => outcome === 'passed').length
  const rest = verdicts.length - passed
  const gates = `${counted(passed, 'gate')} passed`
  return rest === 0 ? gates : `${gates}, ${rest} not applicable`
}
