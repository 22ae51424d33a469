import { describe, expect, test } from 'vitest'
import { low, MINUTE, normal } from '../../test/helpers/plan-builder.ts'
import { ScriptedProject, taskOf } from '../../test/helpers/scripted-project.ts'
import type { RunGates } from '../core/decide/effects.ts'
import type { PlanEvent } from '../core/events/plan-events.ts'
import { NeedsPerson, WorkspaceNotReady, type Workspace } from '../ports/workspace.ts'
import { standing } from '../core/decide/standing.ts'
import type { GateRunner } from '../ports/gate-runner.ts'
import { FaultyLog } from '../simulation/faulty-log.ts'

const cancelled: PlanEvent = { type: 'plan.cancelled', v: 1, by: 'ada', reason: 'no' }

/** Records each gate run with its signal. */
class WatchedGates implements GateRunner {
  readonly runs: { readonly request: RunGates; readonly signal: AbortSignal }[] = []
  readonly #gates: GateRunner
  readonly #answers: 'at once' | 'never'

  constructor(gates: GateRunner, answers: 'at once' | 'never') {
    this.#gates = gates
    this.#answers = answers
  }

  run(request: RunGates, signal: AbortSignal) {
    this.runs.push({ request, signal })
    return this.#answers === 'never' ? new Promise<never>(() => undefined) : this.#gates.run(request, signal)
  }

  runRelease(...asked: Parameters<GateRunner['runRelease']>) {
    return this.#gates.runRelease(...asked)
  }
}

describe('an effect', () => {
  test('that is no longer owed is aborted', async () => {
    const project = await ScriptedProject.registered([low('1')])
    const gates = new WatchedGates(project.world.gates, 'never')
    const engine = await project.start({ world: { gates } })
    await project.until('work.collected')
    await project.virtual.until(() => gates.runs.length > 0)
    expect(gates.runs[0]?.signal.aborted).toBe(false)
    await engine.propose(cancelled)
    await project.quiet()
    expect(gates.runs.map(({ signal }) => signal.aborted)).toEqual([true])
  })

  test('is aborted when the engine is closed', async () => {
    const project = await ScriptedProject.registered([low('1')])
    const gates = new WatchedGates(project.world.gates, 'never')
    const engine = await project.start({ world: { gates } })
    await project.until('work.collected')
    await project.virtual.until(() => gates.runs.length > 0)
    await engine.close()
    expect(gates.runs[0]?.signal.aborted).toBe(true)
  })

  test('is not started a second time while it runs', async () => {
    const project = await ScriptedProject.registered([low('1'), low('2'), low('3')])
    const gates = new WatchedGates(project.world.gates, 'at once')
    await project.start({ world: { gates } })
    await project.quiet()
    expect(gates.runs.map(({ request }) => request.key).toSorted()).toEqual([
      'gates 1 1 all 0',
      'gates 2 1 all 0',
      'gates 3 1 all 0',
    ])
  })

  test('that is restarted because the log failed is aborted first', async () => {
    const project = await ScriptedProject.registered([low('1'), low('2')], {
      worker: ({ spec }) => ({ workMs: spec.id === '1' ? MINUTE : 10 * MINUTE }),
    })
    const gates = new WatchedGates(project.world.gates, 'never')
    let isFull = false
    const log = new FaultyLog(project.log, {
      fate: () => (isFull ? 'error_before' : 'fine'),
      onCrash: () => undefined,
      onWritten: () => undefined,
    })
    await project.start({ log, world: { gates } })
    await project.virtual.until(() => gates.runs.length === 1)
    isFull = true
    await project.virtual.until(() => project.troubles.length > 0)
    isFull = false
    await project.virtual.until(() => gates.runs.length > 1)
    const [first, second] = gates.runs
    expect([first?.request.key, second?.request.key]).toEqual(['gates 1 1 all 0', 'gates 1 1 all 0'])
    expect([first?.signal.aborted, second?.signal.aborted]).toEqual([true, false])
  })

  test('that throws is retried later, and escalated after the fifth failure', async () => {
    const project = await ScriptedProject.registered([low('1')])
    let asked = 0
    const gates: GateRunner = {
      run: (request, signal) => {
        asked++
        return asked <= 6 ? Promise.reject(new Error('no room')) : project.world.gates.run(request, signal)
      },
      runRelease: (request, signal) => project.world.gates.runRelease(request, signal),
    }
    const engine = await project.start({ world: { gates } })
    await project.quiet()
    expect(await project.events('effect.failed')).toHaveLength(6)
    expect([...project.person.seen.values()].map(({ subject }) => subject)).toEqual(['effect', 'sign_off'])
    expect(await project.events('inbox.withdrawn')).toHaveLength(1)
    expect(standing(engine.state).state).toBe('done')
  })

  test('that only a person can fix is escalated at once, and continues after the fix', async () => {
    const project = await ScriptedProject.registered([low('1')])
    let asked = 0
    const { workspace } = project.world
    const stubborn: Workspace = {
      save: (request) => workspace.save(request),
      collect: (request) => workspace.collect(request),
      commit: (request) =>
        ++asked === 1 ? Promise.reject(new NeedsPerson('it was moved')) : workspace.commit(request),
      prepareRelease: (request) => workspace.prepareRelease(request),
    }
    const engine = await project.start({ world: { workspace: stubborn } })
    await project.quiet()
    expect(await project.events('effect.failed')).toMatchObject([
      { reason: 'it was moved', needsPerson: true },
    ])
    const [first] = [...project.person.seen.values()]
    expect(first?.problem).toBe('committing task 1 keeps failing: it was moved')
    expect([standing(engine.state).state, asked]).toEqual(['done', 2])
  })

  test('with an incomplete result does not count as done, and is retried later', async () => {
    const project = await ScriptedProject.registered([low('1')])
    let asked = 0
    const gates: GateRunner = {
      run: async (request, signal) => {
        const verdicts = await project.world.gates.run(request, signal)
        return ++asked <= 2 ? verdicts.slice(1) : verdicts
      },
      runRelease: (request, signal) => project.world.gates.runRelease(request, signal),
    }
    const engine = await project.start({ world: { gates } })
    await project.quiet()
    expect((await project.events('effect.failed')).map(({ reason }) => reason)).toEqual(
      Array(2).fill('the result was rejected: no verdict for plan_alignment'),
    )
    expect([standing(engine.state).state, asked]).toEqual(['done', 3])
  })

  test('with a late result does not write it', async () => {
    const project = await ScriptedProject.registered([low('1')])
    const engine = await project.start()
    await project.until('work.collected')
    await engine.propose(cancelled)
    await project.quiet()
    expect(await project.events('task.gated')).toEqual([])
  })
})

