/**
 * Where simulated workers check in. What they said is kept while nobody is there, and told again to every PM
 * that comes; with a check-in a worker hears what waits for it.
 */
import { nextClaim, type Claim, type ClaimUpdate } from '../core/watch/observed.ts'
import type { PlanEngine } from '../engine/plan-engine.ts'
import type { Life } from './crashable-world.ts'
import type { ScriptedAgent } from './scripted-agent.ts'

export class CheckinDoor {
  readonly #agent: ScriptedAgent
  readonly #kept = new Map<string, Claim>()
  #open: { readonly engine: PlanEngine; readonly life: Life } | null = null

  constructor(agent: ScriptedAgent) {
    this.#agent = agent
  }

  opens(engine: PlanEngine, life: Life): void {
    this.#open = { engine, life }
    for (const [worker, claim] of this.#kept) if (this.#isRunning(worker)) engine.recallClaim(worker, claim)
  }

  closes(): void {
    this.#open = null
  }

  /** The words of a worker that is over are passed on too: it is for the PM to make nothing of them. */
  takes(worker: string, said: ClaimUpdate): void {
    this.#kept.set(worker, nextClaim(this.#kept.get(worker) ?? null, said))
    const open = this.#open
    if (open === null) return
    open.life.hold.word(() => {
      if (!open.life.alive) return
      open.engine.noteClaim(worker, said)
      this.#deliver(open.engine, worker)
    })
  }

  #isRunning(worker: string): boolean {
    return this.#agent.runs.get(worker)?.state === 'running'
  }

  #deliver(engine: PlanEngine, worker: string): void {
    const task = [...engine.state.active].find(({ live }) => live?.worker === worker)
    const waiting = task?.live?.watch.waiting ?? []
    if (task === undefined || waiting.length === 0 || !this.#isRunning(worker)) return
    const messages = waiting.map(({ id }) => id)
    const attempt = task.live?.attempt ?? task.attempt
    const heard = { worker, task: task.spec.id, attempt, messages, via: 'checkin' } as const
    this.#told(engine.propose({ type: 'worker.heard', v: 1, ...heard }), worker).catch(
      // The log could not be written: it hears it with its next check-in.
      () => undefined,
    )
  }

  async #told(proposed: ReturnType<PlanEngine['propose']>, worker: string): Promise<void> {
    if ((await proposed).ok) this.#agent.hear(worker)
  }
}
