/** Shared by the events of task gates and of release gates. */
import type { RunEvidence } from '../event-schemas/evidence.ts'
import type { Verdict } from '../event-schemas/schemas.ts'
import { counted } from '../../lib/text/counted.ts'
import { gateTitle } from '../../lib/text/counted.ts'
import { cut, fact } from './rendering.ts'

export const runsOf = (verdicts: readonly Verdict[]): readonly RunEvidence[] =>
  verdicts.flatMap(({ evidence }) => evidence.runs)

/** A run without the hash of its command and environment proves nothing. */
export function rejectUnhashed(runs: readonly RunEvidence[]): string | null {
  const bare = runs.find(({ commandSha256 }) => commandSha256 === null)
  return bare === undefined ? null : `the run of ${bare.command} has no hash of its command and environment`
}

/** A verdict in the activity log. */
export function gateFact({ gate, outcome, summary }: Verdict, of: Readonly<Record<string, unknown>>) {
  const text = `${gateTitle(gate)} ${OUTCOMES[outcome]}${summary === '' ? '' : `: ${summary}`}`
  return fact(`gate_${outcome}`, { gate, ...of, summary: cut(summary) }, text)
}

const OUTCOMES = {
  passed: 'passed',
  failed: 'failed',
  inconclusive: 'could not be checked',
  not_applicable: 'does not apply',
} as const satisfies Record<Verdict['outcome'], string>

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
