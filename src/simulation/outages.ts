/** Periods in which no worker succeeds. */
import type { WorkerEnd } from '../core/event-schemas/schemas.ts'
import type { Fault, FaultRates } from './faults.ts'
import type { Random } from './random.ts'
import type { WorkerScript } from './scripted-agent.ts'

const MINUTE = 60_000

const KINDS = ['limited', 'outage', 'common_failure'] as const satisfies readonly Fault[]

export interface Outage {
  readonly kind: (typeof KINDS)[number]
  /** Wall time. */
  readonly from: number
  readonly to: number
}

export function drawOutages(rates: FaultRates, random: Random, start: number): readonly Outage[] {
  return KINDS.flatMap((kind) =>
    Array.from({ length: Math.ceil((rates.get(kind) ?? 0) * 6) }, () => {
      const from = start + random.between(0, 300) * MINUTE
      return { kind, from, to: from + random.between(5, 300) * MINUTE }
    }),
  )
}

/** A worker that runs when an outage begins, or starts during one, fails within seconds. */
export function duringOutages(script: WorkerScript, outages: readonly Outage[], now: number): WorkerScript {
  const endsAt = script.workMs === null ? Infinity : now + script.startMs + script.workMs
  const met = outages.filter(({ from, to }) => to > now && from < endsAt)
  if (met.length === 0) return script
  const outage = met.reduce((first, other) => (other.from < first.from ? other : first))
  const workMs = Math.max(0, outage.from - now) + 3000
  return { ...script, workMs, end: endOf(outage), report: null, review: null, lingers: undefined }
}

function endOf({ kind, to }: Outage): WorkerEnd {
  switch (kind) {
    case 'limited':
      return { kind: 'limited', until: to, why: 'usage limit reached' }
    case 'outage':
      return { kind: 'limited', until: null, why: '529 overloaded' }
    case 'common_failure':
      return { kind: 'failed', reason: 'it exited with code 1; last output: no such model' }
  }
}
