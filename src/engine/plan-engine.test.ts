import { describe, expect, test } from 'vitest'
import { logWith } from '../../test/helpers/log-with.ts'
import { low, MINUTE, normal } from '../../test/helpers/plan-builder.ts'
import { ScriptedProject, taskOf } from '../../test/helpers/scripted-project.ts'
import type { PlanEvent } from '../core/events/plan-events.ts'
import { standing } from '../core/decide/standing.ts'
import { Freeze } from '../simulation/freeze.ts'
import { mortal } from '../simulation/crashable-world.ts'
import type { WorkerScript } from '../simulation/scripted-agent.ts'
import type { Doing } from '../simulation/worker-life.ts'
import { NoSuchPlan } from './plan-log.ts'

const two = [low('1'), normal('2', { dependsOn: ['1'] })]
const paused: PlanEvent = { type: 'plan.paused', v: 1, by: 'ada', reason: 'lunch', stopWorkers: false }
const resumed: PlanEvent = { type: 'plan.resumed', v: 1, by: 'ada' }

test('the engine runs a plan up to its sign-off', async () => {
  const project = await ScriptedProject.registered(two)
  const engine = await project.run()
  expect(standing(engine.state)).toEqual({ state: 'done', why: 'released, waiting for a sign-off' })
  expect(project.workspace.landed.map(({ task }) => task)).toEqual(['1', '2'])
  expect([...project.person.seen.keys()]).toEqual(['R-1'])
  expect(project.troubles).toEqual([])
})

test('the engine does not start without a plan', async () => {
  await expect(new ScriptedProject().start()).rejects.toThrow(NoSuchPlan)
})

describe('a restarted engine', () => {
  test('continues where the log ends, and does nothing twice', async () => {
    const project = await ScriptedProject.registered(two)
    const first = await project.start()
    await project.until('worker.started')
    await first.close()
    const second = await project.run()
    expect(standing(second.state).state).toBe('done')
    expect(project.jobs.map(({ worker }) => worker)).toEqual([
      'w-shop-1-1',
      'w-shop-2-1',
      'w-shop-2-1-review-1',
    ])
    expect(await project.events('plan.baselined')).toHaveLength(1)
  })

  test('logs each start', async () => {
    const project = await ScriptedProject.registered(two)
    const first = await project.start()
    await project.until('pm.started')
    await first.close()
    await project.run()
    expect(await project.events('pm.started')).toHaveLength(2)
  })

  test('receives ends it missed before it judges workers', async () => {
    const project = await ScriptedProject.registered([low('1')])
    const first = await project.start()
    await project.until('worker.started')
    await first.close()
    await project.virtual.clock.run(project.virtual.clock.monotonic() + 600 * MINUTE, () => false)
    const second = await project.run()
    expect(await project.events('worker.condemned')).toEqual([])
    expect(taskOf(second, '1').attempt).toBe(1)
  })

  test('adopts a worker that still runs', async () => {
    const project = await ScriptedProject.registered([low('1')])
    const first = await project.start()
    await project.until('worker.started')
    await first.close()
    await project.run()
    expect(project.jobs).toHaveLength(1)
    expect((await project.events('worker.ended')).map(({ end }) => end.kind)).toEqual(['done'])
  })
})

describe('closing an engine', () => {
  test('stops no worker and does nothing more', async () => {
    const project = await ScriptedProject.registered([low('1')])
    const engine = await project.start()
    await project.until('worker.started')
    await engine.close()
    const before = (await project.entries()).length
    await project.quiet()
    expect((await project.entries()).length).toBe(before)
    expect(await project.agent.unacknowledged()).toMatchObject([
      { worker: 'w-shop-1-1', end: { kind: 'done' } },
    ])
  })

  test('twice is the same as once', async () => {
    const engine = await (await ScriptedProject.registered([low('1')])).start()
    await engine.close()
    await expect(engine.close()).resolves.toBeUndefined()
  })
})

describe('a proposal from outside', () => {
  test('is written and acted on', async () => {
    const project = await ScriptedProject.registered(two)
    const engine = await project.start()
    await project.until('worker.started')
    expect(await engine.propose(paused)).toEqual({ ok: true })
    await project.quiet()
    expect([standing(engine.state).state, taskOf(engine, '2').step]).toEqual(['paused', 'ready'])
    expect(await engine.propose(resumed)).toEqual({ ok: true })
    await project.quiet()
    expect(standing(engine.state).state).toBe('done')
  })

  test('is refused with the reason where it is invalid, and nothing is written', async () => {
    const project = await ScriptedProject.registered(two)
    const engine = await project.run()
    const before = (await project.entries()).length
    expect(await engine.propose(resumed)).toEqual({ ok: false, why: 'the plan is not paused' })
    expect((await project.entries()).length).toBe(before)
  })

  test('resolves only after it is durable', async () => {
    const project = await ScriptedProject.registered([low('1')])
    let release = (): void => undefined
    let isHeld = false
    const log = logWith(project.log, {
      append: async (append) => {
        if (isHeld) await new Promise<void>((resolve) => (release = resolve))
        return project.log.append(append)
      },
    })
    const engine = await project.start({ log })
    await project.until('worker.started')
    isHeld = true
    let answer: unknown = 'none yet'
    const proposing = engine.propose(paused).then((given) => (answer = given))
    await project.virtual.until(() => true)
    expect([answer, engine.state.paused]).toEqual(['none yet', null])
    isHeld = false
    release()
    await proposing
    expect(answer).toEqual({ ok: true })
    expect(await project.events('plan.paused')).toHaveLength(1)
  })
})

