/** The effects that are owed. Each has one performer in the engine, and may be performed twice. */
import type { WorkerChoice } from '../choice/choose-agent.ts'
import type { AgentSession } from '../state/agent-session.ts'
import type { EarlierWork } from '../state/earlier-work.ts'
import type { WorkerBudget } from '../state/spending.ts'
import type { Audit, CheckChoice } from '../event-schemas/baseline.ts'
import type { Cause, GateName, Report, Role, Verdict } from '../event-schemas/schemas.ts'
import type { StopCause } from '../event-schemas/stop-causes.ts'
import type { IntegrationResult } from '../events/integration.ts'
import type { PlanEvent } from '../events/plan-events.ts'
import type { RequestKind } from '../event-schemas/requests.ts'
import type { Message } from '../event-schemas/watch.ts'
import type { PlanAnswer } from '../planning/task-schema.ts'
import type { BranchAtTask } from '../planning/brief/brief.ts'
import type { IntegrationTest, TaskSpec, Tier } from '../planning/plan.ts'
import type { FinishedDependency } from '../review/dependency-outputs.ts'
import type { LetThrough } from '../gates/no-orphan-todo.ts'
import type { ReleaseManifest } from '../delivery/release/manifest-schema.ts'
import type { Draft, Help, Instant, Override, Review } from '../state/state.ts'
import type { UnusableAgent } from '../watch/providers/parking.ts'

/** A person's choices for checks that could not run or failed at the start commit. */
export interface ChecksAtStart {
  /** The tree of the start commit. */
  readonly tree: string
  readonly choices: readonly CheckChoice[]
  /** The command that names its tests, where the detected one does not. */
  readonly test?: string
}

interface Base {
  /** The same effect has the same key before and after a crash. */
  readonly key: string
}

interface OfWorker extends Base {
  readonly worker: string
  readonly task: string
  readonly attempt: number
}

export interface TakeBaseline extends Base {
  readonly kind: 'take_baseline'
  readonly tasks: readonly TaskSpec[]
  /** How many baselines were taken before; their cached runs are not reused. */
  readonly round?: number
  readonly choices?: readonly CheckChoice[]
}

export interface StartWorker extends Base {
  readonly kind: 'start_worker'
  readonly worker: string
  readonly attempt: number
  readonly role: Role
  readonly spec: TaskSpec
  readonly tier: Tier
  readonly timeLimitMs: number
  /** What it may use; absent where nothing limits it. */
  readonly budget?: WorkerBudget | undefined
  /** How its agent, model and effort are chosen. */
  readonly choice?: WorkerChoice & {
    /** Agents that cannot work now, and why. */
    readonly unusable: readonly UnusableAgent[]
    /** Agents that run as plain commands because the Agent Client Protocol failed with them. */
    readonly byCommand: readonly string[]
  }
  readonly atStart?: ChecksAtStart
  /** The session of an earlier worker, which this one continues if it has the same agent. */
  readonly session?: AgentSession | undefined
  /** What the worker needs beyond its contract. */
  readonly context: {
    readonly block: string
    readonly feedback: string | null
    readonly cause: Cause | null
    /** The progress that the previous worker reported. */
    readonly checkpoint: string | null
    /** Tests that the previous worker reported as failing. */
    readonly failingTests?: readonly string[]
    /** The end of what the previous worker wrote. */
    readonly lastWords?: string | null
    /** The last attempt after lost workers: only the minimum of the contract. */
    readonly isLastTry: boolean
    /** An earlier fix attempt did not pass. */
    readonly hasFailedFix: boolean
    /** Work that landed before an edit of the plan made the task run again. */
    readonly earlierWork: EarlierWork | null
    /** The gate failures of the draft. */
    readonly failed: readonly Verdict[]
    /** The brain's advice after the last attempt. It changes nothing in the contract. */
    readonly advice?: string | undefined
    readonly draft: Draft | null
    /** The baseline's audit of the task, and the branches that touch its files. */
    readonly audit: Audit | null
    readonly branches: readonly BranchAtTask[]
    /** What people decided about points that the plan leaves open; absent where there are none. */
    readonly decisions?: readonly PlanAnswer[]
    /** Only for a specialist: what it is asked. */
    readonly question?: Question
    readonly dependencies: readonly FinishedDependency[]
    /** Only for a reviewer: what it needs beside the draft itself. */
    readonly review?: {
      readonly round: number
      /** The tier it is reviewed as. */
      readonly tier: Tier
      readonly verdicts: readonly Verdict[]
      readonly earlier: readonly Review[]
    }
  }
}

export interface StopWorker extends OfWorker {
  readonly kind: 'stop_worker'
  readonly role: Role
  readonly cause: StopCause
}

/** Sends a message into a running session, if the agent supports it; else it waits for the next check-in. */
export interface TellWorker extends OfWorker {
  readonly kind: 'tell_worker'
  readonly message: Message
}

/** Extends the time limit that the worker's supervisor enforces. */
export interface ExtendWorker extends OfWorker {
  readonly kind: 'extend_worker'
  /** The sum of all extensions. */
  readonly extraMs: number
  readonly limitMs: number
}

/** Has the worker's supervisor hold the clock of its time limit, or let it run again. */
export interface HoldWorker extends OfWorker {
  readonly kind: 'hold_worker'
  readonly isHeld: boolean
}

/** A worker's question, which a specialist is to answer. */
export interface Question {
  /** The worker that asks, whose work the specialist sees. */
  readonly asker: string
  /** Its agent, where known: another one may know more. */
  readonly agent: string | null
  readonly kind: RequestKind
  readonly text: string
  /** The role it names; null where it names none. */
  readonly to: Role | null
}

