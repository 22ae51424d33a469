/** The folder of a worker in the state root, independent of the log. */
export interface FoundWorker {
  /** The id of its repository, which is the name of a folder. */
  readonly repository: string
  readonly worker: string
  readonly plan: string
}

/** A running worker, independent of the log. */
export interface LivingWorker extends FoundWorker {
  readonly pid: number
}
