/** A worker started, its session, what it used, and the tests that it reports. */
import { z } from 'zod'
import { decided, moveTask, taskIn } from '../../fold/moves.ts'
import { agentSeen, candidatesSeen, probeMissed } from '../../fold/providers.ts'
import { liveIn, noteUse } from '../../fold/watch.ts'
import { formatSpent } from '../../state/spending.ts'
import { always, eventShape, type EventDefinition, type EventIn } from '../define.ts'
import { ofWorker, text } from '../../event-schemas/schemas.ts'
import { rejectUnlessLive, rejectUnlessRunning } from '../rejections.ts'
import { cut, fact, aboutWorker } from '../rendering.ts'
import { SESSION_CONTINUATIONS } from '../../state/agent-session.ts'
import { reportedTestsSchema } from '../../event-schemas/requests.ts'
import { testsText } from '../../state/report-claims.ts'

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
  render(event) {
    const { attempt, agent = null, protocol = null, model = null, effort = null, why } = event
    const chosen = why === undefined ? {} : { protocol, model, effort, why: cut(why) }
    return aboutWorker(event, startLine(event), fact('worker_registered', { attempt, agent, ...chosen }))
  },
}

/** What was started, and why. */
function startLine({ worker, agent, protocol, model, effort, why }: Started): string {
  const how = [
    ...(protocol === undefined ? [] : [protocol === 'acp' ? 'ACP' : 'command']),
    ...(model === undefined ? [] : [`model ${model}`]),
    ...(effort === undefined ? [] : [`effort ${effort}`]),
  ]
  if (why === undefined) return `${worker} started`
  const using = how.length === 0 ? '' : ` (${how.join(', ')})`
  return `${worker} runs ${agent ?? 'an agent'}${using}: ${why}`
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
  render: (event) => {
    const { worker, tokens, usd } = event
    return aboutWorker(
      event,
      `${worker} has used ${formatSpent(event)}`,
      fact('usage_noted', { tokens, usd }),
    )
  },
}

/** A worker's agent has a session, which later workers and people may continue. */
const sessionShape = eventShape('session.opened', 1, () => ({
  ...ofWorker,
  session: z.string().min(1),
  agent: text.nullable(),
  protocol: z.enum(['acp']),
  /** How a later worker continues it; null where its agent cannot. */
  continues: z.enum(SESSION_CONTINUATIONS).nullable(),
  /** It is the session of an earlier worker. */
  isContinued: z.boolean(),
  /** The earlier session that could not be continued, and why. */
  lost: z.strictObject({ session: text, why: text }).optional(),
  /** What could not be set in it and stays the agent's own, and why. */
  note: text.optional(),
}))
type Opened = EventIn<typeof sessionShape>

export const sessionOpened: EventDefinition<typeof sessionShape> = {
  shape: sessionShape,
  rejectionReason: (state, event) => rejectUnlessLive(state, event, always),
  apply(state, event, at) {
    const task = taskIn(state, event.task)
    const { role } = liveIn(task, event.worker)
    const { session: id, agent, protocol, continues, worker, isContinued } = event
    const session = { id, agent, protocol, continues, worker, isContinued }
    if (role === 'reviewer') task.reviewSession = session
    else task.session = session
    for (const line of openedTexts(event)) decided(task, at, line)
  },
  render(event) {
    const { session, agent, continues, isContinued, lost, note } = event
    const loss = lost === undefined ? {} : { lost: lost.session, why: cut(lost.why) }
    const noted = note === undefined ? {} : { note: cut(note) }
    const opened = fact(isContinued ? 'session_continued' : 'session_opened', {
      session: cut(session),
      agent,
      continues,
      ...loss,
      ...noted,
    })
    return aboutWorker(event, openedTexts(event).join('; ') || null, opened)
  },
}

/** Nothing for an ordinary new session. */
function openedTexts({ worker, session, isContinued, lost, note }: Opened): readonly string[] {
  return [
    ...(isContinued ? [`${worker} continues session ${session}`] : []),
    ...(lost === undefined
      ? []
      : [`${worker} cannot continue session ${lost.session} (${lost.why}); it begins a new one`]),
    ...(note === undefined ? [] : [`${worker}: ${note}`]),
  ]
}

/** A worker reported the results of its own tests. */
const testsShape = eventShape('tests.reported', 1, () => ({ ...ofWorker, tests: reportedTestsSchema }))

/** Failing ones make it late, and stand in the brief of the next attempt; the gates run the tests themselves. */
export const testsReported: EventDefinition<typeof testsShape> = {
  shape: testsShape,
  rejectionReason: rejectUnlessRunning,
  apply(state, event, at) {
    const task = taskIn(state, event.task)
    task.tests = { worker: event.worker, ...event.tests }
    decided(task, at, reportText(event))
  },
  render: (event) =>
    aboutWorker(
      event,
      reportText(event),
      fact(event.tests.outcome === 'passed' ? 'tests_passed' : 'tests_failed', {
        ...event.tests,
        text: cut(testsText(event.tests)),
      }),
    ),
}

const reportText = ({ worker, tests }: EventIn<typeof testsShape>): string =>
  `${worker} reports tests: ${testsText(tests)}`
