/** An agent whose workers do what a script says, on whatever clock it is given. */
import type { Report, WorkerEnd } from '../core/events/parts.ts'
import {
  AgentUnavailable,
  type Agent,
  type AgentEvent,
  type Job,
  type ReviewReport,
  type WorkerEnded,
} from '../ports/agent.ts'
import type { Clock } from '../ports/clock.ts'

/** What one worker does, from beginning to end. */
export interface WorkerScript {
  readonly unavailable?: string | undefined
  readonly startMs: number
  /** How long it works; null: it never ends by itself. */
  readonly workMs: number | null
  /** How often it shows that it lives; null: never. */
  readonly signEveryMs: number | null
  readonly end: WorkerEnd
  readonly report: Report | null
  readonly review: ReviewReport | null
  /** What it writes, and whether that is what was asked for. */
  readonly writes: { readonly changed: readonly string[]; readonly isSound: boolean }
  /** What is heard of it after its end: the same again, or something else, too late. */
  readonly echoes: readonly { readonly afterMs: number; readonly end: WorkerEnd }[]
}

export interface Run {
  readonly job: Job | null
  readonly script: WorkerScript | null
  state: 'running' | 'ended'
  acknowledged: boolean
}

export class ScriptedAgent implements Agent {
  readonly runs = new Map<string, Run>()
  readonly #clock: Clock
  readonly #scriptFor: (job: Job) => WorkerScript
  readonly #ended: WorkerEnded[] = []
  readonly #listeners = new Set<(event: AgentEvent) => void>()

  constructor(clock: Clock, scriptFor: (job: Job) => WorkerScript) {
    this.#clock = clock
    this.#scriptFor = scriptFor
  }

  async start(job: Job): Promise<void> {
    if (this.runs.has(job.worker)) return
    const script = this.#scriptFor(job)
    if (script.unavailable !== undefined) throw new AgentUnavailable(script.unavailable)
    const run: Run = { job, script, state: 'running', acknowledged: false }
    this.runs.set(job.worker, run)
    if (script.startMs > 0) await this.#pass(script.startMs)
    this.#live(job.worker, run, script)
  }

  async stop(worker: string, cause: Extract<WorkerEnd, { kind: 'stopped' }>['cause']): Promise<void> {
    const run = this.runs.get(worker) ?? {
      job: null,
      script: null,
      state: 'running',
      acknowledged: false,
    }
    this.runs.set(worker, run)
    if (run.state === 'ended') return
    this.#end(worker, run, { end: { kind: 'stopped', cause }, report: null, review: null })
  }

  listen(listener: (event: AgentEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  async unheard(): Promise<readonly WorkerEnded[]> {
    return this.#ended.filter((event) => this.runs.get(event.worker)?.acknowledged === false)
  }

  async acknowledge(worker: string): Promise<void> {
    const run = this.runs.get(worker)
    if (run !== undefined) run.acknowledged = true
  }

  /** A script listens to nobody. */
  async send(): Promise<boolean> {
    return false
  }

  /** A script ends when it says. */
  async extend(): Promise<void> {}

  /** What a worker has written so far: all of it, once it has ended by itself. */
  writtenBy(worker: string): WorkerScript['writes'] | null {
    return this.runs.get(worker)?.script?.writes ?? null
  }

  #pass(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.wake(ms, resolve)
    })
  }

  #live(worker: string, run: Run, script: WorkerScript): void {
    const { workMs, signEveryMs, end, report, review } = script
    if (workMs !== null) this.#clock.wake(workMs, () => this.#end(worker, run, { end, report, review }))
    if (signEveryMs === null) return
    const sign = (): void => {
      if (run.state === 'ended') return
      this.#tell({ kind: 'sign', worker })
      this.#clock.wake(signEveryMs, sign)
    }
    this.#clock.wake(signEveryMs, sign)
  }

  #end(worker: string, run: Run, how: Omit<WorkerEnded, 'kind' | 'worker'>): void {
    if (run.state === 'ended') return
    run.state = 'ended'
    const ended: WorkerEnded = { kind: 'ended', worker, ...how }
    this.#ended.push(ended)
    this.#clock.wake(0, () => this.#tell(ended))
    for (const echo of run.script?.echoes ?? []) {
      this.#clock.wake(echo.afterMs, () => this.#tell({ ...ended, end: echo.end }))
    }
  }

  #tell(event: AgentEvent): void {
    for (const listener of this.#listeners) listener(event)
  }
}
