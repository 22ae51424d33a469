/** What commands need from the outside world. main.ts supplies it; each part is loaded when it is first asked for. */
import type { CleanUpParts } from '../app/upkeep/clean-up.ts'
import type { PutAsideParts } from '../app/workers/unknown-workers.ts'
import type { ServicePlace } from '../app/service/manage-service.ts'
import type { Daemon, Query } from '../client/daemon.ts'
import type { Silence } from '../client/look-for-daemon.ts'
import type { StopCause } from '../core/event-schemas/schemas.ts'
import type { PlanEvent } from '../core/events/plan-events.ts'
import type { EventCodec, EventLog, EventReader } from '../ports/event-log.ts'
import type { TriedCommand, TrialRequest } from '../ports/command-trial.ts'
import type { Machine } from '../ports/machine.ts'
import type { Repositories, Repository } from '../ports/repositories.ts'
import type { ReleaseRepository } from '../ports/release-repository.ts'
import type { Simulator } from '../ports/simulator.ts'
import type { DaemonFacts } from '../protocol/answers.ts'
import type { Terminal } from './terminal/terminal.ts'

export interface Parts {
  machine(): Promise<Machine>
  simulator(): Promise<Simulator>
  /** Beside whoever writes. Refuses with `not_found` where nothing was ever written. Whoever opens it closes it. */
  openLogToRead(): Promise<ReadableLog>
  /** Alone. Refuses with `conflict` while somebody else holds it. Whoever opens it closes it. */
  openLogToWrite(purpose: 'steer' | 'import'): Promise<WritableLog>
  /** To clear up with, alone. Refuses with `conflict` while somebody else works. Whoever opens it closes it. */
  cleaning(): Promise<Omit<CleanUpParts, 'now'> & { close(): Promise<void> }>
  /** To put workers aside that no plan of the log has, alone. Refuses with `conflict` while somebody else works. Whoever opens it closes it. */
  unknownWorkers(): Promise<PutAsideParts & { close(): Promise<void> }>
  /** The commands of the repository one stands in, each run once in a throw-away checkout of its newest commit. */
  tryCommands(request: TrialRequest): Promise<readonly TriedCommand[]>
  /** The repository one stands in, to check a release in. Whoever opens it closes it. */
  releaseRepository(): Promise<ReleaseRepository>
  /** The daemon, started where none runs. Refuses with `no_daemon`. */
  daemon(): Promise<Daemon>
  /** The daemon where one runs, or where one died at its work and is missed; else null. */
  daemonIfWanted(): Promise<Daemon | null>
  /**
   * For commands that only read: the daemon that answers, else the database alone. Starts nothing and replaces nothing.
   * Whoever opens it closes it.
   */
  reading(): Promise<Reading>
  /** The daemon that answers now, of whatever build; null where none does. It is neither started nor replaced. */
  runningDaemon(): Promise<Daemon | null>
  /** Asks workers to end that no daemon watches; what they wrote stays, and the next daemon saves it. */
  stopOrphans(repository: Repository, workers: readonly string[], cause: StopCause): Promise<void>
  /** `force` also ends one that does not answer. Refuses with `no_daemon` where it would take that. */
  stopDaemon(how?: 'asking' | 'force'): Promise<'stopped' | 'none'>
  /** The system's service manager, and what it would run. Refuses with `usage` where there is none. */
  service(): Promise<ServicePlace>
  /** Becomes the daemon. Refuses with `conflict` while another one serves, or where the port is taken. */
  serve(request: { readonly host: string | undefined; readonly port: number | null }): Promise<ServingDaemon>
  /** The same parts, called from another folder and with another environment: another state root, another daemon. */
  elsewhere(place: Pick<Terminal, 'cwd' | 'env'>): Parts
  /** Aborted by Ctrl-C, TERM or HUP, which then end nothing by themselves; a second Ctrl-C does. */
  interruption(): AbortSignal
}

/** Why the daemon was not asked. */
export interface OfflineReason {
  /**
   * `none`: no daemon runs. `dead`: its process died. `silent`: its process does not answer. `other_build`: it is not of
   * our build, and may answer otherwise than we read.
   */
  readonly kind: 'none' | 'dead' | 'silent' | 'other_build'
  readonly pid: number | null
  /** When it was last known to be well. */
  readonly lastLoop: Date | null
  /** Of a daemon that runs all the same. */
  readonly facts: DaemonFacts | null
  /** Why one that runs does not answer; null for every other kind. */
  readonly silence: Silence | null
}

export interface Offline extends OfflineReason {
  /** When the newest event of the database was written; ISO 8601, null where there is none. */
  readonly asOf: string | null
}

/** How commands read. */
export interface Reading {
  /** Null where the daemon answers. */
  readonly offline: Offline | null
  /** Throws the Refusal that was answered with. */
  get<T>(path: string, query?: Query): Promise<T>
  close(): Promise<void>
}

export interface ServingDaemon {
  readonly facts: DaemonFacts
  /** Resolves when somebody asked it to end. */
  readonly asked: Promise<void>
  close(): Promise<void>
}

export interface ReadableLog {
  readonly log: EventReader<PlanEvent>
  readonly repositories: Pick<Repositories, 'list'>
  close(): Promise<void>
}

export interface WritableLog {
  readonly log: EventLog<PlanEvent>
  readonly repositories: Repositories
  readonly codec: EventCodec<PlanEvent>
  close(): Promise<void>
}
