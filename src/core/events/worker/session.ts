/** A worker's agent has a session, which later workers and people may continue. */
import { z } from 'zod'
import { decided, taskIn } from '../../fold/moves.ts'
import { liveIn } from '../../fold/workers.ts'
import { SESSION_CONTINUATIONS } from '../../state/agent-session.ts'
import { cut, workerLine } from '../activity-lines.ts'
import { always, eventShape, type EventDefinition, type EventIn } from '../define.ts'
import { ofWorker, text } from '../../event-schemas/schemas.ts'
import { rejectUnlessLive } from '../rejections.ts'

const shape = eventShape('session.opened', 1, () => ({
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
type Opened = EventIn<typeof shape>

export const sessionOpened: EventDefinition<typeof shape> = {
  shape,
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
  activity: (event) => {
    const { session, agent, continues, isContinued, lost, note } = event
    const how = isContinued ? 'session_continued' : 'session_opened'
    const loss = lost === undefined ? {} : { lost: lost.session, why: cut(lost.why) }
    const noted = note === undefined ? {} : { note: cut(note) }
    return [workerLine(event, how, { session: cut(session), agent, continues, ...loss, ...noted })]
  },
  timeline(event) {
    const lines = openedTexts(event)
    return lines.length === 0 ? null : { task: event.task, text: lines.join('; ') }
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
