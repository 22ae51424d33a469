/** Loads a plan's state from its log, and saves snapshots. */
import type { PlanEvent } from '../core/events/plan-events.ts'
import { fold } from '../core/events/fold.ts'
import { freeze, SNAPSHOT_SHAPE, thaw } from '../core/state/snapshot.ts'
import type { PlanState } from '../core/state/state.ts'
import type { Entry, EventLog, StreamId } from '../ports/event-log.ts'

const PAGE = 1000
const SNAPSHOT_EVERY = 1000

/** What the engine needs of a log. */
export type PlanLog = Pick<EventLog<PlanEvent>, 'append' | 'read' | 'loadSnapshot' | 'saveSnapshot'>

/** The log has no such plan. */
export class NoSuchPlan extends Error {
  override readonly name = 'NoSuchPlan'
}

/** The current state: the last readable snapshot, and the events after it. */
export async function loadPlan(
  log: Pick<PlanLog, 'read' | 'loadSnapshot'>,
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
  log: Pick<PlanLog, 'read'>,
  stream: StreamId,
  afterVersion: number,
): Promise<readonly Entry<PlanEvent>[]> {
  const entries: Entry<PlanEvent>[] = []
  for (;;) {
    const page = await log.read(stream, entries.at(-1)?.version ?? afterVersion, PAGE)
    entries.push(...page)
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
