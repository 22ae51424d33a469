/** What a plan needs to be worked on: where it is, what it was made of, and the world it is let loose on. */
import type { EventOf } from '../../core/events/plan-events.ts'
import { defaultSettings, type Settings } from '../../core/settings/settings.ts'
import type { Environment } from '../../core/planning/plan.ts'
import type { World } from '../../engine/performers/performer.ts'
import type { BaseForecast } from '../../ports/base-forecast.ts'
import type { Caretaker } from '../../ports/caretaker.ts'
import type { Patch } from '../../ports/checkouts.ts'
import type { EventReader, StreamId } from '../../ports/event-log.ts'
import type { Repository } from '../../ports/repositories.ts'
import type { PlanEvent } from '../../core/events/plan-events.ts'
import type { AnswerIntake } from './inbox-reviewer.ts'

export interface PlanPlace {
  readonly repository: Repository
  /** `repos/<repository>` in the state root: clones, workers, evidence and coordination are in it. */
  readonly folder: string
  readonly plan: EventOf<'plan.registered'>['plan']
  readonly document: PlanDocument
  /** By the log: then what was kept of its work must be here. */
  readonly hasBegun: boolean
  /** The token with which one worker, and no other, may talk to Bosun. */
  readonly tokenOf: (worker: string) => string
  /** Whoever has it may do everything: it is known here so that it can be looked for. */
  readonly userToken: string
}

/** What was kept with the plan when it was registered. */
export interface PlanDocument {
  /** As it was read. */
  readonly text: string
  readonly sha256: string
  readonly settings: Settings
  /** The commands the plan itself names; they go before those of the settings. */
  readonly environment: Partial<Environment>
}

/** Makes the world of one plan. Refuses with `no_agent` where nobody could do the work. */
export type WorldFor = (place: PlanPlace) => Promise<PlanWorld>

/** What a daemon has of the world outside. */
export interface Worlds {
  readonly worldFor: WorldFor
  /** Clears up in a repository while its plans live on; null where nothing was ever worked on. */
  readonly caretakerOf: (repository: Repository) => Promise<Caretaker | null>
  /** Ends the workers of a plan of which no world can be made: those that are named, and those whose folders say so. Their work is saved. */
  readonly stopOrphans: (of: {
    readonly repository: Repository
    readonly plan: string
    readonly workers: readonly string[]
  }) => Promise<void>
  /** Stops watching workers, so that the daemon can end; they go on, and are taken up again. */
  readonly detach: () => Promise<void>
}

/** A command of a gate that runs. */
export interface CheckRow {
  readonly command: string
  readonly startedAt: number
  /** How many tests its output has named so far. */
  readonly tests: number
  readonly lastMs: number | null
}

export interface PlanWorld extends World {
  /** Where the doors hand in answers. */
  readonly human: AnswerIntake
  /** What is known of a worker's process; absent where the world has none. */
  readonly workerFacts?: (worker: string) => WorkerFacts | null
  /** The command that runs for a task's gates at this moment; absent where nothing can tell. */
  readonly checkOf?: (task: string) => CheckRow | null
  /** Where a worker's bytes are; absent where the world has no folders. */
  readonly workerPlace?: (worker: string) => Promise<WorkerPlace>
  /** Keeps the report that a worker sent; false where it has ended. Absent where the world has no folders. */
  readonly handIn?: (worker: string, report: Readonly<Record<string, unknown>>) => boolean
  /** What a tree changes, against what its worker started from or against a commit; absent where there are no trees. */
  readonly patchOf?: (asked: PatchAsked) => Promise<Patch>
  /** Where whole outputs of gates are kept; absent where none are. */
  readonly evidenceFolder?: string
  /** What became of the branch the plan started from; null where there was none. */
  readonly forecast?: () => Promise<BaseForecast | null>
  /** Why nothing can be done here at the moment, in words; null when it can. */
  readonly hindrance?: () => string | null
  /** What works here, but not as the user may expect: a line each. */
  readonly notices?: () => Promise<readonly string[]>
}

/** What can be seen of a plan's workers and work without touching either. */
export type PlanSight = Pick<
  PlanWorld,
  'workerFacts' | 'checkOf' | 'workerPlace' | 'patchOf' | 'evidenceFolder'
>

export interface PatchAsked {
  readonly tree: string
  readonly of: { readonly worker: string } | { readonly commit: string }
}

export interface WorkerPlace {
  /** The folder it works in; null once that was given back. What could not be saved whole is not given back. */
  readonly workspace: string | null
  /** The repository that holds what was saved of it. */
  readonly repository: string
  /** The ref in it under which all it wrote is saved; null where nothing was saved yet. */
  readonly salvage: string | null
}

export interface WorkerFacts {
  readonly pid: number | null
}

/** What is kept with the plan in this stream, by the event of that version; null where that event keeps nothing. */
export async function readDocument(
  log: EventReader<PlanEvent>,
  stream: StreamId,
  version: number,
): Promise<PlanDocument | null> {
  const documented = (await log.read(stream, version - 1, 1))
    .map((entry) => entry.event)
    .find((event) => event.type === 'plan.documented' || event.type === 'plan.edited')
  if (documented === undefined) return null
  const { text, sha256, environment } = documented
  return { text, sha256, environment, settings: completeSettings(documented.settings) }
}

/** Settings of an older Bosun lack what was added since. */
function completeSettings(kept: Readonly<Record<string, unknown>>): Settings {
  const settings: Record<string, unknown> = { ...defaultSettings() }
  for (const [key, value] of Object.entries(kept)) {
    const before = settings[key]
    settings[key] = isRecord(before) && isRecord(value) ? { ...before, ...value } : value
  }
  return settings as Settings
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
