/** An agent whose workers follow a script, on a given clock. */
import type { Report, WorkerEnd } from '../core/event-schemas/schemas.ts'
import {
  AgentUnavailable,
  type Agent,
  type AgentEvent,
  type Job,
  type ReviewReport,
  type SessionMessage,
  type Started,
  type WorkerEnded,
} from '../ports/agent.ts'
import type { ClaimUpdate } from '../core/watch/observed.ts'
import type { Clock } from '../ports/clock.ts'
import { sleep } from './sleep.ts'
import { WorkerLife, type LifeScript, type Show } from './worker-life.ts'

/** What one worker does, from beginning to end. */
export interface WorkerScript extends LifeScript {
  readonly unavailable?: string | undefined
  /** Its agent; absent: unnamed. */
  readonly agent?: string | undefined
  readonly startMs: number
  /** It accepts messages while it works; otherwise only with a check-in. */
  readonly listens?: boolean | undefined
  readonly end: WorkerEnd
  readonly report: Report | null
  readonly review: ReviewReport | null
  /** What it writes, and whether that meets the contract. */
  readonly writes: { readonly changed: readonly string[]; readonly isSound: boolean }
  /** Late events after its end: a repetition, or another end. */
  readonly echoes: readonly { readonly afterMs: number; readonly end: WorkerEnd }[]
  /** Check-ins long after its end. */
  readonly lateCheckins?:
    | readonly { readonly afterMs: number; readonly status: ClaimUpdate['status'] }[]
    | undefined
}

export interface Run {
  readonly job: Job | null
  readonly script: WorkerScript | null
  state: 'running' | 'ended'
  acknowledged: boolean
  life: WorkerLife | null
  /** It has shown a sign of life. */
  hasLived: boolean
  /** Since its start, including extensions. */
  limitMs: number
  seq: number
}

/** Receives check-ins, which do not go to the agent's listeners. */
export type CheckinDoor = (worker: string, update: ClaimUpdate) => void

export class ScriptedAgent implements Agent {
  readonly runs = new Map<string, Run>()
  readonly #clock: Clock
  readonly #scriptFor: (job: Job) => WorkerScript
  readonly #ended: WorkerEnded[] = []
  readonly #listeners = new Set<(event: AgentEvent) => void>()
  readonly #door: CheckinDoor

  constructor(clock: Clock, scriptFor: (job: Job) => WorkerScript, door: CheckinDoor = () => undefined) {
    this.#clock = clock
    this.#scriptFor = scriptFor
    this.#door = door
  }

