/** What interviews need of the world. */
import type { BegunWith } from '../../core/interview/events/schemas.ts'
import type { InterviewSession, SpecMetadata } from '../../core/interview/machine.ts'
import type { ArchitectRequest } from '../../core/spec/architect-messages.ts'
import type { ProjectContext } from '../../core/intake/project-context.ts'
import type { BootstrapFacts, ToolCall, TurnInput } from '../../core/interview/turn.ts'
import type { Fault } from '../../lib/refusal.ts'
import type { Brain, BrainServices, ThinkCall } from '../../ports/brain.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Repositories, Repository } from '../../ports/repositories.ts'
import type { Question } from '../../core/thinking/question.ts'
import type { UnderstoodRequest } from '../../protocol/intake.ts'
import type {
  PmAbandonRequest,
  PmActionRequest,
  PmChatRequest,
  PmStartRequest,
  PmUploadRequest,
  PreviewAnswer,
} from '../../protocol/interview.ts'
import type { InterviewLog } from './interview-log.ts'

export interface InterviewParts {
  readonly log: InterviewLog
  readonly clock: Pick<Clock, 'now' | 'wake'>
  readonly repositories: Pick<Repositories, 'find' | 'list' | 'register'>
  /** How the brain of a repository answers: by its settings as they are now. */
  readonly thinking: (repository: Repository) => Promise<Thinking>
  readonly turn: Question<TurnInput, ToolCall>
  readonly checkSpec: (markdown: string) => CheckedSpec
  /** Refuses a folder from which no plan can start: one without git, or without a commit. */
  readonly requireCommit: (folder: string) => Promise<void>
  /** Refuses a repository where no agent could work on a plan. */
  readonly requireAgent: (repository: Repository) => Promise<void>
  /**
   * What the project lacks, how long to wait for the user, and what the files show. They are read when an interview starts or
   * goes on; null waits for ever. `contextOf` rejects
   * with ServiceUnavailable in an outage, and once the signal is aborted.
   */
  readonly bootstrapOf: (repository: Repository) => Promise<BootstrapFacts>
  readonly awaitUserMsOf: (repository: Repository) => Promise<number | null>
  readonly contextOf: (
    repository: Repository,
    call: Pick<ThinkCall, 'about' | 'signal'>,
  ) => Promise<ProjectContext>
  /** The files of its newest commit by their paths, and the texts of those that are texts; none where there is no commit. */
  readonly committedIn: (repository: Repository) => Promise<{
    readonly files: readonly string[]
    readonly texts: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>
  }>
  /** The architect's review; it may be asked twice for one request. Rejects with ServiceUnavailable in an outage. */
  readonly review: (asked: ReviewAsked) => Promise<Reviewed>
  /** What a spec would change in the plan that was made from it, and what is in the way; neither for a new plan. */
  readonly changesOf?: (
    repository: Repository,
    markdown: string,
  ) => Promise<Pick<PreviewAnswer, 'changes' | 'warning'>>
  /** Registers the plan of an approved spec, once for one text. Returns its id. */
  readonly registerPlan: (repository: Repository, text: string) => Promise<string>
  /** Absent: the brain gets the daemon's own environment. */
  readonly environments?: KeptEnvironments
  readonly onError: (what: string, error: unknown) => void
}

export interface CallerVariables {
  readonly path: string
  readonly variables: Readonly<Record<string, string>>
}

/**
 * What callers send of their environment. It may hold keys, and is never in the log.
 * - `keep` replaces what the caller has; `forget` is called when the interview of a repository has ended.
 * - `forgetAllBut` deletes what a crash has left.
 */
export interface KeptEnvironments {
  keep(repository: Repository, given: CallerVariables): Promise<void>
  forget(repository: string): void
  forgetAllBut(isOpen: (repository: string) => boolean): void
}

export interface Thinking {
  readonly brain: Brain
  readonly services: Pick<BrainServices, 'check'>
}

export interface CheckedSpec {
  /** Null where there is an error. */
  readonly metadata: SpecMetadata | null
  /** Errors only. */
  readonly faults: readonly Fault[]
}

export interface ReviewAsked {
  readonly repository: Repository
  readonly request: ArchitectRequest
  /** What `start` understood and the user corrected; null where it began otherwise. */
  readonly begun: BegunWith | null
  /** How often the spec was sent back already. */
  readonly round: number
  readonly call: ThinkCall
}

export interface Reviewed {
  /** As it arrived: whether its type is that of the request is checked. */
  readonly result: NonNullable<NonNullable<InterviewSession['review']>['result']>
  readonly stories: readonly Readonly<Record<string, unknown>>[]
  /** Null where changes are needed. */
  readonly planText: string | null
  /** The model that judged, or `nobody`. */
  readonly judgedBy: string
  /** As far as prices are known. */
  readonly spentUsd: number
}

/** What callers ask of an interview: as they send it, with `repo` as the folder of the project. */
export type StartAsked = Asked<Omit<PmStartRequest, keyof UnderstoodRequest | 'await_user_ms'>> & {
  /** What `start` understood of it; absent where it was not asked. */
  readonly request?: BegunWith | undefined
  /** Waiting longer for the user than this is an error; absent: as the setting says. */
  readonly awaitUserMs?: number | undefined
}
export type ChatAsked = Asked<PmChatRequest>
export type UploadAsked = Asked<Omit<PmUploadRequest, keyof UnderstoodRequest>> & Pick<StartAsked, 'request'>
export type AbandonAsked = Asked<PmAbandonRequest>
export type ActionAsked = Asked<PmActionRequest>

type Asked<Sent> = Omit<Sent, 'repo'> & { readonly repository: string }
