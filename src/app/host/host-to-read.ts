/** What can be asked about all plans without changing any: of the daemon's host, or of the database alone. */
import type { PlanEvent } from '../../core/events/plan-events.ts'
import type { WatchMetrics } from '../../core/watch/metrics.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventReader } from '../../ports/event-log.ts'
import type { Repositories } from '../../ports/repositories.ts'
import type { LivingWorker } from '../../ports/worker-folders.ts'
import type { ReadActivity } from '../activity/activity-file.ts'
import type { AdoptedRow } from '../workers/adopted-workers.ts'
import type { Beat } from './heartbeat.ts'
import type { HostedPlan } from './hosted-plan.ts'
import type { Worlds } from './plan-place.ts'
import type { UnloadedPlan } from './unloaded-plans.ts'

/** The workers of one plan that run, known by their folders: of a plan whose events cannot be read nothing else tells. */
export type LivingWorkers = (repository: string, plan: string) => readonly LivingWorker[]

export interface HostToRead {
  readonly parts: {
    readonly clock: Pick<Clock, 'now'>
    readonly log: EventReader<PlanEvent>
    readonly repositories: Pick<Repositories, 'find' | 'list'>
    readonly caretakerOf: Worlds['caretakerOf']
    readonly livingWorkers?: LivingWorkers | undefined
  }
  readonly journal: { read(repository: string): Promise<ReadActivity> }
  readonly heartbeat: { readonly beat: Beat }
  readonly adopted: { rows(): readonly AdoptedRow[] }
  readonly metrics: { now(repository?: string): Promise<WatchMetrics> }
  /** Plans that could not be taken up. */
  readonly unloaded: { all(): readonly UnloadedPlan[] }
  /** What is wrong with the database as a whole, and what to do; null where nothing is. */
  readonly damage: string | null
  /** In the order they were registered in. */
  plans(): readonly HostedPlan[]
  /** Plans that are in the log and could not be taken up, and why. */
  unreadable(): readonly { readonly plan: string; readonly why: string }[]
  /** The one plan of this name; `repository` decides where there are several. Refuses if there is none. */
  find(id: string, repository?: string): Promise<HostedPlan>
  /** The id of the repository at this path; undefined where none was ever registered there. */
  repositoryAt(path: string | undefined): Promise<string | undefined>
}
