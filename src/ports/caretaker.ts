export interface CleaningOrder {
  /** Workers of plans that ended long ago; all others are left alone. */
  readonly finishedWorkers: ReadonlySet<string>
  /** No plan of the repository is alive, so that caches and objects nobody names may go too. */
  readonly isIdle: boolean
  readonly keepSavedMs: number
  readonly nowMs: number
}

export interface CleanedRepository {
  /** Workers whose folders were given back, after what was in them had been saved. */
  readonly released: readonly string[]
  /** Free folders that were removed. */
  readonly folders: number
  /** Saved work that was forgotten: every file of it has landed. */
  readonly forgotten: readonly string[]
  /** Saved work, and folders that could not be saved whole, that are old and stay: nothing else holds them. */
  readonly kept: readonly string[]
  /** Whether caches went. */
  readonly caches: boolean
}

export interface SavedPlace {
  /** The repository of Bosun's that holds what workers wrote. */
  readonly repository: string
  /** The ref in it; null where nothing is saved, or not any more. */
  readonly ref: string | null
  /** The folder it worked in, where something in it could not be saved. */
  readonly folder: string | null
}

/**
 * Clears up after the plans of one repository.
 * - Nothing a worker wrote goes unless every byte of it has landed.
 * - Asked again, it does what is left to do.
 */
export interface Caretaker {
  clean(order: CleaningOrder): Promise<CleanedRepository>
  /** Where all that a worker wrote is saved, of a plan that has come to its end as well. */
  saved(worker: string): Promise<SavedPlace>
}
