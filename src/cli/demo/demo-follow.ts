/** Follows the demo's plan: prints events with notes, and answers questions for the person. */
import { setTimeout } from 'node:timers/promises'
import { chaptersBegunBy, STAND_IN } from '../../app/demo/story.ts'
import type { Daemon } from '../../client/daemon.ts'
import type { EventMessage, PlanAnswer } from '../../protocol/answers.ts'
import type { Call } from '../command.ts'
import { formatDuration } from '../../lib/text/format-time.ts'
import { followerFor, type Follower } from '../follow.ts'
import { planLines } from '../plan/run-plan.ts'

export interface Following {
  readonly daemon: Daemon
  readonly begun: PlanAnswer
  readonly until: AbortSignal
  /** Null where no person watches, so that the script answers at once. */
  readonly patience: Patience | null
}

/** How long the person has to answer before the script does. */
export interface Patience {
  readonly ms: number
  /** In all, where a browser has opened the page by then. */
  readonly atPageMs: number
}

/** The plan once nothing moves any more; null when interrupted. */
export async function followDemo(
  call: Call,
  { daemon, begun, until, patience }: Following,
): Promise<PlanAnswer | null> {
  let report = begun
  const startedAt = Date.now()
  // With `--json` only the final document is printed.
  const shownBelow = () => block(report, call, startedAt)
  const follower = followerFor(call, { command: null, block: shownBelow, isOnePlan: true })
  const shown = new Set<string>()
  const script = scriptFor(daemon, patience)
  const { id = '' } = begun.plans[0] ?? {}
  const fresh = () => daemon.get('/api/plans/{id}', { id })
  try {
    const query = { after: begun.seq, plan: id, notices: follower.notices }
    for await (const message of daemon.events(query, until)) {
      if ((await printEvent(follower, message, shown)) === 'unwanted') return null
      if (message.version === null) continue
      if (message.version > report.version) report = await fresh()
      if (await script.answered(report)) report = await fresh()
      await follower.refresh()
      const isOver = report.outcome !== 'moving' && !script.isWaiting(report)
      if (isOver && message.version >= report.version) return report
    }
  } finally {
    script.stop()
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
  const { gate, summary, feedback, by } = data
  if (event === 'gate_failed') return [`${String(gate)}: ${String(summary)}`]
  return event === 'escalation_answered' && by === STAND_IN.by
    ? [`answered for you: “${String(feedback)}”`]
    : []
}

/** Answers open escalations in the person's place, at once or when the person has had time to. */
function scriptFor(daemon: Daemon, patience: Patience | null) {
  const waiting = new Set<string>()
  const stopped = new AbortController()
  return {
    /** True where it has answered. */
    async answered({ inbox }: PlanAnswer): Promise<boolean> {
      const item = inbox.find(({ kind, blocking }) => kind === 'escalation' && blocking)
      const answer = STAND_IN.answers.get(item?.task ?? '')
      if (item === undefined || answer === undefined || waiting.has(item.id)) return false
      const send = () =>
        daemon.post('/api/inbox/{id}/answer', { ...answer, by: STAND_IN.by }, { id: item.id })
      if (patience === null) {
        await send()
        return true
      }
      waiting.add(item.id)
      // The person may have answered in the same moment, which is as good; after a stop nothing is answered.
      void timeToAnswer(daemon, patience, stopped.signal)
        .then(send)
        .catch(() => undefined)
      return false
    },
    /** The person still has time to answer. */
    isWaiting: ({ inbox }: PlanAnswer): boolean => inbox.some(({ id }) => waiting.has(id)),
    stop: (): void => stopped.abort(),
  }
}

/** Resolves when the person's time is over; rejects when it is stopped. */
async function timeToAnswer(daemon: Daemon, { ms, atPageMs }: Patience, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal })
  if (await isPageOpen(daemon)) await setTimeout(atPageMs - ms, undefined, { signal })
}

/** Whether a browser has opened the link; where that cannot be found out, the demo must go on. */
const isPageOpen = (daemon: Daemon): Promise<boolean> =>
  daemon.get('/api/settings').then(
    ({ sessions }) => sessions.count > 0,
    () => false,
  )

function block(report: PlanAnswer, { terminal }: Call, startedAt: number): readonly string[] {
  const now = Date.now()
  const last = `  ${formatDuration(now - startedAt)}; Ctrl-C stops the demo`
  return [...planLines(report, terminal, now), terminal.style.dim(last)]
}
