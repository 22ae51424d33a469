/**
 * A plan's state: the fold of its events (events/fold.ts), and nothing else. It holds its ready set, slots
 * and areas, so that no event has to walk all tasks. Only the fold changes it, in place: other code must not
 * keep parts of it across an await.
 */
import type { Counters } from './budgets.ts'
import type { DecisionLog } from './decision-log.ts'
import type { Approved, Draft, Help, Review, TaskThinking, TestReport, Refusal } from './draft.ts'
import type { DoneBefore } from './earlier-work.ts'
import type { Audit, CheckChoice } from '../event-schemas/baseline.ts'
import type { Cause, GateName, InboxItem, Role, Verdict } from '../event-schemas/schemas.ts'
import type { StopCause } from '../event-schemas/stop-causes.ts'
import type { Diagnosis } from '../events/integration.ts'
import type { EventOf } from '../events/plan-events.ts'
import type { PlanSettings } from '../event-schemas/plan-settings.ts'
import type {
  RememberedPermission,
  Request,
  RequestAnswer,
  SpecialistAnswer,
} from '../event-schemas/requests.ts'
import type { Health, Message } from '../event-schemas/watch.ts'
import type { ProvidersState } from './providers-state.ts'
import type { Costs, Limit, Spent, Thinking } from './spending.ts'
import type { ReleaseState, TakenOn } from './release-state.ts'
import type { Status, Step } from './life.ts'
import { openQuestions, type PlanAnswer } from '../planning/task-schema.ts'
import type { IntegrationTest, TaskSpec, Tier } from '../planning/plan.ts'
import type { Area } from './area.ts'
import type { AreaLocks } from '../scheduling/area-locks.ts'
import type { Dependents } from '../scheduling/dependents.ts'
import type { Candidate, ReadySet } from '../scheduling/ready-set.ts'
import type { TaskIndex } from './task-index.ts'
import type { AgentSession } from './agent-session.ts'

export type { Approved, Draft, Help, Review } from './draft.ts'

/** Milliseconds since the Unix epoch. */
export type Instant = number

export interface LiveWorker {
  readonly worker: string
  readonly role: Role
  readonly attempt: number
  /** Null until it is known. */
  readonly agent: string | null
  /** What it was asked to use; absent: the agent's own. */
  readonly model?: string
  readonly step: 'launching' | 'working' | 'stopping'
  /** When it was dispatched, then when it started; moved by clock jumps. */
  readonly since: Instant
  readonly stopCause: StopCause | null
  /** Why it is stopped, for people. */
  readonly stopWhy: string | null
  /** Its usage so far. */
  readonly used: Spent
  readonly watch: Watch
}

/** The watch's record of one worker. */
export interface Watch {
  readonly health: Health
  /** The number of messages to it so far. */
  readonly messages: number
  /** Messages that are not delivered yet. */
  readonly waiting: readonly Message[]
  /** The numbers of those that are delivered into its session and not answered yet. */
  readonly unread: readonly number[]
  /** When a message was last sent, by its subject; moved by clock jumps. */
  readonly sentAt: Readonly<Record<string, Instant>>
  /** When it was last escalated. */
  readonly escalatedAt: Instant | null
  /** When a person last gave it time, or answered a request it waited for: silence counts from there. */
  readonly armedAt: Instant | null
  /** Time granted on top of its limit, and how much of it its supervisor has applied. */
  readonly extraMs: number
  readonly extendedMs: number
  /** Why it waits at a person's word; null while it works. `since` is moved by clock jumps. */
  readonly pause: { readonly since: Instant; readonly by: string; readonly why: string } | null
  /** How long it was paused before, all in all. */
  readonly heldMs: number
  /** Whether its supervisor holds the clock of its time limit. */
  readonly isClockHeld: boolean
  /** All its requests, including answered ones. */
  readonly requests: readonly AskedRequest[]
}

