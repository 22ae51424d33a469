/** The inbox items of all plans as every door shows them, and lookup of one by its id. */
import { whyNotOpen, earlierFeedback, needsFeedback, needsReason } from '../../core/answers/answer-rules.ts'
import type { OpenItem } from '../../core/state/state.ts'
import { equalItems, permissionAskedIn, scopesOf } from '../../core/watch/requests/permissions.ts'
import { Refusal, refusal } from '../../lib/refusal.ts'
import type { InboxEntry } from '../../protocol/answers.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import { itemNamed, nearest } from '../host/stream-name.ts'
import { blockedTasks, itemEvidence } from '../../core/delivery/inbox/item-evidence.ts'
import { consequenceOf } from '../../core/delivery/inbox/consequences.ts'
import type { InboxItem } from '../../core/event-schemas/schemas.ts'
import type { AnswerRefusal } from '../../core/answers/person-answer.ts'
import type { ConflictDetails } from '../../protocol/error-answer.ts'
import { iso } from '../../lib/text/format-time.ts'

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
  const { item: id, mayBeIn } = itemNamed(given)
  const isShown = (plan: HostedPlan): boolean =>
    shownOf === undefined ||
    (plan.id === shownOf && (repository === undefined || plan.home.repository.id === repository))
  const candidates = host.plans().filter((plan) => isShown(plan) && mayBeIn(plan))
  const open = candidates.filter((plan) => openItems(plan).has(id))
  const [plan, other] = nearest(open, repository)
  if (plan === undefined) throw notOpen(candidates, { given, id, yours })
  if (other === undefined) return { plan, id }
  const ids = open.map((one) => longId(host, one, id)).join(', ')
  throw refusal('conflict', `${given} is ambiguous: ${ids}`, 'Use one of these ids.')
}

function notOpen(
  plans: readonly HostedPlan[],
  { given, id, yours }: { readonly given: string; readonly id: string; readonly yours: YourAnswer },
): Refusal {
  const asked = plans.find(({ state }) => state.humanDecisions.some(({ item }) => item === id))
  return asked === undefined ? noOpenItem(given) : answerConflict(whyNotOpen(asked.state, id, given), yours)
}

export const noOpenItem = (id: string): Refusal =>
  refusal('not_found', `no open item ${id}`, 'List the open items: bosun inbox')

/** `id` is what a person calls it. */
function inboxEntry(plan: HostedPlan, { item, since }: OpenItem, id: string): InboxEntry {
  const { state } = plan
  const { kind, task, problem, impact, options, recommended, blocking } = item
  const keys = options.map(({ key }) => key)
  const earlier = earlierFeedback(state, item)
  return {
    id,
    kind,
    plan: plan.id,
    task,
    task_title: state.tasks.get(task ?? '')?.spec.title ?? null,
    problem,
    impact,
    options: options.map(({ key, label }) => ({ key, label, consequence: consequenceOf(state, item, key) })),
    recommended,
    blocking,
    since: iso(since),
    repo: plan.home.repository.path,
    blocks: blockedTasks(state, item),
    evidence: itemEvidence(state, item, [...equalLines(plan, item), ...claimLines(plan, item)]),
    group: [],
    scopes: scopesOf(state, item),
    reason_needed: keys.filter((key) => needsReason(item, key)),
    feedback_needed: keys.filter((key) => needsFeedback(item, key, earlier)),
  }
}

/** What an answer for a task or the plan would reach. */
function equalLines({ state }: HostedPlan, item: InboxItem): readonly string[] {
  const equalBy = permissionAskedIn(state, item)?.equalBy
  return equalBy === undefined ? [] : [`for the task or the plan, your answer covers: ${equalBy}`]
}

/** Equal permissions of one plan as one entry: the oldest, with what all of them block. */
function groupedEntry(first: InboxEntry, others: readonly InboxEntry[]): InboxEntry {
  if (others.length === 0) return first
  const all = [first, ...others]
  const asked = others.map(({ id, problem }) => `${id}: ${problem}`).slice(0, MOST_OTHERS)
  return {
    ...first,
    group: all.map(({ id }) => id),
    blocks: [...new Set(all.flatMap(({ blocks }) => blocks))],
    evidence: [...first.evidence, ...asked],
  }
}

const MOST_OTHERS = 10

/** What the worker that an item is about last reported of itself. */
function claimLines(plan: HostedPlan, { subject, task }: InboxItem): readonly string[] {
  if (subject !== 'worker' && subject !== 'request') return []
  const worker = plan.state.tasks.get(task ?? '')?.live?.worker
  const claim = worker === undefined ? null : plan.claimOf(worker)
  if (claim === null) return []
  const { percent, step, nextStep, issues } = claim
  const steps = [step, nextStep === null ? '' : `next: ${nextStep}`].filter((text) => text !== '')
  return [
    `its last check-in: ${[`${percent} %`, ...steps].join('; ')}`,
    ...issues.map((issue) => `it reports: ${issue}`),
  ]
}

/** The refusal of an answer that another person's answer came before: it shows both. */
interface YourAnswer {
  readonly choice?: string
  readonly feedback?: string
  readonly by?: string
}

export function answerConflict({ why, remedy, theirs }: AnswerRefusal, yours: YourAnswer): Refusal {
  const refused = { code: 'conflict', message: why, remedy } as const
  if (theirs === undefined) return new Refusal(refused)
  const details = { theirs: { ...theirs, at: iso(theirs.at) }, yours }
  return new Refusal({ ...refused, details: details satisfies ConflictDetails })
}
