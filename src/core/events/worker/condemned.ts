/** A worker is about to be stopped. */
import { z } from 'zod'
import { taskIn } from '../../fold/moves.ts'
import { condemn } from '../../fold/workers.ts'
import { cut, workerLine } from '../activity-lines.ts'
import { eventShape, type EventDefinition } from '../define.ts'
import { by, ofWorker, STOP_CAUSES, text, type StopCause } from '../../event-schemas/schemas.ts'
import { rejectUnlessRunning } from '../rejections.ts'

const shape = eventShape('worker.condemned', 1, () => ({
  ...ofWorker,
  cause: z.enum(STOP_CAUSES),
  why: text,
  /** Its last reported progress, for the worker that continues. */
  checkpoint: text.optional(),
  /** The person who kills it or takes it over; absent in older logs of kills. */
  by: by.optional(),
}))

export const workerCondemned: EventDefinition<typeof shape> = {
  shape,
  rejectionReason: rejectUnlessRunning,
  apply: (state, event, at) => condemn(state, taskIn(state, event.task), { ...event, at }),
  activity: (event) => [
    workerLine(event, CONDEMNED[event.cause], { cause: event.cause, why: cut(event.why) }),
  ],
  timeline: ({ task, worker, why }) => ({ task, text: `stopping ${worker}: ${why}` }),
}

const CONDEMNED = {
  stalled: 'restart_decided',
  zombie: 'kill_decided',
  finished: 'worker_finished',
  gave_up: 'worker_gave_up',
  cannot_go_on: 'worker_gave_up',
  restarted: 'restart_decided',
  time_limit: 'timeout_exceeded',
  disk_limit: 'worker_condemned',
  budget: 'budget_exceeded',
  looping: 'worker_looping',
  plan_edited: 'worker_condemned',
  killed: 'worker_condemned',
  taken_over: 'worker_taken_over',
  paused: 'worker_condemned',
  cancelled: 'worker_condemned',
} as const satisfies Record<StopCause, string>
