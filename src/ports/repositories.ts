/** The repositories of one daemon, and folders that are to become one. */
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

/** A folder in which no plan can begin yet, since work starts from a commit. */
export interface NewProject {
  readonly folder: string
  readonly lacks: 'repository' | 'commit'
  /** Whether files are there already. They stay as they are: untracked, or staged. */
  readonly hasFiles: boolean
  /** Creates what is lacking: the repository, and an empty first commit by the user. Refuses with `failed` or `usage`. */
  create(): Promise<void>
}
