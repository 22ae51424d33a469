/** Read access to all plans: through the daemon's host, or on the database alone. */
import type { LogEvent } from '../../core/log/log-events.ts'
import type { WatchMetrics } from '../../core/watch/metrics.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventReader } from '../../ports/event-log.ts'
import type { NoteLog } from '../../ports/note-log.ts'
import type { Machine } from '../../ports/machine.ts'
import type { Repositories } from '../../ports/repositories.ts'
import type { Transcripts } from '../../ports/transcript.ts'
import type { LivingWorker } from '../../ports/agent.ts'
import type { InterviewRow } from '../../protocol/answers.ts'
import type { AdoptedRow } from '../workers/adopted-workers.ts'
import type { Beat } from './heartbeat.ts'
import type { HostedPlan } from './hosted-plan.ts'
import type { Worlds } from './plan-place.ts'
import type { UnloadedPlan } from './unloaded-plans.ts'
import type { PageNotice } from '../../protocol/rows.ts'

/** The running workers of a plan, found by their folders, for plans whose events cannot be read. */
export type LivingWorkers = (repository: string, plan: string) => readonly LivingWorker[]

/** What `bosun doctor` looks at in a folder. */
export type MachineIn = (folder: string) => Promise<Machine>

export interface HostToRead {
  readonly parts: {
    readonly clock: Pick<Clock, 'now'>
    readonly log: EventReader<LogEvent>
    readonly notes: Pick<NoteLog, 'back'>
    readonly repositories: Pick<Repositories, 'find' | 'list'>
    readonly caretakerOf: Worlds['caretakerOf']
    readonly diffsOf?: Worlds['diffsOf']
    readonly livingWorkers?: LivingWorkers | undefined
    readonly transcripts?: Transcripts | undefined
    readonly machineIn?: MachineIn | undefined
  }
  readonly heartbeat: { readonly beat: Beat }
  readonly adopted: { rows(): readonly AdoptedRow[] }
  readonly metrics: { now(repository?: string): Promise<WatchMetrics> }
  /** Plans that could not be loaded. */
  readonly unloaded: { all(): readonly UnloadedPlan[] }
  /** A problem with the whole database, and the remedy; null without one. */
  readonly damage: string | null
  /** Interviews that are open. Rejects if they cannot be loaded. */
  listInterviews(): Promise<readonly InterviewRow[]>
  /** In order of registration. */
  plans(): readonly HostedPlan[]
  /** The plan with this name; `repository` decides between several. Throws a refusal without one. */
  find(id: string, repository?: string): Promise<HostedPlan>
  /** The id of the repository at this path; undefined if it has no plans. */
  repositoryAt(path: string | undefined): Promise<string | undefined>
}

/** What a notice is about, by which a listener knows whether it is for it. */
export interface NoticeScope {
  /** The id of the repository. */
  readonly repository: string
  readonly plans: readonly string[]
  /** Whether attached terminals show it: `notify.desktop` in bosun.yaml. */
  readonly atTerminals: boolean
}

type Listener = (notice: PageNotice, scope: NoticeScope) => void

export class LiveNotices {
  readonly #listeners = new Set<Listener>()

  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  show(notice: PageNotice, scope: NoticeScope): void {
    for (const listener of this.#listeners) listener(notice, scope)
  }
}
