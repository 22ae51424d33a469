/** What a plan needs to run: its place, its document and its world. */
import type { PersonAnswer } from '../../core/answers/person-answer.ts'
import type { InboxItem } from '../../core/event-schemas/schemas.ts'
import type { Settings } from '../../core/settings/settings.ts'
import type { Environment, TaskSpec } from '../../core/planning/plan.ts'
import type { PlanHeader } from '../../core/planning/task-schema.ts'
import type { Redactor } from '../../lib/text/redactor.ts'
import type { World } from '../../engine/performers/performer.ts'
import type { BaseForecast } from '../../ports/workspace.ts'
import type { Brain, BrainServices } from '../../ports/brain.ts'
import type { Caretaker } from '../../ports/caretaker.ts'
import type { WorkDiffs } from '../../ports/checkouts.ts'
import type { EventReader, StreamId } from '../../ports/event-log.ts'
import type { Repository } from '../../ports/repositories.ts'
import type { LogEvent } from '../../core/log/log-events.ts'

export interface PlanPlace {
  readonly repository: Repository
  /** `repos/<repository>` in the state root: clones, workers, evidence and coordination are in it. */
  readonly folder: string
  readonly plan: PlanHeader
  readonly tasks: readonly TaskSpec[]
  readonly document: PlanDocument
  /** By the log: then its saved work must exist here. */
  readonly hasBegun: boolean
  /** The token of one worker. */
  readonly tokenOf: (worker: string) => string
  /** The user's token, known here so that the secrets gate can look for it. */
  readonly userToken: string
}

/** What was stored with the plan when it was registered. */
export interface PlanDocument {
  /** The original text. */
  readonly text: string
  readonly sha256: string
  readonly settings: Settings
  /** Commands that the plan names; they override the settings. */
  readonly environment: Partial<Environment>
}

/** Makes the world of one plan. Throws a `no_agent` refusal without a usable agent. */
export type WorldFor = (place: PlanPlace) => Promise<PlanWorld>

export interface BrainRequest {
  /** The work tree of the repository. */
  readonly repository: string
  readonly settings: Settings
  /** Of the caller, beside those of the daemon. */
  readonly variables: Readonly<Record<string, string | undefined>>
}

/** The daemon's access to the outside world. */
export interface Worlds {
  readonly worldFor: WorldFor
  /** Cleans up a repository while its plans run; null if no work was ever done in it. */
  readonly caretakerOf: (repository: Repository) => Promise<Caretaker | null>
  /** Stops the workers of a plan without a world, by name and by their folders. Their work is saved. */
  readonly stopOrphans: (of: {
    readonly repository: Repository
    readonly plan: string
    readonly workers: readonly string[]
  }) => Promise<void>
  /** Differences in a repository; null if no work was ever done in it. Absent where there is no git. */
  readonly diffsOf?: ((repository: Repository) => Promise<WorkDiffs | null>) | undefined
  /** The brain that a repository's settings name, for what belongs to no plan; without it nobody judges. */
  readonly brainFor?: ((place: BrainRequest) => Promise<Brain & BrainServices>) | undefined
  /** Rejects with a `no_agent` refusal where plans with these settings have no agent; without it none is required. */
  readonly requireAgent?: ((place: BrainRequest) => Promise<void>) | undefined
  /** Stops watching workers, so that the daemon can exit; they go on and are adopted by the next. */
  readonly detach: () => Promise<void>
}

/** Whether anybody answers questions about a repository. */
export async function isBrainHere(
  { brainFor }: Pick<Worlds, 'brainFor'>,
  { repository, ...asked }: Omit<BrainRequest, 'repository'> & { readonly repository: string | null },
): Promise<boolean> {
  if (repository === null || brainFor === undefined) return false
  return (await (await brainFor({ ...asked, repository })).describe()).who !== null
}

/** A running command of a gate. */
export interface CheckRow {
  readonly command: string
  readonly startedAt: number
  /** How many tests its output has named so far. */
  readonly tests: number
  readonly lastMs: number | null
}

export type Decision = Pick<PersonAnswer, 'choice' | 'feedback' | 'by'>

export interface PlanWorld extends World {
  /** Of the secrets that its workers and checks could print; none are held if absent. */
  readonly hide?: Redactor
  /** Decides about an open item in a person's place; null leaves it to a person. Absent where no script does. */
  readonly decide?: (item: InboxItem) => Decision | null
  /** A worker's process, null once it has ended; absent where the world has none. */
  readonly pidOf?: (worker: string) => number | null
  /** How messages reach a worker; null once it has ended. Absent where the world has no sessions. */
  readonly channelOf?: (worker: string) => 'session' | 'checkin' | null
  /** The command that runs for a task's gates at this moment; absent where nothing can tell. */
  readonly checkOf?: (task: string) => CheckRow | null
  /** Where a worker's bytes are; absent where the world has no folders. */
  readonly workerPlace?: (worker: string) => Promise<WorkerPlace>
  /** Keeps the report that a worker sent; false where it has ended. Absent where the world has no folders. */
  readonly handIn?: (worker: string, report: Readonly<Record<string, unknown>>) => boolean
  /** Where whole outputs of gates are kept; absent where none are. */
  readonly evidenceFolder?: string
  /** The forecast for the base branch; null without one. */
  readonly forecast?: () => Promise<BaseForecast | null>
  /** Why nothing can be done here at the moment; null otherwise. */
  readonly hindrance?: () => string | null
  /** Notices about the repository, a line each. */
  readonly notices?: () => Promise<readonly string[]>
}

/** Read-only access to a plan's workers and work. */
export type PlanSight = Pick<PlanWorld, 'pidOf' | 'checkOf' | 'workerPlace' | 'evidenceFolder'>

export interface WorkerPlace {
  /** The folder it works in; null once that was given back. What could not be saved whole is not given back. */
  readonly workspace: string | null
  /** The repository that holds what was saved of it. */
  readonly repository: string
  /** The ref in it under which all it wrote is saved; null where nothing was saved yet. */
  readonly salvage: string | null
}

/** What is kept with the plan in this stream, by the event of that version; null where that event keeps nothing. */
export async function readDocument(
  log: EventReader<LogEvent>,
  stream: StreamId,
  version: number,
): Promise<PlanDocument | null> {
  const documented = (await log.read(stream, version - 1, 1))
    .map((entry) => entry.event)
    .find((event) => event.type === 'plan.documented' || event.type === 'plan.edited')
  if (documented === undefined) return null
  const { text, sha256, environment } = documented
  return { text, sha256, environment, settings: documented.settings as unknown as Settings }
}
