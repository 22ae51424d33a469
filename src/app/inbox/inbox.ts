/** The inbox items of all plans, and lookup of one by its id. */
import { whyNotOpen } from '../../core/answers/answer-rules.ts'
import type { OpenItem } from '../../core/state/state.ts'
import { equalItems } from '../../core/watch/requests/permissions.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { InboxEntry } from '../../protocol/answers.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import { answerConflict, type YourAnswer } from './answer-conflict.ts'
import { groupedEntry, inboxEntry } from './inbox-entry.ts'

/**
 * Blocking items first, then the oldest; equal permissions of a plan are one entry. An id that two plans use is prefixed with
 * the plan.
 */
export function inboxOf(
  host: HostToRead,
  plans: readonly HostedPlan[] = host.plans(),
): readonly InboxEntry[] {
  const entryOf = entriesIn(host)
  const shown = new Set<OpenItem>()
  return inOrder(plans).flatMap(({ plan, open }) => {
    if (shown.has(open)) return []
    const others = equalItems(plan.state, open).filter((one) => one !== open)
    for (const one of others) shown.add(one)
    return [
      groupedEntry(
        entryOf(plan, open),
        others.map((one) => entryOf(plan, one)),
      ),
    ]
  })
}

/** Every open item of a plan as an entry of its own. */
export function singleEntries(host: HostToRead, plan: HostedPlan): readonly InboxEntry[] {
  const entryOf = entriesIn(host)
  return inOrder([plan]).map(({ open }) => entryOf(plan, open))
}

const inOrder = (plans: readonly HostedPlan[]) =>
  plans
    .flatMap((plan) => [...openItems(plan).values()].map((open) => ({ plan, open })))
    .sort(
      ({ open: a }, { open: b }) => Number(b.item.blocking) - Number(a.item.blocking) || a.since - b.since,
    )

function entriesIn(host: HostToRead): (plan: HostedPlan, open: OpenItem) => InboxEntry {
  const clashing = clashingIds(host)
  return (plan, open) => {
    const { id } = open.item
    return inboxEntry(plan, open, clashing.has(id) ? longId(host, plan, id) : id)
  }
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

export interface AskedFor {
  /** Decides between plans whose items have the same id. */
  readonly repository?: string | undefined
  /** The plan that the item was shown of: no other is meant, nor one of another repository. */
  readonly plan?: string | undefined
  /** What is answered, for the refusal of an item that was answered before. */
  readonly yours?: YourAnswer
}

/** The plan of an open item. */
export function findItem(
  host: HostToRead,
  given: string,
  { repository, plan: shownOf, yours = {} }: AskedFor = {},
): FoundItem {
  const parts = given.split(':')
  const id = (parts.at(-1) ?? '').toUpperCase()
  const named = parts.slice(0, -1).join(':')
  const isShown = (plan: HostedPlan): boolean =>
    shownOf === undefined ||
    (plan.id === shownOf && (repository === undefined || plan.home.repository.id === repository))
  const matches = (plan: HostedPlan): boolean =>
    isShown(plan) && (named === '' || named === plan.id || named === `${plan.home.repository.id}:${plan.id}`)
  const candidates = host.plans().filter(matches)
  const open = candidates.filter((plan) => openItems(plan).has(id))
  const near = open.filter((plan) => plan.home.repository.id === repository)
  const [plan, other] = near.length > 0 ? near : open
  if (plan === undefined) throw notOpen(candidates, { given, id, yours })
  if (other === undefined) return { plan, id }
  const ids = open.map((one) => longId(host, one, id)).join(', ')
  throw new Refusal({
    code: 'conflict',
    message: `${given} is ambiguous: ${ids}`,
    remedy: 'Use one of these ids.',
  })
}

function notOpen(
  plans: readonly HostedPlan[],
  { given, id, yours }: { readonly given: string; readonly id: string; readonly yours: YourAnswer },
): Refusal {
  const asked = plans.find(({ state }) => state.humanDecisions.some(({ item }) => item === id))
  return asked === undefined ? noOpenItem(given) : answerConflict(whyNotOpen(asked.state, id, given), yours)
}

export const noOpenItem = (id: string): Refusal =>
  new Refusal({
    code: 'not_found',
    message: `no open item ${id}`,
    remedy: 'List the open items: bosun inbox',
  })
