/** Who worked when, from the plan's events. What was read is kept for the next look, which reads only what is new. */
import { TaskSpans } from '../../core/log/task-spans.ts'
import { readOn } from '../../engine/plan-log.ts'
import { SerialQueue } from '../../lib/serial-queue.ts'
import type { TimelineAnswer } from '../../protocol/plan-views.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import { isOver, type HostedPlan } from '../host/hosted-plan.ts'

interface Kept {
  readonly spans: TaskSpans
  /** Looks at one plan read its events one after another. */
  readonly readings: SerialQueue
}

/** Each holds a state of its plan. */
const MOST_KEPT = 3
/** More rows cannot be looked at; the latest are kept. */
const MOST_ROWS = 2000

const kept = new WeakMap<HostToRead, Map<string, Kept>>()

export async function planTimeline(host: HostToRead, plan: HostedPlan): Promise<TimelineAnswer> {
  const { stream } = plan.home
  const entry = keptFor(host, stream)
  try {
    await entry.readings.run(async () => {
      for (const one of await readOn(host.parts.log, stream, entry.spans.version)) entry.spans.take(one)
    })
  } catch (error) {
    // Taken in part: the next look begins anew.
    kept.get(host)?.delete(stream)
    throw error
  }
  const { state } = plan
  const all = entry.spans.rows()
  const rows = all.length <= MOST_ROWS ? all : latest(all)
  return {
    plan: plan.id,
    from: iso(state.registeredAt),
    to: iso(isOver(state) ? state.at : host.parts.clock.now()),
    rows: rows.map(({ task, title, spans }) => ({
      task,
      title,
      spans: spans.map(({ kind, from, to, label }) => ({
        kind,
        from: iso(from),
        to: to === null ? null : iso(to),
        label,
      })),
    })),
    left_out: all.length - rows.length,
  }
}

function keptFor(host: HostToRead, stream: string): Kept {
  const ofHost = kept.get(host) ?? new Map<string, Kept>()
  kept.set(host, ofHost)
  const entry = ofHost.get(stream) ?? { spans: new TaskSpans(), readings: new SerialQueue() }
  // The most recently used is last.
  ofHost.delete(stream)
  ofHost.set(stream, entry)
  const [oldest] = ofHost.keys()
  if (ofHost.size > MOST_KEPT && oldest !== undefined) ofHost.delete(oldest)
  return entry
}

/** In plan order, those with the latest beginnings. */
function latest<R extends { readonly spans: readonly { readonly from: number }[] }>(
  rows: readonly R[],
): readonly R[] {
  const begun = (row: R): number => row.spans.at(-1)?.from ?? 0
  const shown = new Set(rows.toSorted((a, b) => begun(b) - begun(a)).slice(0, MOST_ROWS))
  return rows.filter((row) => shown.has(row))
}

const iso = (at: number): string => new Date(at).toISOString()
