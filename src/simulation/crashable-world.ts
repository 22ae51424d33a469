/** The world as one PM process sees it: after its crash its calls have no effect, while the world continues. */
import type { World } from '../engine/performers/performer.ts'
import type { Freeze } from './freeze.ts'

/** The error of a port that fails by a fault. */
export const SIMULATED_FAILURE = 'simulated failure'

export interface Life {
  alive: boolean
  /** Whether this call throws instead of doing its work. */
  readonly throws: (what: string) => boolean
  readonly freezer: Freeze
  /** Called when it crashes. */
  readonly onCrash: Set<() => void>
}

const never = (): Promise<never> => new Promise(() => undefined)

async function live<T>(life: Life, what: string, call: () => Promise<T>): Promise<T> {
  if (!life.alive) return never()
  if (life.throws(what)) throw new Error(SIMULATED_FAILURE)
  const result = await call().catch((error: unknown) => {
    if (!life.alive) return never()
    throw error
  })
  await new Promise<void>((resolve) => {
    life.freezer.deliver(resolve)
  })
  return life.alive ? result : never()
}

/** A person's answer to this PM. Rejects if the PM crashes meanwhile. */
export function answered<T>(life: Life, call: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const gone = (): void => reject(new Error('the PM is gone'))
    const settled = (settle: () => void): void => {
      life.onCrash.delete(gone)
      settle()
    }
    life.onCrash.add(gone)
    life.freezer.deliver(() => {
      if (!life.alive) return gone()
      call().then(
        (result) => settled(() => resolve(result)),
        (error: unknown) => settled(() => reject(error)),
      )
    })
  })
}

/** Its calls have no effect from now on. */
export function die(life: Life): void {
  life.alive = false
  for (const listener of life.onCrash) listener()
  life.onCrash.clear()
}

export function mortal(world: World, life: Life): World {
  const { takeBaseline, agent, gates, integration, brain, workspace } = world
  return {
    agent: {
      start: (job) => live(life, `start ${job.worker}`, () => agent.start(job)),
      stop: (worker, cause) => live(life, `stop ${worker}`, () => agent.stop(worker, cause)),
      unacknowledged: (running) => live(life, 'unheard', () => agent.unacknowledged(running)),
      listen: (listener) =>
        agent.listen((event) => life.freezer.deliver(() => life.alive && listener(event))),
      acknowledge: (worker) => live(life, 'acknowledge', () => agent.acknowledge(worker)),
      extend: (worker, limitMs) => live(life, `extend ${worker}`, () => agent.extend(worker, limitMs)),
      hold: (worker, isHeld) => live(life, `hold ${worker}`, () => agent.hold(worker, isHeld)),
      send: (worker, message) => live(life, `send to ${worker}`, () => agent.send(worker, message)),
    },
    gates: {
      run: (request, signal) => live(life, request.key, () => gates.run(request, signal)),
      runRelease: (request, signal) => live(life, request.key, () => gates.runRelease(request, signal)),
    },
    integration: {
      run: (request, signal) => live(life, request.key, () => integration.run(request, signal)),
      diagnose: (request, signal) => live(life, request.key, () => integration.diagnose(request, signal)),
    },
    brain: {
      think: (question, input, call) =>
        live(life, `think ${question.name} ${call.about.task ?? ''}`, () =>
          brain.think(question, input, call),
        ),
    },
    takeBaseline: (request, signal) => live(life, request.key, () => takeBaseline(request, signal)),
    workspace: {
      save: (request) => live(life, `save ${request.worker}`, () => workspace.save(request)),
      collect: (request) => live(life, request.key, () => workspace.collect(request)),
      commit: (request) => live(life, request.key, () => workspace.commit(request)),
      prepareRelease: (request) => live(life, request.key, () => workspace.prepareRelease(request)),
    },
  }
}
