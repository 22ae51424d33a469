/**
 * Compares the user's repository before and after each worker. What Bosun published meanwhile is left out; the rest is told with
 * the worker's end. It stops nothing: the user may have done it.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { RepositoryChange } from '../core/events/worker/repository-changed.ts'
import { atomicWriteSync } from '../lib/files/atomic-write.ts'
import { readRegularIfExists } from '../lib/files/read-if-exists.ts'
import type { Agent, AgentEvent, WorkerEnded } from '../ports/agent.ts'
import { isPublished } from '../workspaces/landing/publish.ts'
import type { Quarantine } from '../workspaces/quarantine.ts'
import {
  changesBetween,
  type RepositoryLook,
  type RepositoryState,
} from '../workspaces/survey/repository-state.ts'

interface WatchParts {
  readonly look: Pick<RepositoryLook, 'state'>
  readonly quarantine: Quarantine
  /** Where what was before each worker is kept: workers outlive the daemon. */
  readonly folder: string
  readonly onError: (what: string, error: unknown) => void
}

const MOST_BYTES = 64 * 1024 * 1024
/** Of the changes that were told. */
const MOST_TOLD = 1000

export class RepositoryWatch {
  readonly #parts: WatchParts
  /** Which worker a change was told with: workers that run side by side see the same one. */
  readonly #told = new Map<string, string>()

  constructor(parts: WatchParts) {
    this.#parts = parts
  }

  /** Idempotent: a worker that is started again after a crash may have run already. */
  async before(worker: string): Promise<void> {
    if (this.#known(worker) !== null) return
    const state = await this.#parts.look.state()
    mkdirSync(this.#parts.folder, { recursive: true, mode: 0o700 })
    atomicWriteSync(this.#file(worker), JSON.stringify(state))
  }

  /** What changed since then and was not told with another worker; the same again until it is forgotten. */
  async changedSince(worker: string): Promise<readonly RepositoryChange[]> {
    const before = this.#known(worker)
    if (before === null) return []
    const changes: RepositoryChange[] = []
    for (const change of changesBetween(before, await this.#parts.look.state())) {
      const key = `${change.name} ${change.to}`
      if ((this.#told.get(key) ?? worker) !== worker) continue
      if (await isPublished(this.#parts.quarantine, change)) continue
      this.#told.set(key, worker)
      changes.push(change)
    }
    for (const key of [...this.#told.keys()].slice(0, -MOST_TOLD)) this.#told.delete(key)
    return changes
  }

  forget(worker: string): void {
    rmSync(this.#file(worker), { force: true })
  }

  #known(worker: string): RepositoryState | null {
    const text = readRegularIfExists(this.#file(worker), MOST_BYTES)
    return text === null ? null : (JSON.parse(text) as RepositoryState)
  }

  #file(worker: string): string {
    return join(this.#parts.folder, `${worker}.json`)
  }

  /** An agent whose workers' ends say what changed. A look that fails stops no worker and loses no end. */
  watched(agent: Agent): Agent {
    const onError = (what: string, error: unknown): void => this.#parts.onError(what, error)
    const compared = async (ended: WorkerEnded): Promise<WorkerEnded> => {
      try {
        const changed = await this.changedSince(ended.worker)
        return changed.length === 0 ? ended : { ...ended, changed }
      } catch (error) {
        onError(`comparing the repository after ${ended.worker}`, error)
        return ended
      }
    }
    return {
      ...agent,
      start: async (job, signal) => {
        await this.before(job.worker).catch((error: unknown) =>
          onError(`looking at the repository before ${job.worker}`, error),
        )
        return agent.start(job, signal)
      },
      unacknowledged: async (running) =>
        Promise.all((await agent.unacknowledged(running)).map((ended) => compared(ended))),
      listen: (listener) => {
        let isListening = true
        const forward = (event: AgentEvent): void => {
          if (isListening) listener(event)
        }
        const unlisten = agent.listen((event) => {
          if (event.kind === 'ended') void compared(event).then(forward)
          else forward(event)
        })
        return () => {
          isListening = false
          unlisten()
        }
      },
      acknowledge: async (worker) => {
        await agent.acknowledge(worker)
        this.forget(worker)
      },
    }
  }
}
