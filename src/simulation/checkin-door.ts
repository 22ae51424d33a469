/**
 * Where simulated workers check in. Claims are kept while no PM runs, and passed to every PM that starts; a
 * check-in delivers waiting messages.
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

  /** Check-ins of ended workers are passed on too: the PM has to ignore them. */
  receive(worker: string, update: ClaimUpdate): void {
    this.#kept.set(worker, nextClaim(this.#kept.get(worker) ?? null, update))
    const open = this.#open
    if (open === null) return
    open.life.freezer.deliver(() => {
      if (!open.life.alive) return
      open.engine.noteClaim(worker, update)
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
    const delivered = { worker, task: task.spec.id, attempt, messages, via: 'checkin' } as const
    this.#confirm(engine.propose({ type: 'worker.heard', v: 1, ...delivered }), worker).catch(
      // The log could not be written: the next check-in delivers it.
      () => undefined,
    )
  }

  async #confirm(proposed: ReturnType<PlanEngine['propose']>, worker: string): Promise<void> {
    if ((await proposed).ok) this.#agent.hear(worker)
  }
}