describe('when wall time jumps', () => {
  test('it is logged once, and no worker is judged by it', async () => {
    const project = await ScriptedProject.registered([low('1')])
    await project.start()
    await project.until('worker.started')
    project.virtual.clock.jump(600 * MINUTE)
    await project.quiet()
    expect((await project.events('clock.jumped')).map(({ byMs }) => byMs)).toEqual([600 * MINUTE])
    expect(await project.events('worker.condemned')).toEqual([])
  })

  test('it is logged before any later event', async () => {
    const project = await ScriptedProject.registered([low('1')], {
      worker: () => ({ startMs: MINUTE, signEveryMs: null, workMs: null }),
    })
    await project.start()
    await project.until('task.dispatched')
    project.virtual.clock.jump(600 * MINUTE)
    await project.until('inbox.opened')
    const types = (await project.entries()).map(({ event }) => event.type)
    expect(types.indexOf('clock.jumped')).toBeLessThan(types.indexOf('worker.started'))
    expect(project.virtual.clock.monotonic()).toBeLessThan(10 * MINUTE)
  })

  test('small corrections do not count as jumps', async () => {
    const project = await ScriptedProject.registered([low('1')])
    await project.start()
    await project.until('worker.started')
    project.virtual.clock.jump(4999)
    await project.quiet()
    expect(await project.events('clock.jumped')).toEqual([])
  })

  test('it is noticed by the next engine too', async () => {
    const project = await ScriptedProject.registered([low('1')])
    const first = await project.start()
    await project.until('worker.started')
    await first.close()
    project.virtual.clock.jump(-600 * MINUTE)
    await project.run()
    expect((await project.events('clock.jumped')).map(({ byMs }) => byMs)).toEqual([-600 * MINUTE])
  })
})

describe('a PM whose process is frozen', () => {
  /** One worker at one task, and a PM that is frozen from the tenth minute of its work on. */
  async function frozen(forMs: number, worker: Partial<WorkerScript>): Promise<ScriptedProject> {
    const script = { startMs: 0, signEveryMs: null, ...worker }
    const project = await ScriptedProject.registered([low('1')], { worker: () => script })
    const { clock } = project.virtual
    const freezer = new Freeze(clock)
    const world = mortal(project.world, { alive: true, throws: () => false, freezer, onCrash: new Set() })
    await project.start({ world, clock: freezer.clock() })
    await project.until('worker.started')
    clock.wake(10 * MINUTE, () => freezer.freeze(forMs, () => undefined))
    await project.quiet()
    return project
  }

  test('receives missed ends before it judges workers', async () => {
    const project = await frozen(90 * MINUTE, { signEveryMs: MINUTE, workMs: 50 * MINUTE })
    expect(await project.events('worker.condemned')).toEqual([])
    expect((await project.events('worker.ended')).map(({ end }) => end.kind)).toEqual(['done'])
  })

  test('does not judge workers by time it could not observe', async () => {
    const project = await frozen(30 * MINUTE, { signEveryMs: 4 * MINUTE, workMs: 55 * MINUTE })
    expect((await project.events('worker.told')).map(({ message }) => message.kind)).not.toContain('nudge')
  })

  test('does not count its own pause against the limit of a worker that was frozen with it', async () => {
    const halts = [{ afterMs: 10 * MINUTE, how: 'silent', forMs: 90 * MINUTE, wakes: () => false }] as const
    const project = await frozen(90 * MINUTE, { signEveryMs: MINUTE, workMs: 50 * MINUTE, halts })
    expect(await project.events('worker.condemned')).toEqual([])
    expect((await project.events('worker.ended')).map(({ end }) => end.kind)).toEqual(['done'])
  })

  test('notices a pause that ended before its next look was due', async () => {
    const doings: Doing[] = [4, 8, 14, 18].map((minute) => ({
      kind: 'sign',
      of: ['cpu'],
      afterMs: minute * MINUTE,
    }))
    const project = await frozen(2.5 * MINUTE, { doings, workMs: 19 * MINUTE })
    expect((await project.events('worker.told')).map(({ message }) => message.kind)).not.toContain('nudge')
  })

  test('receives missed signs of life even after a short delay', async () => {
    const doings: Doing[] = [4, 9, 10.5].map((minute) => ({
      kind: 'sign',
      of: ['cpu'],
      afterMs: minute * MINUTE,
    }))
    const project = await frozen(4 * MINUTE + 500, { doings, workMs: 15 * MINUTE })
    expect(await project.events('worker.told')).toEqual([])
  })
})

describe('a worker that gives a sign of life after a silence', () => {
  const at = (...minutes: number[]): Doing[] =>
    minutes.map((minute) => ({ kind: 'sign', of: ['cpu'], afterMs: minute * MINUTE }))

  test('is healthy from that moment on, and its next silence counts from there', async () => {
    const script = { startMs: 0, signEveryMs: null, workMs: 30 * MINUTE, doings: at(1, 8) }
    const project = await ScriptedProject.registered([low('1')], { worker: () => script })
    await project.run()
    const entries = await project.entries()
    const begun = entries.find(({ event }) => event.type === 'worker.started')?.at ?? 0
    const minutesOf = (type: PlanEvent['type']): number[] =>
      entries.filter(({ event }) => event.type === type).map((entry) => (entry.at - begun) / MINUTE)
    expect(minutesOf('inbox.opened').slice(0, 2)).toEqual([7, 14])
    expect(minutesOf('inbox.withdrawn')[0]).toBe(8)
  })
})
