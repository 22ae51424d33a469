/** Stays with the demo's plan: shows what happens, says what is behind it, answers in a person's place. */
import { chaptersBegunBy, STAND_IN } from '../../app/demo/story.ts'
import { DEMO_PLAN } from '../../app/demo/make-demo.ts'
import type { Daemon } from '../../client/daemon.ts'
import type { EventMessage, PlanAnswer } from '../../protocol/answers.ts'
import type { Call } from '../command.ts'
import { formatDuration } from '../../lib/text/format-time.ts'
import { followerFor, type Follower } from '../follow.ts'
import { planLines } from '../run-plan.ts'
import { idSegment } from '../id-segment.ts'

export interface Following {
  readonly daemon: Daemon
  readonly begun: PlanAnswer
  readonly until: AbortSignal
}

/** The plan where nothing moves any more; null when it was cut short. */
export async function followDemo(
  call: Call,
  { daemon, begun, until }: Following,
): Promise<PlanAnswer | null> {
  let report = begun
  const startedAt = Date.now()
  const follower = call.json ? NOBODY : followerFor(call, 'demo', () => block(report, call, startedAt))
  const said = new Set<string>()
  const fresh = () => daemon.get<PlanAnswer>(`/api/plans/${DEMO_PLAN.id}`)
  try {
    for await (const message of daemon.events({ after: begun.seq, plan: DEMO_PLAN.id }, until)) {
      if ((await tell(follower, message, said)) === 'unwanted') return null
      if (message.version === null) continue
      if (message.version > report.version) report = await fresh()
      if (await answered(daemon, report)) report = await fresh()
      await follower.refresh()
      if (report.outcome !== 'moving' && message.version >= report.version) return report
    }
  } finally {
    await follower.end()
  }
  return null
}

/** What happened, the evidence where a gate failed, and what is behind it where the demo had a hand in it. */
async function tell(
  follower: Follower,
  message: EventMessage,
  said: Set<string>,
): Promise<'written' | 'unwanted'> {
  const evidence = message.activity.flatMap(evidenceIn)
  const begun = message.activity.flatMap(chaptersBegunBy).filter(({ name }) => !said.has(name))
  for (const { name } of begun) said.add(name)
  const notes = [...evidence, ...begun.map(({ note }) => note)]
  return follower.tell({ ...message, details: [...message.details, ...notes] })
}

function evidenceIn({ event, data }: EventMessage['activity'][number]): readonly string[] {
  const { gate, summary, feedback } = data
  if (event === 'gate_failed') return [`${String(gate)}: ${String(summary)}`]
  return event === 'escalation_answered' ? [`in your place: “${String(feedback)}”`] : []
}

/** Whether something was open that the stand-in has an answer to. */
async function answered(daemon: Daemon, { inbox }: PlanAnswer): Promise<boolean> {
  const item = inbox.find(({ kind, blocking }) => kind === 'escalation' && blocking)
  const answer = STAND_IN.answers.get(item?.task ?? '')
  if (item === undefined || answer === undefined) return false
  await daemon.post(`/api/inbox/${idSegment(item.id)}/answer`, { ...answer, by: STAND_IN.by })
  return true
}

function block(report: PlanAnswer, { terminal }: Call, startedAt: number): readonly string[] {
  const now = Date.now()
  const last = `  ${formatDuration(now - startedAt)}; Ctrl-C ends the demo`
  return [...planLines(report, terminal, now), terminal.style.dim(last)]
}

/** With `--json` there is one document, at the end. */
const NOBODY: Follower = {
  tell: () => Promise.resolve('written'),
  refresh: () => Promise.resolve(),
  end: () => Promise.resolve(),
}
