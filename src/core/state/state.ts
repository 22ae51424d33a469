/**
 * A plan's state: the fold of its events (fold.ts), and nothing that is not in them. It carries its
 * ready set, its slots and its areas, so that no event costs a walk over all tasks. Only the fold
 * changes it, in place: whoever else reads it must not keep parts of it across an await.
 */
import type { Counters } from './budgets.ts'
import type { DecisionLog } from './decision-log.ts'
import type { Approved, Draft, Review } from './draft.ts'
import type { DoneBefore } from './earlier-work.ts'
import type { Audit, Branches, CheckChoice, StartFacts } from '../event-schemas/baseline.ts'
import type { Cause, GateName, InboxItem, Role, StopCause, Verdict } from '../event-schemas/schemas.ts'
import type { Diagnosis } from '../events/integration.ts'
import type { EventOf } from '../events/plan-events.ts'
import type { PlanSettings } from '../event-schemas/plan-settings.ts'
import type { Request, RequestAnswer } from '../event-schemas/requests.ts'
import type { Health, Message } from '../event-schemas/watch.ts'
import type { ProvidersState } from './providers-state.ts'
import type { Costs, Limit, Spent } from './spending.ts'
import type { ReleaseState } from './release-state.ts'
import type { Status, Step } from './life.ts'
import type { IntegrationTest, TaskSpec, Tier } from '../planning/plan.ts'
import type { Area } from './area.ts'
import type { AreaLocks } from '../scheduling/area-locks.ts'
import type { Dependents } from '../scheduling/dependents.ts'
import type { Candidate, ReadySet } from '../scheduling/ready-set.ts'
import type { TaskIndex } from './task-index.ts'

export type { Approved, Draft, Review } from './draft.ts'
export type { ReleaseState } from './release-state.ts'

/** Milliseconds since the Unix epoch. */
export type Instant = number

export interface LiveWorker {
  readonly worker: string
  readonly role: Role
  readonly attempt: number
  /** Which agent it is; null until that is known. */
  readonly agent: string | null
  readonly step: 'launching' | 'working' | 'stopping'
  /** When it was dispatched, then when it started; moved by clock jumps. */
  readonly since: Instant
  readonly stopCause: StopCause | null
  /** Why it is stopped, in words. */
  readonly stopWhy: string | null
  /** What it has used so far. */
  readonly used: Spent
  readonly watch: Watch
}

/** What the watch has said and done about one worker. */
export interface Watch {
  readonly health: Health
  /** Messages to it so far. */
  readonly messages: number
  /** Those it has not heard yet. */
  readonly waiting: readonly Message[]
  /** When it was last told what, by what that was about; moved by clock jumps. */
  readonly told: Readonly<Record<string, Instant>>
  /** When a person was last told of it. */
  readonly escalatedAt: Instant | null
  /** When a person last gave it time, or it got an answer it waited for: its clock runs from there. */
  readonly armedAt: Instant | null
  /** Time it was given on top of its limit, and how much of it whoever ends it in time knows of. */
  readonly extraMs: number
  readonly extendedMs: number
  /** All it ever asked for, the answered ones as well. */
  readonly requests: readonly AskedRequest[]
}

export interface AskedRequest extends Request {
  /** When it was asked; moved by clock jumps. */
  readonly at: Instant
  /** What a person said to it, until that is made its answer. */
  readonly said: { readonly choice: string; readonly feedback: string; readonly by: string } | null
  /** Null while it is open. */
  readonly answer: RequestAnswer | null
}

export const UNWATCHED: Watch = Object.freeze({
  health: 'healthy',
  messages: 0,
  waiting: [],
  told: {},
  escalatedAt: null,
  armedAt: null,
  extraMs: 0,
  extendedMs: 0,
  requests: [],
})

/** A failing gate or review that a person waved through. */
export interface Override {
  readonly what: string
  /** What it was about: other work is judged anew. Null where there was none. */
  readonly tree: string | null
  readonly by: string
  readonly at: Instant
  readonly reason: string
}

export interface Commit {
  readonly sha: string
  readonly tree: string
  readonly branch: string
  readonly artifacts: readonly string[]
}

/** A commit of a task that was done again, and the review it landed with. */
export interface Superseded extends Commit {
  readonly review: Review | null
}

/** Why a task counts as proven: what the gates said, and what a person waved through. */
export interface Verdicted {
  readonly verdicts: readonly Verdict[]
  readonly overrides: readonly Override[]
}