export interface AskedRequest extends Request {
  /** When it was received; moved by clock jumps. */
  readonly at: Instant
  /** A person's reply, until it becomes the answer. */
  readonly reply: { readonly choice: string; readonly feedback: string; readonly by: string } | null
  /** Null while it is open. */
  readonly answer: RequestAnswer | null
  /** What came of asking a specialist; null where none was asked, or is still asked. */
  readonly specialist: SpecialistAnswer | null
}

export const UNWATCHED: Watch = Object.freeze({
  health: 'healthy',
  messages: 0,
  waiting: [],
  sentAt: {},
  unread: [],
  escalatedAt: null,
  armedAt: null,
  extraMs: 0,
  extendedMs: 0,
  pause: null,
  heldMs: 0,
  isClockHeld: false,
  requests: [],
})

/** A failing gate or review that a person overrode. */
export interface Override extends TakenOn {
  readonly what: string
  /** The tree it applies to; null where there was none. */
  readonly tree: string | null
  /** What it covers on any base: these failures of this change. Absent where they are not named, as in older logs. */
  readonly covers?: { readonly patch: string; readonly attempt: number; readonly failures: readonly string[] }
}

export interface Commit {
  readonly sha: string
  readonly tree: string
  readonly branch: string
  readonly artifacts: readonly string[]
}

/** An earlier commit of a task that was run again, and its review. */
export interface Superseded extends Commit {
  readonly review: Review | null
}

/** Why a task counts as proven: gate verdicts and overrides. */
export interface Verdicted {
  readonly verdicts: readonly Verdict[]
  readonly overrides: readonly Override[]
}

