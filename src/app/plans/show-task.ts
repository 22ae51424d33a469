/** One task in full: contract, attempts, gates, decisions and record. */
import { rendered } from '../../core/events/activity.ts'
import type { PlanEvent } from '../../core/events/plan-events.ts'
import { statusOf } from '../../core/state/life.ts'
import type { TaskSpec } from '../../core/planning/plan.ts'
import { taskRecord } from '../../core/decide/records.ts'
import type { Usage } from '../../core/event-schemas/schemas.ts'
import { latest, NOTHING_SPENT, spentAtEnd, spentOf, usedBy, type Spent } from '../../core/state/spending.ts'
import { usageRecord } from '../../core/state/usage-record.ts'
import type { PlanState, TaskState } from '../../core/state/state.ts'
import { readOn } from '../../engine/plan-log.ts'
import { type Refusal, refusal } from '../../lib/refusal.ts'
import type { Entry } from '../../ports/event-log.ts'
import { confirmationOf, criteriaResults } from '../../core/review/criteria-results.ts'
import { gateRow } from '../inbox/review-item.ts'
import { singleEntries } from '../inbox/inbox.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import { nearest } from '../host/stream-name.ts'
import { iso } from '../../lib/text/format-time.ts'

export interface TaskName {
  readonly id: string
  /** Its plan; if not given, the one that has such a task. */
  readonly plan?: string | undefined
  /** The id of the caller's repository, to decide between plans. */
  readonly repository?: string | undefined
}

/** Throws a refusal where there is none, or more than one. */
export async function findTask(
  host: HostToRead,
  name: TaskName,
): Promise<{ readonly plan: HostedPlan; readonly task: TaskState }> {
  const plan = await planOf(host, name)
  const task = taskIn(plan.state, name.id)
  if (task === undefined) throw noSuchTask(name)
  return { plan, task }
}

export async function showTask(host: HostToRead, name: TaskName) {
  const { plan, task } = await findTask(host, name)
  // Read now, since the state moves on while the log is read.
  const shown = { ...shownOf(plan, task), item: itemAbout(host, plan, task) }
  const { version } = plan.state
  const entries = await readOn(host.parts.log, plan.home.stream, 0)
  const own = entries.filter(({ event }) => 'task' in event && event.task === shown.id)
  const gated_attempt = shown.gates.length === 0 ? null : gatedAttempt(own, version)
  return { ...shown, gated_attempt, attempts: attemptsIn(own), history: historyIn(own) }
}

/** The attempt whose work the gates last ran on; during a rework it is an earlier one than the current. */
function gatedAttempt(entries: readonly Entry<PlanEvent>[], version: number): number | null {
  const last = entries.findLast((entry) => entry.version <= version && entry.event.type === 'task.gated')
  return last?.event.type === 'task.gated' ? last.event.attempt : null
}

function shownOf(plan: HostedPlan, task: TaskState) {
  const { spec } = task
  const record = taskRecord(plan.state, task)
  const thinking = task.thinking?.spent
  const decisions = record.decision_log.map(({ at, text }) => ({ at: iso(at), text }))
  return {
    plan: plan.id,
    repo: plan.home.repository.path,
    id: spec.id,
    title: spec.title,
    status: statusOf(task.step),
    stage: task.step,
    since: iso(task.stepSince),
    tier: task.tier,
    attempt: task.attempt,
    contract: contractOf(spec),
    blocked_by: statusOf(task.step) === 'completed' ? [] : unmetOf(plan.state, spec),
    usage: usageRecord(usedBy(task)),
    thinking: thinking === undefined || thinking.tokens === 0 ? null : usageRecord(thinking),
    criteria: criteriaResults({
      spec,
      verdicts: task.verdicts ?? [],
      confirmation: confirmationOf(task, task.attempt),
    }).map(({ criterion, word, place, by, why }) => ({ criterion, word, place, by, why })),
    gates: (task.verdicts ?? []).map((verdict) => gateRow(verdict, plan.world.evidenceFolder)),
    reviews: [...task.pastReviews, ...(task.review === null ? [] : [task.review])].map((review) => ({
      round: review.round,
      by: review.by,
      verdict: review.verdict,
      summary: review.summary,
      issues: review.issues.map(({ howToFix, ...issue }) => ({ ...issue, how_to_fix: howToFix })),
    })),
    decisions,
    record: { ...record, decision_log: decisions },
  }
}

const unmetOf = ({ tasks }: PlanState, { dependsOn }: TaskSpec) =>
  dependsOn
    .map((id) => ({ id, title: tasks.get(id)?.spec.title ?? id, step: tasks.get(id)?.step }))
    .filter(({ step }) => step !== 'completed')
    .map(({ id, title }) => ({ id, title }))