export interface TaskState extends Candidate {
  readonly place: Area
  /** What it needs changes where a task it needs is split. */
  spec: TaskSpec
  tier: Tier
  step: Step
  /** Its place in the landing queue, the lowest first; null while it is not in it. */
  turn: number | null
  /** Its worker has ended in vain, and its slot is kept for the next one. */
  keepsSlot: boolean
  attempt: number
  live: LiveWorker | null
  counters: Counters
  /** Why the next move has to be decided, or why a person was asked. */
  cause: Cause | null
  /** Set while a person, or an edit of the plan, sent it back to the queue. */
  requeued: 'revise' | 'retry' | 'again' | null
  /** What a person said for the next attempt. */
  feedback: string | null
  /** Questions of its workers that a person has settled: they are not asked again. */
  settledQuestions: readonly string[]
  /** How far its last worker had come when it was stopped, in that worker's words. */
  checkpoint: string | null
  /** What planning proposes for it after a rejection. */
  proposal: {
    readonly recommend: 'rescope' | 'split' | 'drop'
    readonly note: string
    /** What it could be split into; empty where it cannot. */
    readonly parts: readonly TaskSpec[]
  } | null
  draft: Draft | null
  verdicts: readonly Verdict[] | null
  /** The gates that failed last time: run first, then all once more. */
  recheck: readonly GateName[] | null
  /** The last one. */
  review: Review | null
  /** Those before it. */
  pastReviews: readonly Review[]
  /** The person who approved the work of an attempt after its review. */
  confirmedBy: { readonly by: string; readonly attempt: number } | null
  /** What need not be reviewed again, if it is still the same. */
  approved: Approved | null
  reviewRound: number
  overrides: readonly Override[]
  decisions: DecisionLog | null
  commit: Commit | null
  /** What was committed for it before an edit of the plan made it invalid. */
  earlier: readonly Superseded[]
  /** How it was completed before an edit of the plan made it invalid. */
  doneBefore: DoneBefore | null
  /** What its workers used that have ended, and how much of that a person has let pass. */
  spent: Spent
  forgiven: Spent
  /** How often in a row the same change was handed in after it was turned down. */
  repeats: number
  /** What the first look found of it; null for what nobody planned. */
  audit: Audit | null
  dispatchedAt: Instant | null
  durationMs: number | null
  /** When its step was entered; moved by clock jumps. */
  stepSince: Instant
  dropped: boolean
  /** The tasks that took its place, where a person had it split. */
  splitInto: readonly string[] | null
}

export interface Risk {
  readonly id: string
  readonly description: string
  readonly severity: Tier
  readonly sourceTask: string
  readonly status: 'open' | 'mitigated' | 'accepted'
  readonly acceptedBy: string | null
  readonly acceptedAt: Instant | null
  readonly reason: string | null
}

export interface OpenItem {
  readonly item: InboxItem
  readonly since: Instant
}

/** Nothing is asked twice while the first question is open. */
export const askedAbout = (item: Pick<InboxItem, 'subject' | 'about'>): string =>
  `${item.subject} ${item.about ?? ''}`

export interface HumanDecision {
  readonly at: Instant
  readonly item: string
  readonly task: string | null
  readonly choice: string
  readonly feedback: string
  readonly by: string
}

/** A layer with integration tests. */
export interface LayerState {
  readonly tests: readonly IntegrationTest[]
  left: number
  status: 'open' | 'due' | 'failed' | 'passed'
  /** Runs so far, and how many of them were followed by a diagnosis. */
  runs: number
  diagnoses: number
  /** Runs in a row that could not decide. */
  inconclusive: number
  results: EventOf<'integration.ran'>['results']
  /** What the last results are about. */
  tree: string
  /** Which commits made them fail; null until that was looked at. */
  diagnosis: readonly Diagnosis[] | null
}

export interface Trouble {
  readonly failures: number
  readonly reason: string
  readonly notBefore: Instant
  /** Told to a person at once: waiting alone does not help. */
  readonly needsPerson: boolean
}

