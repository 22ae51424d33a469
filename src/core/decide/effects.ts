/** What Bosun owes the world. Each effect has one performer in the engine, and may be performed twice. */
import type { EarlierWork } from '../state/earlier-work.ts'
import type { Audit, CheckChoice } from '../event-schemas/baseline.ts'
import type {
  Cause,
  GateName,
  InboxItem,
  Report,
  Role,
  StopCause,
  Verdict,
} from '../event-schemas/schemas.ts'
import type { IntegrationResult } from '../events/integration.ts'
import type { PlanEvent } from '../events/plan-events.ts'
import type { Message } from '../event-schemas/watch.ts'
import type { BranchAtTask } from '../planning/brief/brief.ts'
import type { IntegrationTest, TaskSpec, Tier } from '../planning/plan.ts'
import type { ReleaseManifest } from '../delivery/release/release-manifest.ts'
import type { Commit, Draft, Instant, Review, Verdicted } from '../state/state.ts'

/** What a person chose for checks that could not run, or were red, at the start commit. */
export interface ChecksAtStart {
  /** The tree of the start commit. */
  readonly tree: string
  readonly choices: readonly CheckChoice[]
}

interface Base {
  /** The same work has the same key, before a crash and after it. */
  readonly key: string
}

export interface TakeBaseline extends Base {
  readonly kind: 'take_baseline'
  readonly tasks: readonly TaskSpec[]
  /** How often it was taken before; what was kept of a run then is not taken for an answer. */
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
  readonly atStart?: ChecksAtStart
  /** What the worker has to know beyond its contract. */
  readonly context: {
    readonly block: string
    readonly feedback: string | null
    readonly cause: Cause | null
    /** How far the worker before it had come, in its own words. */
    readonly checkpoint: string | null
    /** Workers before it were lost, and nobody is sent after it: nothing beyond the contract. */
    readonly isLastTry: boolean
    /** Somebody was sent to fix it before, and it still does not pass. */
    readonly hasFailedFix: boolean
    /** What stands of the task since before an edit of the plan had it done again. */
    readonly earlierWork: EarlierWork | null
    /** What the gates found wrong with the draft. */
    readonly failed: readonly Verdict[]
    readonly draft: Draft | null
    /** What the first look found of the task, and the branches that touch its files. */
    readonly audit: Audit | null
    readonly branches: readonly BranchAtTask[]
    readonly dependencies: readonly { readonly task: string; readonly commit: Commit | null }[]
    /** Only of a reviewer: what it judges beside the draft itself. */
    readonly review?: {
      readonly round: number
      /** The tier it is reviewed as. */
      readonly tier: Tier
      readonly verdicts: readonly Verdict[]
      readonly earlier: readonly Review[]
    }
  }
}

export interface StopWorker extends Base {
  readonly kind: 'stop_worker'
  readonly worker: string
  readonly task: string
  readonly attempt: number
  readonly role: Role
  readonly cause: StopCause
}

/** Says something to a worker that runs, where its agent listens; else it waits for the next check-in. */
export interface TellWorker extends Base {
  readonly kind: 'tell_worker'
  readonly worker: string
  readonly task: string
  readonly attempt: number
  readonly message: Message
}

/** Lets a worker run for longer than whoever ends it in time knows. */
export interface ExtendWorker extends Base {
  readonly kind: 'extend_worker'
  readonly worker: string
  readonly task: string
  readonly attempt: number
  /** All that it was given on top of its limit. */
  readonly extraMs: number
  readonly limitMs: number
}

export interface CollectWork extends Base {
  readonly kind: 'collect_work'
  readonly worker: string
  readonly task: string
  readonly attempt: number
  /** The proven tree of what is to land before it; absent: what has landed. */
  readonly onto?: { readonly tree: string }
  /** The tasks whose work is in it and has not landed, and how many have. */
  readonly ahead: readonly string[]
  readonly landings: number
}

export interface RunGates extends Base {
  readonly kind: 'run_gates'
  readonly spec: TaskSpec
  /** As it is now: it may have been raised since the plan was written. */
  readonly tier: Tier
  readonly attempt: number
  readonly tree: string
  readonly scope: 'all' | 'failed'
  readonly gates: readonly GateName[]
  /** Tests that failed before anybody worked, by name. */
  readonly baselineFailing: readonly string[]
  /** What the worker says; its word is never evidence, but it says where to look. */
  readonly report: Report | null
  /** What stands of the task since before an edit of the plan had it done again. */
  readonly earlierWork: EarlierWork | null
  readonly atStart?: ChecksAtStart
}

export interface CommitTask extends Base {
  readonly kind: 'commit_task'
  readonly spec: TaskSpec
  readonly tier: Tier
  readonly attempt: number
  readonly draft: Draft
  readonly proof: Verdicted
  readonly review: Review | null
  /** Who confirmed what the rules mapped; null where nobody has. */
  readonly confirmation: string | null
  /** What reviewers said of it before. */
  readonly pastReviews?: readonly Review[]
  readonly tag: string | null
}

export interface Replan extends Base {
  readonly kind: 'replan'
  readonly spec: TaskSpec
  readonly feedback: string | null
}

export interface RunIntegration extends Base {
  readonly kind: 'run_integration'
  readonly layer: string
  readonly round: number
  readonly tests: readonly IntegrationTest[]
  readonly atStart?: ChecksAtStart
}

/** Finds out which commit made a layer's tests fail. */
export interface DiagnoseLayer extends Base {
  readonly kind: 'diagnose_layer'
  readonly layer: string
  readonly round: number
  /** Those that do not pass. */
  readonly tests: readonly IntegrationTest[]
  readonly atStart?: ChecksAtStart
  /** What they came to, and on which tree. */
  readonly results: readonly IntegrationResult[]
  readonly tree: string
  /** What the plan has committed, in no order. */
  readonly commits: readonly { readonly task: string; readonly sha: string }[]
}

export interface RunReleaseGate extends Base {
  readonly kind: 'run_release_gate'
  readonly round: number
  readonly baselineFailing: readonly string[]
  /** The commit the plan started from. */
  readonly since: string
  readonly atStart?: ChecksAtStart
}

export interface PrepareRelease extends Base {
  readonly kind: 'prepare_release'
  readonly tree: string
  readonly manifest: ReleaseManifest
  /** What goes beside it; null where nothing breaks. */
  readonly notes: string | null
}

export interface PresentItem extends Base {
  readonly kind: 'present_item'
  readonly item: InboxItem
  readonly since: Instant
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
  | CollectWork
  | RunGates
  | CommitTask
  | Replan
  | RunIntegration
  | DiagnoseLayer
  | RunReleaseGate
  | PrepareRelease
  | PresentItem
  | ReportProgress

export interface Owed {
  /** Facts to append before anything else is decided; null when there is nothing to decide now. */
  readonly decision: readonly PlanEvent[] | null
  readonly effects: readonly Effect[]
  /** When time alone could change the answer; null when it cannot. */
  readonly wakeAt: Instant | null
}
