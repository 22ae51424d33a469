/**
 * What commands need from the outside world. compose.ts supplies it; each service is loaded on first use. The caller
 * disposes of what can be disposed of.
 */
import type { CleanUpParts } from '../app/upkeep/clean-up.ts'
import type { PutAsideParts } from '../app/workers/unknown-workers.ts'
import type { ServicePlace } from '../app/service/manage-service.ts'
import type { Daemon } from '../client/daemon.ts'
import type { OfflineReason } from '../client/find-daemon.ts'
import type { StopCause } from '../core/event-schemas/stop-causes.ts'
import type { LogEvent } from '../core/log/log-events.ts'
import type { EventCodec, EventLog, EventReader } from '../ports/event-log.ts'
import type { TriedCommand, TrialRequest } from '../ports/command-trial.ts'
import type { InstalledAdapter, Machine } from '../ports/machine.ts'
import type { NewProject, Repositories, Repository } from '../ports/repositories.ts'
import type { ReleaseRepository } from '../ports/checkouts.ts'
import type { Simulator } from '../ports/simulator.ts'
import type { DaemonFacts } from '../protocol/answers.ts'
import type { Terminal } from './terminal/terminal.ts'

export interface Services {
  machine(): Promise<Machine>
  /** Fetches the adapter of an agent into the state root. Refuses with `failed` where that cannot be done. */
  installAdapter(agent: string): Promise<InstalledAdapter>
  simulator(): Promise<Simulator>
  /** Opens without a lock. Refuses with `not_found` where there is no log. */
  openLogToRead(): Promise<ReadableLog>
  /** Opens with the lock. Refuses with `conflict` while another process holds it. */
  openLogToWrite(purpose: 'steer' | 'import'): Promise<WritableLog>
  /** For `bosun clean`, with the lock. Refuses with `conflict` while another process holds it. */
  cleaning(): Promise<Omit<CleanUpParts, 'now'> & AsyncDisposable>
  /** Workers of plans that the log has lost, with the lock. Refuses with `conflict` while another process holds it. */
  unknownWorkers(): Promise<PutAsideParts & AsyncDisposable>
  /** Runs each command of the current repository once, in a throw-away checkout of its newest commit. */
  tryCommands(request: TrialRequest): Promise<readonly TriedCommand[]>
  /** Opens the current repository to verify a release in. The caller closes it. */
  releaseRepository(): Promise<ReleaseRepository>
  /** The current folder where it has no commit to start from; null where it has one. Refuses a bare repository. */
  newProject(): Promise<NewProject | null>
  /** What a person needs to work in the place of a worker that they have taken over. */
  takenOver(
    worker: { readonly repository: string; readonly worker: string },
    session: string | null,
  ): Promise<WorkerPlace>
  /** The daemon, started if none runs. Refuses with `no_daemon`. */
  daemon(): Promise<Daemon>
  /** The daemon if one runs, or if one died with open plans; else null. */
  daemonIfWanted(): Promise<Daemon | null>
  /** For commands that only read: a responding daemon, else the database. Starts and replaces no daemon. */
  reading(): Promise<Reading>
  /** A responding daemon of any build, else null. Starts and replaces none. */
  runningDaemon(): Promise<Daemon | null>
  /** Stops workers that no daemon watches; the next daemon saves their work. */
  stopOrphans(repository: Repository, workers: readonly string[], cause: StopCause): Promise<void>
  /** `force` also ends an unresponsive daemon; without it, one refuses with `no_daemon`. */
  stopDaemon(how?: 'asking' | 'force'): Promise<'stopped' | 'none'>
  /** The system's service manager and what it would run. Refuses with `usage` where there is none. */
  service(): Promise<ServicePlace>
  /** Becomes the daemon. Refuses with `conflict` while another one serves or the port is in use. */
  serve(request: { readonly host: string | undefined; readonly port: number | null }): Promise<ServingDaemon>
  /** The same services for another folder and environment: another state root, another daemon. */
  elsewhere(place: Pick<Terminal, 'cwd' | 'env'>): Services
  /** Aborted by Ctrl-C, TERM or HUP instead of ending the process; a second Ctrl-C ends it. */
  interruption(): AbortSignal
}

export interface WorkerPlace {
  readonly workspace: string
  /** Continues the session of its agent; null where there is none to continue. */
  readonly command: readonly string[] | null
  /** Of its agent, on top of the person's own. */
  readonly variables: Readonly<Record<string, string>>
}

/** Why the answer comes from the database instead of the daemon. */
export interface Offline extends OfflineReason {
  /** When the newest event was written, ISO 8601; null where there is none. */
  readonly asOf: string | null
}

/** Where commands read from. */
export interface Reading extends AsyncDisposable {
  /** Null where the daemon responds. */
  readonly offline: Offline | null
  /** Throws the Refusal of the answer. */
  readonly get: Daemon['get']
}

export interface ServingDaemon {
  readonly facts: DaemonFacts
  /** Resolves when a client asks it to stop. */
  readonly asked: Promise<void>
  close(): Promise<void>
}

export interface ReadableLog extends AsyncDisposable {
  readonly log: EventReader<LogEvent>
  readonly repositories: Pick<Repositories, 'list'>
}

export interface WritableLog extends AsyncDisposable {
  readonly log: EventLog<LogEvent>
  readonly repositories: Repositories
  readonly codec: EventCodec<LogEvent>
}
