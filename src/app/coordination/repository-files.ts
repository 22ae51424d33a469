/** The coordination folder of one repository. */
import { watch, type FSWatcher } from 'node:fs'
import { join } from 'node:path'
import type { PlanEvent } from '../../core/events/plan-events.ts'
import type { PmState } from '../../core/watch/checkins/coordination-files.ts'
import type { Entry } from '../../ports/event-log.ts'
import { folderProblem } from '../checkins/spool-folder.ts'
import type { Host } from '../host/host.ts'
import { AlertFiles } from './alert-files.ts'
import { RequestFiles } from './request-files.ts'
import { SpecFiles } from './spec-files.ts'
import { DropFolder, writeDocument } from './drop-folder.ts'

const KEPT_MS = 7 * 24 * 3_600_000
const TIDY_MS = 3_600_000

export class RepositoryFiles {
  readonly #folder: string
  readonly #host: Host
  readonly #requests: DropFolder
  readonly #alerts: DropFolder
  readonly #requestFiles: RequestFiles
  readonly #alertFiles: AlertFiles
  readonly #specs: SpecFiles
  readonly #onNews: () => void
  readonly #reported = new Map<string, string>()
  #watchers: FSWatcher[] = []
  #tidiedAt = Number.NEGATIVE_INFINITY

  /** `onNews` is called for new files. */
  constructor(
    host: Host,
    repository: string,
    { folder, onNews }: { readonly folder: string; readonly onNews: () => void },
  ) {
    this.#host = host
    this.#folder = folder
    this.#onNews = onNews
    this.#requests = new DropFolder(join(folder, 'pm-requests'), 'processed')
    this.#alerts = new DropFolder(join(folder, 'pm-alerts'), 'resolved')
    this.#requestFiles = new RequestFiles(host, repository, this.#requests)
    this.#alertFiles = new AlertFiles(host, repository, this.#alerts)
    this.#specs = new SpecFiles(host, repository, join(folder, 'worker-specs'))
  }

  /** Creates the folders for workers; a failure is reported by the first look. */
  prepare(): void {
    try {
      if (folderProblem(this.#folder) !== null) return
      for (const folder of [this.#requests, this.#alerts]) folder.prepare()
    } catch {
      // The first look tries again, and reports it.
    }
  }

  take(entry: Entry<PlanEvent>): void {
    this.#specs.take(entry)
  }

  /** Writes the state of the watch. Never rejects. */
  async writeState(state: PmState): Promise<void> {
    if (await this.#isOurs())
      await this.#attend('pm-state.json', async () =>
        writeDocument(join(this.#folder, 'pm-state.json'), state),
      )
  }

  /** A failing part does not stop the others. Never rejects. */
  async sweep(): Promise<void> {
    if (!(await this.#isOurs())) return
    await this.#attend('request files', async () => {
      this.#requests.prepare()
      this.#watch()
      await this.#requestFiles.sweep()
    })
    await this.#attend('alert files', async () => {
      this.#alerts.prepare()
      await this.#alertFiles.sweep()
    })
    await this.#attend('worker files', () => this.#specs.sweep())
    const now = this.#host.parts.clock.now()
    if (now < this.#tidiedAt + TIDY_MS) return
    this.#tidiedAt = now
    await this.#attend('old files', async () => {
      for (const part of [this.#requests, this.#alerts, this.#specs]) await part.tidy(now - KEPT_MS)
    })
  }

  close(): void {
    for (const watcher of this.#watchers) watcher.close()
    this.#watchers = []
  }

  #isOurs(): Promise<boolean> {
    return this.#attend('the coordination folder', async () => {
      const problem = folderProblem(this.#folder)
      if (problem !== null) throw new Error(problem)
    })
  }

  /** False if it failed. Reports the same problem once. */
  async #attend(what: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work()
      this.#reported.delete(what)
      return true
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (this.#reported.get(what) !== message) this.#host.parts.onError(what, error)
      this.#reported.set(what, message)
      return false
    }
  }

  /** Without file notifications, the look once a loop remains. */
  #watch(): void {
    if (this.#watchers.length > 0) return
    this.#alerts.prepare()
    for (const path of [this.#requests.pending, this.#alerts.pending]) {
      const watcher = watch(path, () => this.#onNews())
      watcher.on('error', () => watcher.close())
      this.#watchers.push(watcher)
    }
  }
}