/** Asks a specialist, once for each request. */
export interface AskSpecialist extends OfWorker {
  readonly kind: 'ask_specialist'
  /** The id of the request. */
  readonly request: string
  readonly specialist: string
  readonly question: Question
  readonly spec: TaskSpec
  readonly tier: Tier
  readonly timeLimitMs: number
}

export interface CollectWork extends OfWorker {
  readonly kind: 'collect_work'
  /** The proven tree of the task that lands before it; absent: the landed tree. */
  readonly onto?: { readonly tree: string }
  /** The tasks in that tree that have not landed, and how many have. */
  readonly ahead: readonly string[]
  readonly landings: number
}

export interface RunGates extends Base {
  readonly kind: 'run_gates'
  readonly spec: TaskSpec
  /** The current tier, which may have been raised since the plan was written. */
  readonly tier: Tier
  readonly attempt: number
  readonly tree: string
  readonly scope: 'all' | 'failed'
  readonly gates: readonly GateName[]
  /** Tests that failed at the baseline, by name. */
  readonly baselineFailing: readonly string[]
  /** The worker's report. It is not evidence, but shows where to look. */
  readonly report: Report | null
  /** Work that landed before an edit of the plan made the task run again. */
  readonly earlierWork: EarlierWork | null
  /** What a task that repairs the release is held to: all that the plan has changed. Null for any other. */
  readonly whole: WholeChange | null
  readonly atStart?: ChecksAtStart
}

export interface CommitTask extends Base {
  readonly kind: 'commit_task'
  readonly spec: TaskSpec
  readonly tier: Tier
  readonly attempt: number
  readonly draft: Draft
  /** Why the work counts as proven. */
  readonly proof: { readonly verdicts: readonly Verdict[]; readonly overrides: readonly Override[] }
  readonly review: Review | null
  /** Who confirmed the rules' mapping; null if unconfirmed. */
  readonly confirmation: string | null
  /** Who approved critical work, and whether with the diff open; absent where that is not known. */
  readonly approval?: { readonly by: string; readonly diffOpened: boolean }
  /** Earlier reviews. */
  readonly pastReviews?: readonly Review[]
  /** What people decided about points that the plan leaves open. */
  readonly decisions?: readonly PlanAnswer[]
  /** Questions that a specialist answered. */
  readonly help?: readonly Help[]
  readonly tag: string | null
}

export interface Replan extends Base {
  readonly kind: 'replan'
  readonly spec: TaskSpec
  readonly feedback: string | null
  /** What the plan has spent on thinking. */
  readonly spentUsd?: number
}

/** Asks the brain what to do after a failed attempt. Only where a model is configured, and never while a worker runs. */
export interface AssessFailure extends Base {
  readonly kind: 'assess_failure'
  readonly spec: TaskSpec
  readonly attempt: number
  readonly cause: Cause
  /** The gate failures of the draft. */
  readonly failed: readonly Verdict[]
  /** How many more attempts the rules allow, with the one that is due. */
  readonly attemptsLeft: number
  readonly spentUsd: number
}

/** Has the brain read low work against its contract. Only where a model is configured; else the rules review it. */
export interface ReviewArtifact extends Base {
  readonly kind: 'review_artifact'
  readonly spec: TaskSpec
  readonly attempt: number
  readonly round: number
  readonly tree: string
  readonly changed: readonly string[]
  /** What code has checked of it, in words. */
  readonly checked: string
  readonly explanation: string | null
  readonly passMinor: boolean
  readonly spentUsd: number
}

export interface RunIntegration extends Base {
  readonly kind: 'run_integration'
  readonly layer: string
  readonly round: number
  readonly tests: readonly IntegrationTest[]
  readonly atStart?: ChecksAtStart
}

/** Finds the commit that broke a layer's tests. */
export interface DiagnoseLayer extends Base {
  readonly kind: 'diagnose_layer'
  readonly layer: string
  readonly round: number
  /** The failing tests. */
  readonly tests: readonly IntegrationTest[]
  readonly atStart?: ChecksAtStart
  /** Their results, and the tree. */
  readonly results: readonly IntegrationResult[]
  readonly tree: string
  /** The plan's commits, in no order. */
  readonly commits: readonly { readonly task: string; readonly sha: string }[]
}

export interface RunReleaseGate extends Base {
  readonly kind: 'run_release_gate'
  readonly round: number
  readonly baselineFailing: readonly string[]
  readonly whole: WholeChange
  readonly atStart?: ChecksAtStart
}

export interface WholeChange {
  /** The commit the plan started from. */
  readonly since: string
  /** What people have let through in a task is not held against the release. */
  readonly letThrough: readonly LetThrough[]
}

export interface PrepareRelease extends Base {
  readonly kind: 'prepare_release'
  readonly tree: string
  readonly manifest: ReleaseManifest
  /** The migration guide beside it; null where nothing breaks. */
  readonly notes: string | null
}

export interface ReportProgress extends Base {
  readonly kind: 'report_progress'
  readonly why: string
  readonly text: string
}

export type Effect =
  | TakeBaseline
  | StartWorker
  | StopWorker
  | TellWorker
  | ExtendWorker
  | HoldWorker
  | AskSpecialist
  | CollectWork
  | RunGates
  | CommitTask
  | Replan
  | AssessFailure
  | ReviewArtifact
  | RunIntegration
  | DiagnoseLayer
  | RunReleaseGate
  | PrepareRelease
  | ReportProgress

export interface Owed {
  /** Events to append before anything else is decided; null when there is nothing to decide. */
  readonly decision: readonly PlanEvent[] | null
  readonly effects: readonly Effect[]
  /** When time alone could change the answer; null when it cannot. */
  readonly wakeAt: Instant | null
}
