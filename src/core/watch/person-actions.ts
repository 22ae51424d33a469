/** What a person does about a running worker unasked, by the same rules as the watch. */
import type { PlanEvent } from '../events/plan-events.ts'
import type { LiveWorker } from '../state/state.ts'

export interface PersonAction {
  readonly live: LiveWorker
  readonly task: string
  readonly by: string
}

/** The subject of the watch's own nudge: it counts the time for an answer from here. */
const NUDGE = 'nudge'

/** Null while an earlier nudge waits to be delivered: another one would say the same. */
export function nudgeBy({ live, task, by }: PersonAction): readonly PlanEvent[] | null {
  if (live.watch.waiting.some(({ kind }) => kind === 'nudge')) return null
  const message = {
    id: live.watch.messages + 1,
    kind: 'nudge' as const,
    text: `${by} asks for a sign of life: check in with your progress and continue; if you are waiting, say for what.`,
    about: NUDGE,
    by,
  }
  return [{ type: 'worker.told', v: 1, ...who(live, task), message, why: `nudged by ${by}` }]
}

export const extendBy = ({ live, task, by }: PersonAction, minutes: number): readonly PlanEvent[] => [
  { type: 'time.granted', v: 1, ...who(live, task), minutes, by },
]

const who = ({ worker, attempt }: LiveWorker, task: string) => ({ worker, task, attempt })
