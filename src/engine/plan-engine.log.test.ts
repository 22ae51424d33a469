import { describe, expect, test } from 'vitest'
import { logWith } from '../../test/helpers/log-with.ts'
import { low, MINUTE, normal } from '../../test/helpers/plan-builder.ts'
import { ScriptedProject, STREAM, taskOf, type ProjectOptions } from '../../test/helpers/scripted-project.ts'
import type { PlanEvent } from '../core/events/plan-events.ts'
import { standing } from '../core/decide/standing.ts'
import type { Append, EventLog } from '../ports/event-log.ts'
import { FaultyLog, type AppendFate } from '../simulation/faulty-log.ts'

const tasks = [low('1'), normal('2', { dependsOn: ['1'] })]
const CAREFUL: ProjectOptions = {
  settings: { approval: 'each_task' },
  person: (item) =>
    item.kind === 'approval' ? { choice: 'approve', feedback: '', afterMs: 10, times: 1 } : null,
}

function faulty(project: ScriptedProject, fate: (nth: number) => AppendFate): FaultyLog {
  return new FaultyLog(project.log, { fate, onCrash: () => undefined, onWritten: () => undefined })
}

async function runWith(fate: (nth: number) => AppendFate) {
  const project = await ScriptedProject.registered(tasks, CAREFUL)
  const engine = await project.start({ log: faulty(project, fate) })
  await project.quiet()
  return { project, engine }
}

describe.each(['error_before', 'error_after'] as const)('an append with %s', (fate) => {
  test('changes neither the result nor repeats an effect, wherever it happens', async () => {
    let appends = 0
    await runWith(() => {
      appends++
      return 'fine'
    })
    for (let at = 1; at <= appends; at++) {
      const { project, engine } = await runWith((nth) => (nth === at ? fate : 'fine'))
      const name = `append ${at} of ${appends}`
      expect(standing(engine.state).state, name).toBe('done')
      expect(
        project.workspace.landed.map(({ task }) => task),
        name,
      ).toEqual(['1', '2'])
      expect(
        [...engine.state.tasks.values()].map(({ attempt }) => attempt),
        name,
      ).toEqual([1, 1])
      expect(project.troubles.length, name).toBeGreaterThan(0)
    }
  })

  test('is survived ten times in a row', async () => {
    const { project, engine } = await runWith((nth) => (nth >= 5 && nth < 15 ? fate : 'fine'))
    expect(standing(engine.state).state).toBe('done')
    expect(project.workspace.landed).toHaveLength(2)
  })
})

test('the engine reports why the log cannot be written, until it can', async () => {
  const project = await ScriptedProject.registered(tasks)
  let isFull = true
  const log = new FaultyLog(project.log, {
    fate: () => (isFull ? 'error_before' : 'fine'),
    onCrash: () => undefined,
    onWritten: () => undefined,
  })
  const engine = await project.start({ log })
  await project.virtual.until(() => project.troubles.length > 2)
  expect(engine.hindrance).toMatch(/disk/)
  isFull = false
  await project.quiet()
  expect(engine.hindrance).toBeNull()
})

test('nothing is done that is not in the log while it cannot be written', async () => {
  const project = await ScriptedProject.registered(tasks)
  let isFull = true
  const fate = (nth: number): AppendFate => (isFull && nth > 2 ? 'error_before' : 'fine')
  const engine = await project.start({ log: faulty(project, fate) })
  await project.until('plan.baselined')
  await project.virtual.clock.run(project.virtual.clock.monotonic() + 10 * MINUTE, () => false)
  expect(project.jobs).toEqual([])
  isFull = false
  await project.quiet()
  expect(standing(engine.state).state).toBe('done')
})

test('a proposal rejects when it could not be written', async () => {
  const project = await ScriptedProject.registered(tasks)
  let isFull = false
  const engine = await project.start({ log: faulty(project, () => (isFull ? 'error_before' : 'fine')) })
  await project.until('worker.started')
  isFull = true
  const proposing = engine.propose({
    type: 'plan.paused',
    v: 1,
    by: 'ada',
    reason: 'lunch',
    stopWorkers: false,
  })
  await expect(proposing).rejects.toThrow('the disk is full')
  expect(engine.state.paused).toBeNull()
})

/** A log to which another writer appends right before one of our appends. */
function contested(
  project: ScriptedProject,
  before: (append: Append<PlanEvent>) => PlanEvent | null,
): EventLog<PlanEvent> {
  return logWith(project.log, {
    append: async (append) => {
      const other = before(append)
      if (other !== null) await project.append(other)
      return project.log.append(append)
    },
  })
}

describe('another writer', () => {
  const paused: PlanEvent = { type: 'plan.paused', v: 1, by: 'ada', reason: 'lunch', stopWorkers: false }
  /** Another writer appends this once, right before an event of this type. */
  const once = (type: PlanEvent['type'], other: PlanEvent) => {
    let isDone = false
    return ({ events }: Append<PlanEvent>): PlanEvent | null => {
      if (isDone || events[0]?.type !== type) return null
      isDone = true
      return other
    }
  }

  test('that came first is read, and the engine decides again', async () => {
    const project = await ScriptedProject.registered(tasks)
    const engine = await project.start({ log: contested(project, once('task.dispatched', paused)) })
    await project.quiet()
    expect([standing(engine.state).state, project.jobs]).toEqual(['paused', []])
  })

  test.each(['worker.started', 'worker.ended', 'work.collected', 'task.gated', 'task.committed'] as const)(
    'does not lose a %s',
    async (type) => {
      const project = await ScriptedProject.registered(tasks)
      const note: PlanEvent = { type: 'word.ignored', v: 1, from: 'x', about: 'y', why: 'z' }
      const engine = await project.start({ log: contested(project, once(type, note)) })
      await project.quiet()
      expect(standing(engine.state).state).toBe('done')
      expect(taskOf(engine, '1').attempt).toBe(1)
    },
  )

  test('does not hide a clock jump', async () => {
    const project = await ScriptedProject.registered([low('1')], { worker: () => ({ workMs: 45 * MINUTE }) })
    const note: PlanEvent = { type: 'word.ignored', v: 1, from: 'x', about: 'y', why: 'z' }
    await project.start({ log: contested(project, once('clock.jumped', note)) })
    await project.until('worker.started')
    project.virtual.clock.jump(600 * MINUTE)
    await project.quiet()
    expect(await project.events('worker.condemned')).toEqual([])
  })

  test('makes a concurrent proposal fail with that reason', async () => {
    const project = await ScriptedProject.registered(tasks)
    const engine = await project.start({ log: contested(project, once('plan.cancelled', paused)) })
    await project.until('worker.started')
    const cancel: PlanEvent = { type: 'plan.cancelled', v: 1, by: 'ada', reason: 'no' }
    expect(await engine.propose(cancel)).toEqual({ ok: false, why: 'the plan changed meanwhile' })
    expect(
      (await project.log.read(STREAM, 0, 1000)).filter(({ event }) => event.type === 'plan.cancelled'),
    ).toEqual([])
  })
})

test('an answer given while the log cannot be written is not lost', async () => {
  const project = await ScriptedProject.registered([low('1')], CAREFUL)
  let isFull = true
  const log = logWith(project.log, {
    append: (append) => {
      if (!isFull || append.events[0]?.type !== 'inbox.answered') return project.log.append(append)
      isFull = false
      return Promise.reject(new Error('the disk is full'))
    },
  })
  const engine = await project.start({ log })
  await project.quiet()
  expect(standing(engine.state).state).toBe('done')
})