export interface PlanState extends ProvidersState {
  readonly repo: string
  readonly plan: EventOf<'plan.registered'>['plan']
  readonly settings: PlanSettings
  readonly registeredAt: Instant
  readonly tasks: TaskIndex<TaskState>
  readonly integration: readonly IntegrationTest[]
  baseline: {
    readonly sha: string
    readonly contextBlock: string
    readonly failing: readonly string[]
    readonly start: StartFacts | null
    readonly branches: Branches
  } | null
  /** How often the first look was taken before: a person may have it taken again. */
  baselineRounds: number
  /** What people chose for checks that could not run, or were red, before anybody worked. */
  checkChoices: readonly CheckChoice[]
  currentSha: string | null
  paused: { readonly by: string; readonly reason: string; readonly stopWorkers: boolean } | null
  /** A pause that a rule owes. */
  pauseDue: string | null
  cancelled: { readonly by: string; readonly reason: string } | null

  readonly counts: Record<Status, number>
  /** Tasks that still have to be completed, by tier. */
  readonly left: Record<Tier, number>
  /** Escalated, or failed and not dropped. */
  readonly blocked: Set<TaskState>
  readonly ready: ReadySet<TaskState>
  readonly locks: AreaLocks
  readonly dependents: Dependents<TaskState>
  /** Tasks in progress. */
  readonly active: Set<TaskState>
  /** Tasks that hold a slot: in progress and not waiting for a person. */
  readonly holding: Set<TaskState>
  /** Of those, the ones whose tier may not run beside others. */
  serialHolding: number
  waitingForReview: number
  /** Workers that live, reviewers as well: each has a slot. */
  manned: number
  /** Tasks that keep the slot of a worker that has ended: most need another one at once. */
  keptSlots: number
  /** Places in the landing queue that were given out so far. */
  turns: number
  /** How many tasks have landed, and the proven tree of the last. */
  landings: number
  landedTree: string | null
  /** Tasks whose tier has to follow that of the task they build on, by the id of that one. */
  readonly reclassify: Map<TaskState, string>
  readonly spending: {
    /** Of all workers, those that run included. */
    total: Spent
    costs: Costs
    /** What the plan as a whole may use; raised by people only. */
    limit: Limit
    readonly taskLimit: Limit
  }
  /** Rejected by a person, and not yet re-scoped or dropped. */
  readonly rejected: Set<string>
  completedSinceLow: number

  readonly inbox: Map<string, OpenItem>
  /** What the open items are about, see `askedAbout`. */
  readonly asked: Set<string>
  /** Open items that nobody has been shown yet. */
  readonly unpresented: Set<string>
  /** Escalated tasks whose last answer could not be followed: to be asked again. */
  readonly reask: Set<TaskState>
  itemsOpened: number
  readonly humanDecisions: HumanDecision[]
  readonly risks: Map<string, Risk>
  readonly checkpointTags: string[]
  readonly layers: Map<string, LayerState>
  release: ReleaseState
  readonly trouble: Map<string, Trouble>
  readonly progress: { completedSince: number; lastAt: Instant; due: string | null }
  /** Wall time minus monotonic time, as last seen; null before the first PM. */
  clock: { readonly boot: string; readonly offsetMs: number } | null
  /** The version of the event that holds the plan's text as it is now. */
  documentedAt: number
  /** The last event in this state: its version, its time. */
  version: number
  at: Instant
}

/** Takes in whom the tasks wait for, new ones or those of a plan that was begun. */
export function linkDependents(state: PlanState, tasks: readonly TaskState[]): void {
  for (const task of tasks.toSorted((a, b) => a.rank - b.rank)) state.dependents.add(task)
  for (const task of tasks) {
    for (const id of task.spec.dependsOn) {
      const needed = state.tasks.get(id)
      if (needed === undefined)
        throw new Error(`task ${task.spec.id} depends on ${id}, which is not in the plan`)
      state.dependents.link(needed, task)
      if (needed.step !== 'completed') state.dependents.wait(task)
    }
  }
}

/** Tiers that may run beside others; nothing else may run beside the rest. */
export const runsBeside = (settings: PlanSettings, tier: Tier): boolean =>
  tier !== 'critical' && settings.parallelTiers.includes(tier)

/** With more tiers side by side than the seed's low ones, the longest chain goes first. */
export const isWidened = (settings: PlanSettings): boolean =>
  settings.parallelTiers.some((tier) => tier !== 'low')

/** Whether nothing was committed for any task: all that is done was found to exist, or was dropped. */
export const hasBuiltNothing = (state: PlanState): boolean => {
  for (const { commit, earlier } of state.tasks.values())
    if (commit !== null || earlier.length > 0) return false
  return true
}

/** Tasks that still have to end: neither completed nor dropped by a person. */
export const unfinished = (state: PlanState): number =>
  state.left.critical + state.left.normal + state.left.low
