/** A worker started, and its usage so far. */
import { z } from 'zod'
import { moveTask, taskIn } from '../../fold/moves.ts'
import { agentSeen } from '../../fold/providers.ts'
import { liveIn, noteUse } from '../../fold/workers.ts'
import { formatSpent } from '../../state/spending.ts'
import { workerLine } from '../activity-lines.ts'
import { always, eventShape, notInTimeline, type EventDefinition } from '../define.ts'
import { ofWorker, text } from '../../event-schemas/schemas.ts'
import { rejectUnlessLive, rejectUnlessRunning } from '../rejections.ts'

const startedShape = eventShape('worker.started', 1, {
  ...ofWorker,
  /** Its agent. */
  agent: text.optional(),
})

export const workerStarted: EventDefinition<typeof startedShape> = {
  shape: startedShape,
  rejectionReason: rejectUnlessRunning,
  apply(state, event, at) {
    const task = taskIn(state, event.task)
    const { live } = task
    if (live !== null) {
      const agent = agentSeen(state, live, event.agent)
      task.live =
        live.step === 'launching' ? { ...live, agent, step: 'working', since: at } : { ...live, agent }
    }
    if (task.step === 'launching') moveTask(state, task, { to: 'working', on: event.type, at })
  },
  activity: (event) => [
    workerLine(event, 'worker_registered', { attempt: event.attempt, agent: event.agent ?? null }),
  ],
  timeline: notInTimeline,
}

const amount = z.int().nonnegative()

const usedShape = eventShape('worker.used', 1, {
  ...ofWorker,
  tokens: z.int().nonnegative(),
  usd: z.number().nonnegative(),
  /** How the tokens divide; absent in older logs, and where only a sum was reported. */
  parts: z
    .strictObject({ in: amount, out: amount, cached: amount, estimated: amount, unpriced: amount })
    .optional(),
})

export const workerUsed: EventDefinition<typeof usedShape> = {
  shape: usedShape,
  rejectionReason: (state, event) => rejectUnlessLive(state, event, always),
  apply(state, event) {
    const task = taskIn(state, event.task)
    noteUse(state, task, { live: liveIn(task, event.worker), spent: event })
  },
  activity: (event) => [workerLine(event, 'usage_noted', { tokens: event.tokens, usd: event.usd })],
  timeline: (event) => ({ task: event.task, text: `${event.worker} has used ${formatSpent(event)}` }),
}
