/** A worker started, and its usage so far. */
import { z } from 'zod'
import { decided, moveTask, taskIn } from '../../fold/moves.ts'
import { agentSeen, candidatesSeen, probeMissed } from '../../fold/providers.ts'
import { liveIn, noteUse } from '../../fold/workers.ts'
import { formatSpent } from '../../state/spending.ts'
import { cut, workerLine } from '../activity-lines.ts'
import { always, eventShape, type EventDefinition, type EventIn } from '../define.ts'
import { ofWorker, text } from '../../event-schemas/schemas.ts'
import { rejectUnlessLive, rejectUnlessRunning } from '../rejections.ts'

const startedShape = eventShape('worker.started', 1, () => ({
  ...ofWorker,
  /** Its agent. */
  agent: text.optional(),
  protocol: z.enum(['command', 'acp']).optional(),
  /** What it is asked to use; absent: the agent's own. */
  model: text.optional(),
  effort: text.optional(),
  /** Why this agent, model and effort; absent in older logs. */
  why: text.optional(),
  /** The agents that could do the work of its role, the first choice first. */
  candidates: z.array(text).optional(),
}))
type Started = EventIn<typeof startedShape>

export const workerStarted: EventDefinition<typeof startedShape> = {
  shape: startedShape,
  rejectionReason: rejectUnlessRunning,
  apply(state, event, at) {
    const task = taskIn(state, event.task)
    const { live } = task
    if (live !== null) {
      const agent = agentSeen(state, live, event.agent)
      candidatesSeen(state, live, event.candidates)
      probeMissed(state, live.worker, agent)
      if (event.why !== undefined) decided(task, at, startLine(event))
      const known = { ...live, agent, ...(event.model === undefined ? {} : { model: event.model }) }
      task.live = live.step === 'launching' ? { ...known, step: 'working', since: at } : known
    }
    if (task.step === 'launching') moveTask(state, task, { to: 'working', on: event.type, at })
  },
  activity: (event) => [
    workerLine(event, 'worker_registered', {
      attempt: event.attempt,
      agent: event.agent ?? null,
      ...(event.why === undefined
        ? {}
        : {
            protocol: event.protocol ?? null,
            model: event.model ?? null,
            effort: event.effort ?? null,
            why: cut(event.why),
          }),
    }),
  ],
  timeline: (event) => (event.why === undefined ? null : { task: event.task, text: startLine(event) }),
}

/** What was started, and why. */
function startLine({ worker, agent, protocol, model, effort, why }: Started): string {
  const how = [
    ...(protocol === undefined ? [] : [protocol === 'acp' ? 'ACP' : 'command']),
    ...(model === undefined ? [] : [`model ${model}`]),
    ...(effort === undefined ? [] : [`effort ${effort}`]),
  ]
  const using = how.length === 0 ? '' : ` (${how.join(', ')})`
  return `${worker} is ${agent ?? 'an agent'}${using}: ${why ?? ''}`
}

const amount = z.int().nonnegative()

const usedShape = eventShape('worker.used', 1, () => ({
  ...ofWorker,
  tokens: z.int().nonnegative(),
  usd: z.number().nonnegative(),
  /** How the tokens divide; absent in older logs, and where only a sum was reported. */
  parts: z
    .strictObject({ in: amount, out: amount, cached: amount, estimated: amount, unpriced: amount })
    .optional(),
}))

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
