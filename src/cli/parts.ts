/** What commands need from the outside world. main.ts supplies it; each part is loaded when it is first asked for. */
import type { CleanUpParts } from '../app/clean-up.ts'
import type { PutAsideParts } from '../app/unknown-workers.ts'
import type { ServicePlace } from '../app/service/manage-service.ts'
import type { Daemon } from '../client/daemon.ts'
import type { PlanEvent } from '../core/events/plan-events.ts'
import type { EventCodec, EventLog, EventReader } from '../ports/event-log.ts'
import type { Machine } from '../ports/machine.ts'
import type { Repositories } from '../ports/repositories.ts'
import type { ReleaseRepository } from '../ports/release-repository.ts'
import type { Simulator } from '../ports/simulator.ts'
import type { DaemonFacts } from '../protocol/answers.ts'
import type { Terminal } from './terminal.ts'

export interface Parts {
  machine(): Promise<Machine>
  simulator(): Promise<Simulator>
  /** Beside whoever writes. Refuses with `not_found` where nothing was ever written. Whoever opens it closes it. */
  openLogToRead(): Promise<ReadableLog>
  /** Alone. Refuses with `conflict` while somebody else holds it. Whoever opens it closes it. */
  openLogToWrite(): Promise<WritableLog>
  /** To clear up with, alone. Refuses with `conflict` while somebody else works. Whoever opens it closes it. */
  cleaning(): Promise<Omit<CleanUpParts, 'now'> & { close(): Promise<void> }>
  /** To put workers aside that no plan of the log has, alone. Refuses with `conflict` while somebody else works. Whoever opens it closes it. */
  unknownWorkers(): Promise<PutAsideParts & { close(): Promise<void> }>
  /** The repository one stands in, to check a release in. Whoever opens it closes it. */
  releaseRepository(): Promise<ReleaseRepository>
  /** The daemon, started where none runs. Refuses with `no_daemon`. */
  daemon(): Promise<Daemon>
  /** The daemon where one runs, or where one died at its work and is missed; else null. */
  daemonIfWanted(): Promise<Daemon | null>
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