/** The open item that keeps it from going on, else any other about it. */
function itemAbout(host: HostToRead, plan: HostedPlan, { spec }: TaskState): string | null {
  const about = singleEntries(host, plan).filter(({ task }) => task === spec.id)
  return (about.find(({ blocking }) => blocking) ?? about[0])?.id ?? null
}

/** As in the plan. Held-out checks are only counted, since a worker may read this. */
function contractOf(spec: TaskSpec) {
  return {
    description: spec.description,
    acceptance_criteria: spec.acceptanceCriteria,
    files: spec.files,
    non_goals: spec.nonGoals,
    depends_on: spec.dependsOn,
    ownership: spec.ownership,
    layer: spec.layer,
    tests_to_add: spec.testsToAdd,
    tests_to_run: spec.testsToRun,
    held_out: spec.heldOut.length,
    gates: spec.gates,
    interfaces: spec.interfaces,
    breaking_change: spec.breakingChange,
    security_flags: spec.securityFlags,
    tier_reasons: spec.tierReasons,
    time_budget_ms: spec.timeBudgetMs,
    inferred: spec.inferred,
    requirements: spec.requirements ?? [],
    story: spec.story ?? null,
    role: spec.role ?? null,
    red_on_base: spec.redOnBase ?? null,
  }
}

interface Attempt {
  readonly worker: string
  readonly attempt: number
  readonly role: string
  readonly sent: string
  readonly why: string
  agent: string | null
  ended: string | null
  end: string | null
  model: string | null
  spent: Spent | null
  turns: readonly Usage[]
}

/** Every launch for the task in order, reviewers too. */
function attemptsIn(entries: readonly Entry<PlanEvent>[]) {
  const attempts = new Map<string, Attempt>()
  for (const { at, event } of entries) {
    if (event.type === 'task.dispatched' || event.type === 'review.dispatched') {
      const { worker, attempt } = event
      const [role, why] =
        event.type === 'task.dispatched'
          ? [event.role, event.why]
          : ['reviewer', `review round ${event.round}`]
      attempts.set(worker, { worker, attempt, role, sent: iso(at), why, ...UNKNOWN })
    }
    if (event.type !== 'worker.started' && event.type !== 'worker.used' && event.type !== 'worker.ended')
      continue
    const attempt = attempts.get(event.worker)
    if (attempt === undefined) continue
    const { spent } = attempt
    if (event.type === 'worker.used') {
      attempt.spent = latest(spent ?? NOTHING_SPENT, event)
      continue
    }
    attempt.agent = event.agent ?? attempt.agent
    if (event.type === 'worker.started') continue
    attempt.ended = iso(at)
    attempt.end = event.end.kind
    attempt.model = event.usage?.model ?? null
    attempt.turns = event.usage?.turns ?? []
    const used = spentAtEnd(event)
    if (spent !== null || used.tokens > 0 || used.usd > 0)
      attempt.spent = latest(spent ?? NOTHING_SPENT, used)
  }
  return [...attempts.values()].map(({ spent, turns, ...attempt }) => ({
    ...attempt,
    usage: spent === null ? null : usageRecord(spent),
    turns: turns.map((turn) => usageRecord(spentOf(turn))),
  }))
}

const UNKNOWN = { agent: null, ended: null, end: null, model: null, spent: null, turns: [] } as const

function historyIn(entries: readonly Entry<PlanEvent>[]) {
  return entries.flatMap((entry) => {
    const { text } = rendered(entry)
    return text === null ? [] : [{ timestamp: iso(entry.at), text }]
  })
}

/** The plan of the task. Throws a refusal if the id is ambiguous. */
async function planOf(host: HostToRead, { id, plan: named, repository }: TaskName): Promise<HostedPlan> {
  if (named !== undefined) return host.find(named, repository)
  const having = host.plans().filter(({ state }) => taskIn(state, id) !== undefined)
  const near = nearest(having, repository)
  const [plan, other] = near
  if (plan === undefined) throw noSuchTask({ id })
  if (other === undefined) return plan
  const names = near.map((one) => `${one.id}/${id}`)
  throw refusal(
    'conflict',
    `${names.length} plans have a task ${id}: ${names.join(', ')}`,
    `Add the plan: bosun task show ${names[0] ?? `PLAN/${id}`}`,
  )
}

/** By its id as the plan writes it, or as names of files and branches do. */
function taskIn(state: PlanState, id: string): TaskState | undefined {
  return state.tasks.get(id) ?? state.tasks.get(id.replace(/^task-/, ''))
}

const noSuchTask = ({ id, plan }: TaskName): Refusal =>
  refusal(
    'not_found',
    `no task ${id}${plan === undefined ? '' : ` in plan ${plan}`}`,
    'List the tasks: bosun status --all',
  )
