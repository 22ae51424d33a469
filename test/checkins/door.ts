/** The real server on the real store, with a host whose workers are scripted: they live, and do nothing. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Host } from '../../src/app/host/host.ts'
import { registerPlan } from '../../src/app/plans/register-plan.ts'
import { eventCodec } from '../../src/core/events/codec.ts'
import { planFigures } from '../../src/core/planning/plan-figures.ts'
import { defaultSettings } from '../../src/core/settings/settings.ts'
import { systemClock } from '../../src/lib/system/system-clock.ts'
import { serve, type Serving } from '../../src/server/serve.ts'
import { openStore, type Store } from '../../src/store/open-store.ts'
import type { PlanEvent } from '../../src/core/events/plan-events.ts'
import { low } from '../helpers/plan-builder.ts'
import { scriptedWorld } from '../helpers/scripted-world.ts'
import { aPlan } from '../helpers/test-host.ts'

export interface CheckinDoor {
  readonly serving: Serving
  readonly host: Host
  readonly store: Store<PlanEvent>
}

export const taskOf = (index: number): string => `t${index}`
export const workerOf = (index: number): string => `w-shop-t${index}-1`

/** Opens the door in a state root; the first time a plan is registered, of as many workers as are asked for. */
export async function openDoor(root: string, workers: number): Promise<CheckinDoor> {
  const parts: { host?: Host; store?: Store<PlanEvent> } = {}
  const onError = (what: string, error: unknown): void => {
    process.stderr.write(
      `${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    )
  }
  const serving = await serve({
    version: 'test',
    build: 'source',
    port: 0,
    onError,
    openStore: async () => {
      const opened = await openStore({ root, codec: eventCodec })
      if (!opened.ok) throw new Error('the store is held')
      parts.store = opened.store
      return opened.store
    },
    openHost: async ({ log, repositories, notes }, { secret }) => {
      parts.host = await Host.open({
        root,
        secret,
        log,
        repositories,
        notes,
        clock: systemClock,
        worldFor: async () => ({
          ...scriptedWorld(systemClock, { worker: () => ({ workMs: null }) }),
          handIn: () => true,
        }),
        caretakerOf: async () => null,
        stopOrphans: async () => undefined,
        detach: async () => undefined,
        onError,
      })
      return parts.host
    },
  })
  const { host, store } = parts
  if (host === undefined || store === undefined) throw new Error('it was not opened')
  if (host.plans().length === 0) await registerWorkers(host, root, workers)
  return { serving, host, store }
}

async function registerWorkers(host: Host, root: string, workers: number): Promise<void> {
  const repository = join(root, 'work', 'shop')
  mkdirSync(repository, { recursive: true })
  const plan = aPlan(
    'shop',
    Array.from({ length: workers }, (_, index) => low(taskOf(index))),
  )
  const reading = { plan, figures: planFigures(plan, ['low']), text: 'tasks' }
  const defaults = defaultSettings()
  const settings = { ...defaults, pm: { ...defaults.pm, max_parallel_agents: workers } }
  const { plan: hosted } = await registerPlan(host, { reading, settings, repository })
  const isReady = (): boolean =>
    [...hosted.state.active].filter(({ step }) => step === 'working').length === workers
  while (!isReady()) await new Promise((resolve) => setImmediate(resolve))
}
