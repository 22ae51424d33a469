/** The inbox items of all plans, and lookup of one by its id. */
import { whyNotOpen } from '../../core/answers/answer-rules.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { InboxEntry } from '../../protocol/answers.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'

/** Blocking items first, then the oldest. An id that two plans use is prefixed with the plan. */
export function inboxOf(
  host: HostToRead,
  plans: readonly HostedPlan[] = host.plans(),
): readonly InboxEntry[] {
  const clashing = clashingIds(host)
  return plans
    .flatMap((plan) => [...openItems(plan).values()].map((open) => ({ plan, ...open })))
    .sort((a, b) => Number(b.item.blocking) - Number(a.item.blocking) || a.since - b.since)
    .map(({ plan, item, since }) => {
      const { kind, task, problem, impact, options, recommended, blocking } = item
      const id = clashing.has(item.id) ? longId(host, plan, item.id) : item.id
      const shown = { id, kind, plan: plan.id, task, problem, impact, options, recommended, blocking }
      return { ...shown, since: new Date(since).toISOString() }
    })
}

/** An ended plan has no open items. */
function openItems({ state }: HostedPlan): HostedPlan['state']['inbox'] {
  return state.cancelled === null ? state.inbox : new Map()
}

function clashingIds(host: HostToRead): ReadonlySet<string> {
  const seen = new Set<string>()
  const clashing = new Set<string>()
  for (const plan of host.plans()) {
    for (const id of openItems(plan).keys()) {
      if (seen.has(id)) clashing.add(id)
      seen.add(id)
    }
  }
  return clashing
}

/** `shop:E-1`, with the repository if two have a plan of that name. */
function longId(host: HostToRead, plan: HostedPlan, id: string): string {
  const isOnly = host.plans().filter((other) => other.id === plan.id).length === 1
  return isOnly ? `${plan.id}:${id}` : `${plan.home.repository.id}:${plan.id}:${id}`
}

export interface FoundItem {
  readonly plan: HostedPlan
  /** Its id within the plan. */
  readonly id: string
}

/** The plan of an item, open or not. `repository` decides if the id is ambiguous. */
export function findItem(host: HostToRead, given: string, repository?: string): FoundItem {
  const parts = given.split(':')
  const id = (parts.at(-1) ?? '').toUpperCase()
  const named = parts.slice(0, -1).join(':')
  const matches = (plan: HostedPlan): boolean =>
    named === '' || named === plan.id || named === `${plan.home.repository.id}:${plan.id}`
  const candidates = host.plans().filter(matches)
  const open = candidates.filter((plan) => openItems(plan).has(id))
  const near = open.filter((plan) => plan.home.repository.id === repository)
  const [plan, other] = near.length > 0 ? near : open
  if (plan === undefined) throw notOpen(candidates, given, id)
  if (other === undefined) return { plan, id }
  const ids = open.map((one) => longId(host, one, id)).join(', ')
  throw new Refusal({
    code: 'conflict',
    message: `${given} is ambiguous: ${ids}`,
    remedy: 'Use one of these ids.',
  })
}

function notOpen(plans: readonly HostedPlan[], given: string, id: string): Refusal {
  const asked = plans.find(({ state }) => state.humanDecisions.some(({ item }) => item === id))
  if (asked !== undefined) {
    const { why, remedy } = whyNotOpen(asked.state, id, given)
    return new Refusal({ code: 'conflict', message: why, remedy })
  }
  return noOpenItem(given)
}

export const noOpenItem = (id: string): Refusal =>
  new Refusal({
    code: 'not_found',
    message: `no open item ${id}`,
    remedy: 'List the open items: bosun inbox',
  })
