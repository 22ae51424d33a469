/** Follows the demo's plan: prints events with notes, and answers questions for the person. */
import { chaptersBegunBy, STAND_IN } from '../../app/demo/story.ts'
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

/** The plan once nothing moves any more; null when interrupted. */
export async function followDemo(
  call: Call,
  { daemon, begun, until }: Following,
): Promise<PlanAnswer | null> {
  let report = begun
  const startedAt = Date.now()
  const follower = call.json ? SILENT : followerFor(call, 'demo', () => block(report, call, startedAt))
  const shown = new Set<string>()
  const { id = '' } = begun.plans[0] ?? {}
  const fresh = () => daemon.get<PlanAnswer>(`/api/plans/${id}`)
  try {
    for await (const message of daemon.events({ after: begun.seq, plan: id }, until)) {
      if ((await printEvent(follower, message, shown)) === 'unwanted') return null
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

/** Prints an event, the evidence of a failed gate, and a note where the demo caused it. */
async function printEvent(
  follower: Follower,
  message: EventMessage,
  shown: Set<string>,
): Promise<'written' | 'unwanted'> {
  const evidence = message.activity.flatMap(evidenceIn)
  const begun = message.activity.flatMap(chaptersBegunBy).filter(({ name }) => !shown.has(name))
  for (const { name } of begun) shown.add(name)
  const notes = [...evidence, ...begun.map(({ note }) => note)]
  return follower.show({ ...message, details: [...message.details, ...notes] })
}

function evidenceIn({ event, data }: EventMessage['activity'][number]): readonly string[] {
  const { gate, summary, feedback } = data
  if (event === 'gate_failed') return [`${String(gate)}: ${String(summary)}`]
  return event === 'escalation_answered' ? [`answered for you: “${String(feedback)}”`] : []
}

/** Answers an open escalation from the script; false where there is none. */
async function answered(daemon: Daemon, { inbox }: PlanAnswer): Promise<boolean> {
  const item = inbox.find(({ kind, blocking }) => kind === 'escalation' && blocking)
  const answer = STAND_IN.answers.get(item?.task ?? '')
  if (item === undefined || answer === undefined) return false
  await daemon.post(`/api/inbox/${idSegment(item.id)}/answer`, { ...answer, by: STAND_IN.by })
  return true
}

function block(report: PlanAnswer, { terminal }: Call, startedAt: number): readonly string[] {
  const now = Date.now()
  const last = `  ${formatDuration(now - startedAt)}; Ctrl-C stops the demo`
  return [...planLines(report, terminal, now), terminal.style.dim(last)]
}

/** With `--json` only the final document is printed. */
const SILENT: Follower = {
  show: () => Promise.resolve('written'),
  refresh: () => Promise.resolve(),
  end: () => Promise.resolve(),
}
