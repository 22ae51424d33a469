/** An open inbox item as every door shows it. */
import { earlierFeedback, needsFeedback, needsReason } from '../../core/answers/answer-rules.ts'
import { blockedTasks } from '../../core/delivery/inbox/blocked-tasks.ts'
import { consequenceOf } from '../../core/delivery/inbox/consequences.ts'
import { itemEvidence } from '../../core/delivery/inbox/item-evidence.ts'
import type { InboxItem } from '../../core/event-schemas/schemas.ts'
import type { OpenItem } from '../../core/state/state.ts'
import { permissionAskedIn, scopesOf } from '../../core/watch/requests/permissions.ts'
import type { InboxEntry } from '../../protocol/answers.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'

/** `id` is what a person calls it. */
export function inboxEntry(plan: HostedPlan, { item, since }: OpenItem, id: string): InboxEntry {
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
    since: new Date(since).toISOString(),
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
export function groupedEntry(first: InboxEntry, others: readonly InboxEntry[]): InboxEntry {
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
