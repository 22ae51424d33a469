/** The repositories of one daemon. */
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
 * - `register` returns the repository at `path`, and is durable when it resolves; it is idempotent. It rejects if
 *   nothing exists at `path`.
 * - `restore` imports one from another store, even if nothing exists at its path; a known one is left unchanged.
 * - `list` is in the order of registration.
 */
export interface Repositories {
  register(path: string, at: Instant): Promise<Repository>
  restore(repository: Repository): Promise<void>
  find(id: string): Promise<Repository | null>
  list(): Promise<readonly Repository[]>
}