describe('a worker', () => {
  test('whose agent is unavailable counts as lost: another is dispatched, then a person is asked', async () => {
    const project = await ScriptedProject.registered([low('1')], {
      worker: () => ({ unavailable: 'not signed in' }),
    })
    const engine = await project.run()
    expect(taskOf(engine, '1')).toMatchObject({ step: 'escalated', attempt: 3, counters: { restarts: 2 } })
    expect([...engine.state.inbox.values()][0]?.item.problem).toContain('not signed in')
  })

  test('whose workspace is not ready is started later, without using up its attempt', async () => {
    const project = await ScriptedProject.registered([low('1')])
    const { agent } = project.world
    let asked = 0
    const engine = await project.start({
      world: {
        agent: {
          start: (job) =>
            ++asked <= 6 ? Promise.reject(new WorkspaceNotReady('npm ci exited with 1')) : agent.start(job),
          unacknowledged: () => agent.unacknowledged(),
          listen: (listener) => agent.listen(listener),
          acknowledge: (worker) => agent.acknowledge(worker),
          send: (worker, message) => agent.send(worker, message),
          extend: (worker, limitMs) => agent.extend(worker, limitMs),
          hold: (worker, isHeld) => agent.hold(worker, isHeld),
          stop: (worker, cause) => agent.stop(worker, cause),
        },
      },
    })
    await project.until('task.committed')
    expect(taskOf(engine, '1')).toMatchObject({ step: 'completed', attempt: 1, counters: { restarts: 0 } })
    const opened = (await project.events('inbox.opened')).map(({ item }) => item)
    expect(opened).toMatchObject([
      { subject: 'effect', problem: expect.stringContaining('npm ci exited with 1') },
    ])
  })

  test('that is no longer needed is aborted while its workspace is prepared', async () => {
    const project = await ScriptedProject.registered([low('1')])
    const { agent } = project.world
    const signals: AbortSignal[] = []
    const engine = await project.start({
      world: {
        agent: {
          start: (_, signal) => {
            if (signal !== undefined) signals.push(signal)
            return new Promise<never>(() => undefined)
          },
          unacknowledged: () => agent.unacknowledged(),
          listen: (listener) => agent.listen(listener),
          acknowledge: (worker) => agent.acknowledge(worker),
          send: (worker, message) => agent.send(worker, message),
          extend: (worker, limitMs) => agent.extend(worker, limitMs),
          hold: (worker, isHeld) => agent.hold(worker, isHeld),
          stop: (worker, cause) => agent.stop(worker, cause),
        },
      },
    })
    await project.virtual.until(() => signals.length > 0)
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
    await engine.propose(cancelled)
    await project.quiet()
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })

  test('is saved before it is stopped', async () => {
    const order: string[] = []
    const project = await ScriptedProject.registered([normal('1')], {
      worker: () => ({ workMs: null, signEveryMs: null }),
    })
    const { workspace, agent } = project.world
    const engine = await project.start({
      world: {
        workspace: {
          collect: (request) => workspace.collect(request),
          commit: (request) => workspace.commit(request),
          prepareRelease: (request) => workspace.prepareRelease(request),
          save: async (request) => {
            await workspace.save(request)
            order.push(`saved ${request.worker}`)
          },
        },
        agent: {
          start: (job) => agent.start(job),
          unacknowledged: () => agent.unacknowledged(),
          listen: (listener) => agent.listen(listener),
          acknowledge: (worker) => agent.acknowledge(worker),
          send: (worker, message) => agent.send(worker, message),
          extend: (worker, limitMs) => agent.extend(worker, limitMs),
          hold: (worker, isHeld) => agent.hold(worker, isHeld),
          stop: (worker, cause) => {
            order.push(`stopped ${worker}: ${cause}`)
            return agent.stop(worker, cause)
          },
        },
      },
    })
    await project.until('worker.ended')
    expect(order).toEqual(['saved w-shop-1-1', 'stopped w-shop-1-1: zombie'])
    expect(taskOf(engine, '1').cause).toEqual({ kind: 'lost', reason: 'it never gave a sign of life' })
  })

  test('that gives signs of life is left alone until its limit', async () => {
    const project = await ScriptedProject.registered([low('1')], { worker: () => ({ workMs: null }) })
    await project.start()
    await project.until('worker.condemned')
    expect((await project.events('worker.condemned'))[0]?.cause).toBe('time_limit')
  })
})

test('each progress report is shown once', async () => {
  const project = await ScriptedProject.registered(['1', '2', '3', '4'].map((id) => low(id)))
  await project.run()
  expect((await project.events('progress.reported')).map(({ why }) => why)).toEqual(['3 tasks completed'])
})
