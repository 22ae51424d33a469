/**
 * A plan's state: the fold of its events (events/fold.ts), and nothing else. Only the fold changes it, in place: other code must
 * not keep parts of it across an await. Beside what the events say it holds indexes of its tasks, so that no event has to walk
 * all of them.
 */
import type { Via } from '../event-schemas/origin.ts'
import type { CheckChoice } from '../event-schemas/baseline.ts'
import type { PlanSettings } from '../event-schemas/plan-settings.ts'
import type { RememberedPermission } from '../event-schemas/requests.ts'
import type { InboxItem } from '../event-schemas/schemas.ts'
import type { Diagnosis } from '../events/integration.ts'
import type { EventOf } from '../events/plan-events.ts'
import type { IntegrationTest, Tier } from '../planning/plan.ts'
import type { AreaLocks } from '../scheduling/area-locks.ts'
import type { Dependents } from '../scheduling/dependents.ts'
import type { ReadySet } from '../scheduling/ready-set.ts'
import type { Status } from './life.ts'
import type { ProvidersState } from './providers-state.ts'
import type { ReleaseState } from './release-state.ts'
import type { Costs, Limit, Spent, Thinking } from './spending.ts'
import type { TaskIndex } from './task-index.ts'
import type { TaskState } from './task-state.ts'

export type { Approved, Draft, Help, Review } from './draft.ts'
export type { AskedRequest, LiveWorker, Watch } from './live-worker.ts'
export type { Commit, Override, TaskState } from './task-state.ts'

/** Milliseconds since the Unix epoch. */
export type Instant = number

export interface PlanState extends TaskIndexes, LandingState, InboxState, ProvidersState {
  readonly repo: string
  readonly plan: EventOf<'plan.registered'>['plan']
  readonly settings: PlanSettings
  readonly registeredAt: Instant
  readonly tasks: TaskIndex<TaskState>
  readonly integration: readonly IntegrationTest[]
  /** Nothing starts before a person has agreed; null where no person has to. */
  proposal: { readonly estimate: string } | null
  baseline: Omit<EventOf<'plan.baselined'>, 'type' | 'v' | 'audits'> | null
  /** How many baselines were taken before: a person may have it retaken. */
  baselineRounds: number
  /** People's choices for checks that could not run or failed at the baseline. */
  checkChoices: readonly CheckChoice[]
  paused: { readonly by: string; readonly reason: string; readonly stopWorkers: boolean } | null
  /** Why the plan has to be paused; null where it has not, or is. */
  pauseDue: string | null
  cancelled: { readonly by: string; readonly reason: string } | null

  /** Tasks whose tier has to be raised because of a dependency, with its id. */
  readonly reclassify: Map<TaskState, string>
  /** Completions of higher tiers since the last low task was dispatched. */
  completedSinceLow: number
  readonly spending: {
    /** Of all workers, including running ones, and of thinking. */
    total: Spent
    costs: Costs
    /** The plan's spending limit; only people raise it. */
    limit: Limit
    readonly taskLimit: Limit
  }
  /** What the brain was asked, where a model is configured. */
  thinking: Thinking
  readonly risks: Map<string, Risk>
  /** By the name of the layer: those with integration tests. */
  readonly layers: Map<string, LayerState>
  release: ReleaseState
  /** Effects that fail, by their keys. */
  readonly trouble: Map<string, Trouble>
  readonly progress: { completedSince: number; lastAt: Instant; due: string | null }

  /** Wall time minus monotonic time, as last seen; null before the first start. */
  clock: { readonly boot: string; readonly offsetMs: number } | null
  /** The version of the event with the plan's current text. */
  documentedAt: number
  /** Version and time of the last event. */
  version: number
  at: Instant
}

