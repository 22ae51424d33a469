/** What the plan's state holds of one task, and its state when it is added to the plan. */
import type { Via } from '../event-schemas/origin.ts'
import type { Audit } from '../event-schemas/baseline.ts'
import type { Cause, GateName, Verdict } from '../event-schemas/schemas.ts'
import type { TaskSpec, Tier } from '../planning/plan.ts'
import type { PlanAnswer } from '../planning/task-schema.ts'
import type { Candidate } from '../scheduling/ready-set.ts'
import type { AgentSession } from './agent-session.ts'
import type { Area } from '../scheduling/area-locks.ts'
import { NO_COUNTS, type Counters } from './budgets.ts'
import type { DecisionLog } from './decision-log.ts'
import type { Approved, Draft, Help, Refusal, Review, TaskThinking, TestReport } from './draft.ts'
import type { DoneBefore } from './earlier-work.ts'
import type { Step } from './life.ts'
import type { LiveWorker } from './live-worker.ts'
import type { Acceptance } from './release-state.ts'
import { NOTHING_SPENT, type Spent } from './spending.ts'
import type { Instant } from './state.ts'

export interface TaskState extends Candidate {
  // Its contract, and where it stands in the plan.
  /** Its dependencies change where one of them is split. */
  spec: TaskSpec
  tier: Tier
  readonly place: Area
  /** See life.ts. */
  step: Step
  /** When its step was entered; moved by clock jumps. */
  stepSince: Instant
  dropped: boolean
  /** The tasks that replaced it, where a person split it. */
  splitInto: readonly string[] | null
  /** The baseline's audit of it; null for tasks that are not in the plan's text. */
  audit: Audit | null

  // Its attempts: one worker at a time builds it or reviews it.
  attempt: number
  live: LiveWorker | null
  /** Its worker failed, and its slot is kept for the next one. */
  keepsSlot: boolean
  counters: Counters
  /** Why the next move has to be decided, or why a person was asked. */
  cause: Cause | null
  /** How often in a row the same change was submitted after it was rejected. */
  repeats: number
  dispatchedAt: Instant | null
  durationMs: number | null
  /** The usage of its ended workers, and how much of it a person has excused. */
  spent: Spent
  forgiven: Spent

  // What its workers left for the next one.
  /** The session of its last worker that built, and of its last reviewer: a later one may continue it. */
  session: AgentSession | null
  reviewSession: AgentSession | null
  /** The progress its last worker reported before it was stopped. */
  checkpoint: string | null
  /** The last words of its last worker that built, on one line; null where it left none. */
  lastWords: string | null
  tests: TestReport | null
  /** Questions of its workers that a specialist answered. */
  help: readonly Help[]
  /** What the brain was asked about it; null where it was not asked. */
  thinking: TaskThinking | null

  // Its work, from the draft to the commit.
  draft: Draft | null
  /** Its place in the landing queue, lowest first; null while it is not queued. */
  turn: number | null
  verdicts: readonly Verdict[] | null
  /** The gates that failed last time: they run first, then all of them. */
  recheck: readonly GateName[] | null
  /** Null before its first, and after a person's answer. */
  refusal: Refusal | null
  reviewRound: number
  /** The latest review. */
  review: Review | null
  /** Earlier reviews. */
  pastReviews: readonly Review[]
  /** The approved change, which is not reviewed again while it stays the same. */
  approved: Approved | null
  commit: Commit | null
  /** Its commits from before an edit of the plan invalidated them, each with its review. */
  earlier: readonly (Commit & { readonly review: Review | null })[]
  /** Its completion before an edit of the plan invalidated it. */
  doneBefore: DoneBefore | null

  // What people decided about it.
  /** Set when a person or an edit of the plan sent it back to the queue. */
  requeued: 'revise' | 'retry' | 'again' | null
  /** A person's feedback for the next attempt. */
  feedback: string | null
  /** Questions that a person has settled: they are not asked again. */
  settledQuestions: readonly string[]
  /** What people decided about points that the plan leaves open. */
  planAnswers: readonly PlanAnswer[]
  /** The person who works in the place of its worker; null once the work that they handed back is collected. */
  takenOverBy: string | null
  /** The person who approved the work of an attempt after its review. */
  confirmedBy: { readonly by: string; readonly attempt: number; readonly diffOpened?: boolean } | null
  overrides: readonly Override[]
  /** How a person may continue after the rejection of its work. */
  proposal: {
    readonly recommend: 'rescope' | 'split' | 'drop'
    readonly note: string
    /** The tasks it could be split into; empty where it cannot be split. */
    readonly parts: readonly TaskSpec[]
  } | null
  /** Every decision about it, for people. */
  decisions: DecisionLog | null
}

/** A failing gate or review that a person overrode. */
export interface Override extends Acceptance {
  readonly what: string
  /** How the person's word came; absent in older logs. */
  readonly via?: Via
  /** The tree it applies to; null where there was none. */
  readonly tree: string | null
  /** What it covers on any base: these failures of this change. Absent where the gate does not name them. */
  readonly covers?: { readonly patch: string; readonly attempt: number; readonly failures: readonly string[] }
}

export interface Commit {
  readonly sha: string
  readonly tree: string
  readonly branch: string
  readonly artifacts: readonly string[]
}

const NONE: readonly never[] = Object.freeze([])

export function newTask(
  spec: TaskSpec,
  {
    rank,
    chain,
    at,
    area,
  }: { readonly rank: number; readonly chain: number; readonly at: Instant; readonly area: Area },
): TaskState {
  // The fields that scheduling reads come first, so that they share cache lines.
  return {
    tier: spec.tier,
    step: 'pending',
    spec,
    isQueued: false,
    place: area,
    rank,
    chain,
    stepSince: at,
    turn: null,
    keepsSlot: false,
    attempt: 0,
    live: null,
    counters: NO_COUNTS,
    dispatchedAt: null,
    requeued: null,
    decisions: null,
    dropped: false,
    splitInto: null,
    draft: null,
    commit: null,
    earlier: NONE,
    doneBefore: null,
    spent: NOTHING_SPENT,
    forgiven: NOTHING_SPENT,
    repeats: 0,
    cause: null,
    feedback: null,
    settledQuestions: NONE,
    planAnswers: NONE,
    help: NONE,
    tests: null,
    checkpoint: null,
    area: spec.ownership,
    takenOverBy: null,
    lastWords: null,
    session: null,
    reviewSession: null,
    proposal: null,
    thinking: null,
    verdicts: null,
    recheck: null,
    refusal: null,
    review: null,
    pastReviews: NONE,
    approved: null,
    confirmedBy: null,
    reviewRound: 0,
    overrides: NONE,
    audit: null,
    durationMs: null,
  }
}
