/** The folder of a worker in the state root, whatever the log says about it. */
export interface FoundWorker {
  /** The id of its repository, which is the name of a folder. */
  readonly repository: string
  readonly worker: string
  readonly plan: string
}

/** One that runs, whatever the log says about it. */
export interface LivingWorker extends FoundWorker {
  readonly pid: number
}