export interface TaskState extends Candidate {
  readonly place: Area
  /** Its dependencies change where one of them is split. */
  spec: TaskSpec
  tier: Tier
  step: Step
  /** Its place in the landing queue, lowest first; null while it is not queued. */
  turn: number | null
  /** Its worker failed, and its slot is kept for the next one. */
  keepsSlot: boolean
  attempt: number
  live: LiveWorker | null
  counters: Counters
  /** Why the next move has to be decided, or why a person was asked. */
  cause: Cause | null
  /** Set when a person or an edit of the plan sent it back to the queue. */
  requeued: 'revise' | 'retry' | 'again' | null
  /** A person's feedback for the next attempt. */
  feedback: string | null
  /** Questions that a person has settled: they are not asked again. */
  settledQuestions: readonly string[]
  /** What people decided about points that the plan leaves open. */
  planAnswers: readonly PlanAnswer[]
  /** Questions of its workers that a specialist answered. */
  help: readonly Help[]
  tests: TestReport | null
  /** The progress its last worker reported before it was stopped. */
  checkpoint: string | null
  /** The proposal after a rejection. */
  proposal: {
    readonly recommend: 'rescope' | 'split' | 'drop'
    readonly note: string
    /** The tasks it could be split into; empty where it cannot be split. */
    readonly parts: readonly TaskSpec[]
  } | null
  /** What the brain was asked about it; null where it was not asked. */
  thinking: TaskThinking | null
  /** The person who works in the place of its worker; null once the work that they handed back is collected. */
  takenOverBy: string | null
  /** The last words of its last worker that built, on one line; null where it left none. */
  lastWords: string | null
  /** The session of its last worker that built, and of its last reviewer: a later one may continue it. */
  session: AgentSession | null
  reviewSession: AgentSession | null
  draft: Draft | null
  verdicts: readonly Verdict[] | null
  /** The gates that failed last time: they run first, then all of them. */
  recheck: readonly GateName[] | null
  /** Null before its first, and after a person's answer. */
  refusal: Refusal | null
  /** The latest review. */
  review: Review | null
  /** Earlier reviews. */
  pastReviews: readonly Review[]
  /** The person who approved the work of an attempt after its review. */
  confirmedBy: { readonly by: string; readonly attempt: number; readonly diffOpened?: boolean } | null
  /** The approved change, which is not reviewed again while it stays the same. */
  approved: Approved | null
  reviewRound: number
  overrides: readonly Override[]
  decisions: DecisionLog | null
  commit: Commit | null
  /** Its commits from before an edit of the plan invalidated them. */
  earlier: readonly Superseded[]
  /** Its completion before an edit of the plan invalidated it. */
  doneBefore: DoneBefore | null
  /** The usage of its ended workers, and how much of it a person has excused. */
  spent: Spent
  forgiven: Spent
  /** How often in a row the same change was submitted after it was rejected. */
  repeats: number
  /** The baseline's audit of it; null for tasks that are not in the plan's text. */
  audit: Audit | null
  dispatchedAt: Instant | null
  durationMs: number | null
  /** When its step was entered; moved by clock jumps. */
  stepSince: Instant
  dropped: boolean
  /** The tasks that replaced it, where a person split it. */
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

/** No question is asked twice while the first is open. */
export const askedAbout = (item: Pick<InboxItem, 'subject' | 'about'>): string =>
  `${item.subject} ${item.about ?? ''}`

export interface HumanDecision {
  readonly at: Instant
  readonly item: string
  readonly task: string | null
  readonly choice: string
  readonly feedback: string
  readonly by: string
  /** Of an approval of critical work, where it is known. */
  readonly diffOpened?: boolean
}

/** A layer with integration tests. */
export interface LayerState {
  readonly tests: readonly IntegrationTest[]
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

export interface PlanState extends ProvidersState {
  readonly repo: string
  readonly plan: EventOf<'plan.registered'>['plan']
  readonly settings: PlanSettings
  readonly registeredAt: Instant
  readonly tasks: TaskIndex<TaskState>
  readonly integration: readonly IntegrationTest[]
  /** Nothing starts before a person has agreed; null where nobody has to. */
  proposal: { readonly estimate: string } | null
  baseline: Omit<EventOf<'plan.baselined'>, 'type' | 'v' | 'audits'> | null
  /** How many baselines were taken before: a person may have it retaken. */
  baselineRounds: number
  /** People's choices for checks that could not run or failed at the baseline. */
  checkChoices: readonly CheckChoice[]
  currentSha: string | null
  paused: { readonly by: string; readonly reason: string; readonly stopWorkers: boolean } | null
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
  /** Tasks with open points, which they wait for as for a dependency. In plan order. */
  readonly unsettled: Set<TaskState>
  readonly active: Set<TaskState>
  /** Tasks that hold a slot: in progress and not waiting for a person. */
  readonly holding: Set<TaskState>
  /** Of those, the ones whose tier may not run beside others. */
  serialHolding: number
  waitingForReview: number
  /** Live workers, including reviewers: each has a slot. */
  manned: number
  /** Tasks that keep the slot of an ended worker for the next one. */
  keptSlots: number
  /** Places in the landing queue assigned so far. */
  turns: number
  /** The number of landed tasks, and the proven tree of the last. */
  landings: number
  landedTree: string | null
  /** Proofs on top of passed work that failed. */
  failedProofs: number
  /** Tasks whose tier has to be raised because of a dependency, with its id. */
  readonly reclassify: Map<TaskState, string>
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
  /** Rejected by a person, and not yet re-scoped or dropped. */
  readonly rejected: Set<string>
  completedSinceLow: number

  readonly inbox: Map<string, OpenItem>
  /** The subjects of open items, see `askedAbout`. */
  readonly asked: Set<string>
  /** Escalated tasks whose last answer could not be applied: the question is asked again. */
  readonly reask: Set<TaskState>
  itemsOpened: number
  readonly humanDecisions: HumanDecision[]
  permissions: readonly RememberedPermission[]
  readonly risks: Map<string, Risk>
  readonly checkpointTags: string[]
  readonly layers: Map<string, LayerState>
  release: ReleaseState
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

/** Records the dependencies of new tasks, or of the tasks of a loaded plan. */
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
    if (openQuestions(task).length === 0) continue
    state.unsettled.add(task)
    state.dependents.wait(task)
  }
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
