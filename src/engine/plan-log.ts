/** Loads a plan's state from its log, and saves snapshots. */
import type { PlanEvent } from '../core/events/plan-events.ts'
import { isPlanEvent, type LogEvent } from '../core/log/log-events.ts'
import { fold } from '../core/events/fold.ts'
import { freeze, SNAPSHOT_SHAPE, thaw } from '../core/state/snapshot.ts'
import type { PlanState } from '../core/state/state.ts'
import { BrokenEvent, type Entry, type EventLog, type StreamId } from '../ports/event-log.ts'

const PAGE = 1000
const SNAPSHOT_EVERY = 1000

/** What the engine needs of a log. */
export type PlanLog = Pick<EventLog<PlanEvent>, 'append' | 'read' | 'loadSnapshot' | 'saveSnapshot'>

/** The whole log, as far as an engine may use it. */
type WholeLog = Pick<EventLog<LogEvent>, keyof PlanLog>

/** The log with the events of plans alone. Throws BrokenEvent for another event in a plan's stream. */
export function planLogOf(log: WholeLog): PlanLog {
  return {
    async append(append) {
      const written = await log.append(append)
      return written.ok ? { ...written, entries: written.entries.map(planEntry) } : written
    },
    read: async (...asked) => (await log.read(...asked)).map(planEntry),
    loadSnapshot: (stream) => log.loadSnapshot(stream),
    saveSnapshot: (snapshot) => log.saveSnapshot(snapshot),
  }
}

export const isPlanEntry = (entry: Entry<LogEvent>): entry is Entry<PlanEvent> => isPlanEvent(entry.event)

function planEntry(entry: Entry<LogEvent>): Entry<PlanEvent> {
  if (isPlanEntry(entry)) return entry
  const { seq, stream, event } = entry
  const problem = `${event.type} is not an event of a plan`
  throw new BrokenEvent({ seq, stream, problem, remedy: 'The database is damaged: restore a backup.' })
}

/** The log has no such plan. */
export class NoSuchPlan extends Error {
  override readonly name = 'NoSuchPlan'
}

/** The current state: the last readable snapshot, and the events after it. */
export async function loadPlan(
  log: Pick<WholeLog, 'read' | 'loadSnapshot'>,
  stream: StreamId,
): Promise<{ readonly state: PlanState; readonly snapshotVersion: number }> {
  const snapshot = await log.loadSnapshot(stream)
  const known = snapshot?.shape === SNAPSHOT_SHAPE ? snapshot : null
  let state = known === null ? null : thaw(known.state)
  for (const entry of await readOn(log, stream, known?.version ?? 0)) state = fold(state, entry)
  if (state === null) throw new NoSuchPlan(`no plan in stream ${stream}`)
  return { state, snapshotVersion: known?.version ?? 0 }
}

/** All entries after a version. */
export async function readOn(
  log: Pick<WholeLog, 'read'>,
  stream: StreamId,
  afterVersion: number,
): Promise<readonly Entry<PlanEvent>[]> {
  const entries: Entry<PlanEvent>[] = []
  for (;;) {
    const page = await log.read(stream, entries.at(-1)?.version ?? afterVersion, PAGE)
    entries.push(...page.map(planEntry))
    if (page.length < PAGE) return entries
  }
}

/** Often enough for a short start-up, seldom enough for large plans. */
export const snapshotIsDue = (state: PlanState, last: number): boolean =>
  state.version - last >= Math.max(SNAPSHOT_EVERY, 2 * state.tasks.size)

export async function saveSnapshot(
  log: PlanLog,
  stream: StreamId,
  { state, seq }: { readonly state: PlanState; readonly seq: number },
): Promise<void> {
  const copy: unknown = structuredClone(freeze(state))
  await log.saveSnapshot({ stream, version: state.version, seq, shape: SNAPSHOT_SHAPE, state: copy })
}
