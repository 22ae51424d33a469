/** What the page shows on every screen, true at a place in the event stream. It holds no tasks: a plan may have very many. */
import { heldBackForReview, type HeldBack } from '../../core/decide/standing.ts'
import type { SnapshotAnswer } from '../../protocol/snapshot.ts'
import type { Host } from '../host/host.ts'
import { allPlanRows, allWorkerRows, inboxOfAll, pulseOf } from './plan-status.ts'

export async function snapshotOf(host: Host): Promise<Omit<SnapshotAnswer, 'daemon'>> {
  // First: what happens meanwhile is in the stream after it.
  const seq = await host.parts.log.head()
  const [repositories, interviews] = await Promise.all([
    host.parts.repositories.list(),
    host.listInterviews().catch((error: unknown) => String(error)),
  ])
  const unreadable = host.unloaded.all().map(({ stream, why }) => ({ plan: stream, why }))
  const isKnown = typeof interviews !== 'string'
  return {
    pulse: pulseOf(host),
    plans: allPlanRows(host),
    workers: allWorkerRows(host),
    inbox: inboxOfAll(host),
    interviews: isKnown ? interviews : [],
    repositories: repositories.map(({ path }) => path).toReversed(),
    held_back: heldBack(host),
    unreadable: isKnown ? unreadable : [...unreadable, { plan: 'interviews', why: interviews }],
    seq,
  }
}

/** Of several plans the sum, each named. */
function heldBack(host: Host): HeldBack | null {
  const held = host.plans().flatMap(({ id, state }) => {
    const one = heldBackForReview(state)
    return one === null ? [] : [{ id, ...one }]
  })
  const [first, ...others] = held
  if (first === undefined) return null
  if (others.length === 0) return { waiting: first.waiting, most: first.most, text: first.text }
  const sum = (of: 'waiting' | 'most'): number => held.reduce((total, one) => total + one[of], 0)
  return {
    waiting: sum('waiting'),
    most: sum('most'),
    text: held.map(({ id, text }) => `${id}: ${text}`).join('; '),
  }
}