/** Derived from the tasks (see indexes.ts): a snapshot leaves them out. */
export interface TaskIndexes {
  readonly counts: Record<Status, number>
  /** Tasks that still have to be completed, by tier. */
  readonly left: Record<Tier, number>
  /** Escalated, or failed and not dropped. */
  readonly blocked: Set<TaskState>
  readonly ready: ReadySet<TaskState>
  readonly locks: AreaLocks
  readonly dependents: Dependents<TaskState>
  /** Tasks with open points, which they wait for as for a dependency. In plan order. */
  readonly unsettled: Set<TaskState>
  /** Tasks in progress. */
  readonly active: Set<TaskState>
  /** Of those, the ones that hold a slot: they do not wait for a person. */
  readonly holding: Set<TaskState>
  /** Of those, the number whose tier may not run beside others. */
  serialHolding: number
  waitingForReview: number
  /** Live workers, including reviewers: each has a slot. */
  manned: number
  /** Tasks that keep the slot of an ended worker for the next one. */
  keptSlots: number
}

/** How far work has landed, see landing-queue.ts. */
export interface LandingState {
  /** The tip of the plan's branch. */
  currentSha: string | null
  /** Places in the landing queue assigned so far. */
  turns: number
  /** The number of landed tasks, and the proven tree of the last. */
  landings: number
  landedTree: string | null
  /** Proofs on top of passed work that failed. */
  failedProofs: number
  readonly checkpointTags: string[]
}

/** What people are asked, and what they decided. */
export interface InboxState {
  /** Open items, by their ids. */
  readonly inbox: Map<string, OpenItem>
  /** The subjects of open items, see `askedAbout`. */
  readonly asked: Set<string>
  /** Escalated tasks whose last answer could not be applied: the question is asked again. */
  readonly reask: Set<TaskState>
  /** Tasks that a person rejected, and that are not yet re-scoped or dropped. */
  readonly rejected: Set<string>
  itemsOpened: number
  readonly humanDecisions: HumanDecision[]
  permissions: readonly RememberedPermission[]
}

export interface OpenItem {
  readonly item: InboxItem
  readonly since: Instant
}

/** No question is asked twice while the first is open. */
export const askedAbout = (item: Pick<InboxItem, 'subject' | 'about'>): string =>
  `${item.subject} ${item.about ?? ''}`

interface HumanDecision {
  readonly at: Instant
  readonly item: string
  readonly task: string | null
  readonly choice: string
  readonly feedback: string
  readonly by: string
  /** Of an approval of critical work, where it is known. */
  readonly diffOpened?: boolean
  readonly via?: Via
  readonly process?: { readonly pid: number; readonly program: string }
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

/** A layer with integration tests. */
export interface LayerState {
  readonly tests: readonly IntegrationTest[]
  /** Its tasks that are neither completed nor dropped. */
  left: number
  status: 'open' | 'due' | 'failed' | 'passed'
  /** Runs so far, and how many led to a diagnosis. */
  runs: number
  diagnoses: number
  /** Consecutive inconclusive runs. */
  inconclusive: number
  results: EventOf<'integration.ran'>['results']
  /** The tree of the last results. */
  tree: string
  /** The commits that broke them; null until diagnosed. */
  diagnosis: readonly Diagnosis[] | null
}

export interface Trouble {
  readonly failures: number
  readonly reason: string
  readonly notBefore: Instant
  /** Escalated at once: a retry alone does not help. */
  readonly needsPerson: boolean
}

/** Tiers that may run in parallel; tasks of other tiers run alone. */
export const runsBeside = (settings: PlanSettings, tier: Tier): boolean =>
  tier !== 'critical' && settings.parallelTiers.includes(tier)

/** When more tiers than `low` run in parallel, the longest chain goes first. */
export const isWidened = (settings: PlanSettings): boolean =>
  settings.parallelTiers.some((tier) => tier !== 'low')

/** Whether no task was committed: all were found to exist, or were dropped. */
export const hasBuiltNothing = (state: PlanState): boolean => {
  for (const { commit, earlier } of state.tasks.values())
    if (commit !== null || earlier.length > 0) return false
  return true
}

/** Tasks that are neither completed nor dropped. */
export const unfinished = (state: PlanState): number =>
  state.left.critical + state.left.normal + state.left.low
