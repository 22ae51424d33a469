export interface CleaningOrder {
  /** Workers of plans that ended long ago; all others are kept. */
  readonly finishedWorkers: ReadonlySet<string>
  /** No plan of the repository is open, so caches and unreferenced objects may be removed too. */
  readonly isIdle: boolean
  readonly keepSavedMs: number
  readonly nowMs: number
}

export interface CleanedRepository {
  /** Workers whose folders were saved and released. */
  readonly released: readonly string[]
  /** Free folders that were removed. */
  readonly folders: number
  /** Saved work that was deleted because every file of it has landed. */
  readonly forgotten: readonly string[]
  /** Old saved work and incompletely saved folders that are kept, since they exist nowhere else. */
  readonly kept: readonly string[]
  /** Whether caches were removed. */
  readonly caches: boolean
}

export interface SavedPlace {
  /** The quarantine repository with the saved work. */
  readonly repository: string
  /** The ref in it; null where nothing is saved, or no longer. */
  readonly ref: string | null
  /** The worker's folder, where something in it could not be saved. */
  readonly folder: string | null
}

/**
 * Cleans up after the plans of one repository.
 * - A worker's files are deleted only if every byte of them has landed.
 * - It is idempotent.
 */
export interface Caretaker {
  clean(order: CleaningOrder): Promise<CleanedRepository>
  /** Where a worker's files are saved, also for ended plans. */
  saved(worker: string): Promise<SavedPlace>
}
