/** The repositories one daemon serves. */
import type { Instant } from './event-log.ts'

export interface Repository {
  /** `<name>-<8 hex digits of the real path's SHA-256>`: the same path has the same id on every machine. */
  readonly id: string
  /** Absolute, without symbolic links. */
  readonly path: string
  readonly name: string
  readonly registeredAt: Instant
}

/**
 * - `register` gives the repository that is at `path`, and is durable when it resolves; asked again, it gives the
 *   same one. It rejects if nothing is at `path`.
 * - `restore` takes one over from another store, whether anything is at its path or not; one that is known is left as it is.
 * - `list` is in the order of registration.
 */
export interface Repositories {
  register(path: string, at: Instant): Promise<Repository>
  restore(repository: Repository): Promise<void>
  find(id: string): Promise<Repository | null>
  list(): Promise<readonly Repository[]>
}
