/** Group commit: jobs of one turn of the event loop share a transaction. */

/** Writes inside a transaction. It may be run again when its group was rolled back, so it changes nothing else. */
export type Job = () => void

/**
 * Runs the jobs in one transaction and commits. Gives, for every job in its place, null or why it failed; a job
 * that fails leaves nothing behind and does not fail the others. On PostgreSQL this is where the append lock is
 * taken after `begin` (`pg_advisory_xact_lock`), so that sequence numbers rise in the order of commits.
 */
export type Transaction = (jobs: readonly Job[]) => readonly (Error | null)[]

interface Waiting {
  readonly job: Job
  readonly settle: (failure: Error | null) => void
}

/** Bounds how long one transaction keeps the event loop: a few milliseconds of inserts and one sync. */
const MAX_GROUP = 1024

export class GroupCommit {
  readonly #transaction: Transaction
  #waiting: Waiting[] = []
  #scheduled = false

  constructor(transaction: Transaction) {
    this.#transaction = transaction
  }

  /** Resolves after the job's own commit. `committed` is called before that, in the order of the jobs. */
  run<T>(job: () => T, committed?: (value: T) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      let value: T
      this.#waiting.push({
        job: () => {
          value = job()
        },
        settle: (failure) => {
          if (failure !== null) return reject(failure)
          committed?.(value)
          return resolve(value)
        },
      })
      this.#schedule()
    })
  }

  /** Commits everything that waits, now. */
  drain(): void {
    while (this.#waiting.length > 0) this.#commitGroup()
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#commitGroup()
      if (this.#waiting.length > 0) this.#schedule()
    })
  }

  #commitGroup(): void {
    const group = this.#waiting.slice(0, MAX_GROUP)
    this.#waiting = this.#waiting.slice(MAX_GROUP)
    if (group.length === 0) return
    const failures = this.#failuresOf(group.map(({ job }) => job))
    for (const [index, { settle }] of group.entries()) settle(failures[index] ?? null)
  }

  /** Whatever happens, every caller gets an answer. */
  #failuresOf(jobs: readonly Job[]): readonly (Error | null)[] {
    try {
      return this.#transaction(jobs)
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error))
      return jobs.map(() => failure)
    }
  }
}