  async start(job: Job): Promise<Started> {
    const before = this.runs.get(job.worker)
    if (before !== undefined) return { agent: before.script?.agent ?? null }
    const script = this.#scriptFor(job)
    if (script.unavailable !== undefined) throw new AgentUnavailable(script.unavailable)
    const run: Run = { ...NEW_RUN, job, script, limitMs: job.timeLimitMs }
    this.runs.set(job.worker, run)
    if (script.startMs > 0) await sleep(this.#clock, script.startMs)
    this.#live(job.worker, run, script)
    return { agent: script.agent ?? null }
  }

  async stop(worker: string, cause: Extract<WorkerEnd, { kind: 'stopped' }>['cause']): Promise<void> {
    const run = this.runs.get(worker) ?? { ...NEW_RUN }
    this.runs.set(worker, run)
    if (run.state === 'ended') return
    // Its report exists, however it ended.
    const report = run.life?.isLingering === true ? (run.script?.report ?? null) : null
    this.#end(worker, run, { end: { kind: 'stopped', cause }, report, review: null })
  }

  listen(listener: (event: AgentEvent) => void): () => void {
    this.#listeners.add(listener)
    this.#clock.wake(0, () => this.#replay(listener))
    return () => {
      this.#listeners.delete(listener)
    }
  }

  async unacknowledged(): Promise<readonly WorkerEnded[]> {
    return this.#ended.filter((event) => this.runs.get(event.worker)?.acknowledged === false)
  }

  async acknowledge(worker: string): Promise<void> {
    const run = this.runs.get(worker)
    if (run !== undefined) run.acknowledged = true
  }

  async send(worker: string, sent: SessionMessage): Promise<boolean> {
    const run = this.runs.get(worker)
    if (run?.state !== 'running' || run.script?.listens !== true || sent.kind === 'withdrawn') return false
    const message = sent.kind === 'prompt' ? sent.message.id : sent.message
    this.#clock.wake(0, () => {
      if (run.state !== 'running') return
      this.hear(worker)
      this.#emit({ kind: 'delivered', worker, seq: ++run.seq, message })
    })
    return true
  }

  async extend(worker: string, limitMs: number): Promise<void> {
    const run = this.runs.get(worker)
    if (run !== undefined) run.limitMs = limitMs
  }

  /** Its limit is only what a bystander judges by. */
  async hold(): Promise<void> {}

  /** A message was delivered to it. */
  hear(worker: string): void {
    this.runs.get(worker)?.life?.hear()
  }

  /** What a worker has written so far: all of it, once it has ended by itself. */
  writtenBy(worker: string): WorkerScript['writes'] | null {
    return this.runs.get(worker)?.script?.writes ?? null
  }

  #live(worker: string, run: Run, script: WorkerScript): void {
    if (run.state === 'ended') return
    const { end, report, review } = script
    run.life = new WorkerLife(this.#clock, script, {
      tell: (show) => this.#show(worker, run, show),
      done: () => this.#end(worker, run, { end, report, review }),
    })
    run.life.begin()
  }

  #show(worker: string, run: Run, show: Show): void {
    switch (show.kind) {
      case 'sign':
        run.hasLived = true
        return this.#emit({ ...show, worker })
      case 'halted':
      case 'reported':
        return this.#emit({ ...show, worker })
      case 'speaks':
        return this.#emit({ kind: 'text', worker, seq: ++run.seq, of: 'message', text: 'on it' })
      case 'tool_started':
        return this.#emit(toolStarted(worker, ++run.seq, show.id))
      case 'tool_ended':
        return this.#emit({ kind: 'tool_ended', worker, seq: ++run.seq, id: show.id, outcome: 'completed' })
      case 'checkin':
        return this.#door(worker, this.#claim(show))
    }
  }

  #claim({ status, percent }: Pick<ClaimUpdate, 'status' | 'percent'>): ClaimUpdate {
    const failure = status === 'failed' ? { reason: 'it does not build', canRetry: true } : null
    const at = this.#clock.now()
    const unset = { step: null, nextStep: null, timeRemaining: null }
    return { at, status, percent, ...unset, issues: [], failure }
  }

  /** Replays signs of life and running tool calls to a new listener. */
  #replay(listener: (event: AgentEvent) => void): void {
    for (const [worker, { life, seq, state, hasLived }] of this.runs) {
      if (hasLived && state === 'running') listener({ kind: 'lived', worker })
      for (const id of life?.tools ?? []) listener(toolStarted(worker, seq, id))
    }
  }

  #end(worker: string, run: Run, how: Omit<WorkerEnded, 'kind' | 'worker'>): void {
    if (run.state === 'ended') return
    run.state = 'ended'
    run.life?.over()
    const agent = run.script?.agent
    const ended: WorkerEnded = { kind: 'ended', worker, ...how, ...(agent === undefined ? {} : { agent }) }
    this.#ended.push(ended)
    this.#clock.wake(0, () => this.#emit(ended))
    for (const echo of run.script?.echoes ?? []) {
      this.#clock.wake(echo.afterMs, () => this.#emit({ ...ended, end: echo.end }))
    }
    for (const { afterMs, status } of run.script?.lateCheckins ?? []) {
      this.#clock.wake(afterMs, () => this.#door(worker, this.#claim({ status, percent: 100 })))
    }
  }

  #emit(event: AgentEvent): void {
    for (const listener of this.#listeners) listener(event)
  }
}

const NEW_RUN: Run = {
  job: null,
  script: null,
  state: 'running',
  acknowledged: false,
  life: null,
  hasLived: false,
  limitMs: 0,
  seq: 0,
}

const toolStarted = (worker: string, seq: number, id: string): AgentEvent => ({
  kind: 'tool_started',
  worker,
  seq,
  id,
  tool: 'bash',
  title: `build ${id}`,
})
