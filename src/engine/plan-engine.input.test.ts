import { describe, expect, test } from 'vitest'
import { low, MINUTE, normal } from '../../test/helpers/plan-builder.ts'
import { ScriptedProject, taskOf } from '../../test/helpers/scripted-project.ts'
import { standing } from '../core/decide/standing.ts'
import { failing } from '../simulation/scripted-gates.ts'
import type { ScriptedAnswer } from '../simulation/scripted-person.ts'

const EACH = { settings: { approval: 'each_task' as const } }
const answer = (choice: string, fields: Partial<ScriptedAnswer> = {}): ScriptedAnswer => ({
  choice,
  feedback: '',
  afterMs: 10,
  times: 1,
  ...fields,
})
const done = { kind: 'done' } as const

describe("a worker's end", () => {
  test('that comes twice counts once, and the second is logged as ignored', async () => {
    const project = await ScriptedProject.registered([low('1')], {
      worker: () => ({ echoes: [{ afterMs: 100, end: done }] }),
    })
    const engine = await project.run()
    expect(standing(engine.state).state).toBe('done')
    expect(await project.events('worker.ended')).toHaveLength(1)
    expect(await project.events('word.ignored')).toMatchObject([{ from: 'w-shop-1-1', about: 'a late exit' }])
  })

  test('that comes from an old attempt changes nothing for the new one', async () => {
    const project = await ScriptedProject.registered([low('1')], {
      gates: failing({ unit: 1 }),
      worker: ({ attempt }) => ({
        workMs: attempt === 1 ? MINUTE : 30 * MINUTE,
        echoes: attempt === 1 ? [{ afterMs: 10 * MINUTE, end: { kind: 'failed', reason: 'late' } }] : [],
      }),
    })
    const engine = await project.run()
    expect(taskOf(engine, '1').counters).toMatchObject({ fixes: 1, restarts: 0 })
    expect((await project.events('worker.ended')).map(({ worker, end }) => [worker, end.kind])).toEqual([
      ['w-shop-1-1', 'done'],
      ['w-shop-1-2', 'done'],
    ])
    expect(await project.events('word.ignored')).toMatchObject([
      { from: 'w-shop-1-1', why: 'no longer a worker of this plan' },
    ])
  })

  test('that comes after the plan is done changes nothing', async () => {
    const project = await ScriptedProject.registered([low('1')], {
      worker: () => ({ echoes: [{ afterMs: 5000 * MINUTE, end: { kind: 'failed', reason: 'late' } }] }),
    })
    const engine = await project.run()
    expect([taskOf(engine, '1').step, (await project.events('word.ignored')).length]).toEqual([
      'completed',
      1,
    ])
  })

  test('that is repeated endlessly is logged as ignored only a few times', async () => {
    const echoes = Array.from({ length: 50 }, (_, time) => ({ afterMs: 1000 * time, end: done }))
    const project = await ScriptedProject.registered([low('1')], { worker: () => ({ echoes }) })
    const engine = await project.run()
    expect(standing(engine.state).state).toBe('done')
    expect(await project.events('word.ignored')).toHaveLength(5)
  })

  test('of a reviewer without a verdict counts as a lost reviewer', async () => {
    const project = await ScriptedProject.registered([normal('1')], {
      worker: ({ worker }) => (worker.endsWith('-review-1') ? { review: null } : {}),
    })
    const engine = await project.run()
    expect(taskOf(engine, '1').counters.reviewersLost).toBe(1)
    expect([taskOf(engine, '1').review?.round, taskOf(engine, '1').step]).toEqual([2, 'completed'])
  })

  test('is acknowledged once it is written', async () => {
    const project = await ScriptedProject.registered([low('1')])
    await project.run()
    expect(await project.agent.unacknowledged()).toEqual([])
  })
})

describe("a person's answer", () => {
  test('that is given twice counts once', async () => {
    const project = await ScriptedProject.registered([low('1')], {
      ...EACH,
      person: (item) => (item.kind === 'approval' ? answer('approve', { times: 2 }) : null),
    })
    await project.run()
    expect(await project.events('inbox.answered')).toHaveLength(1)
    expect(project.person.refusals).toMatchObject([
      { kind: 'over', why: 'A-1 was already answered: captain chose approve' },
    ])
    expect(await project.events('word.ignored')).toEqual([])
  })

  test('that is not an option is refused with the options, and the item stays open', async () => {
    const project = await ScriptedProject.registered([low('1')], { ...EACH, person: () => answer('ship it') })
    const engine = await project.run()
    expect([...engine.state.inbox.keys()]).toEqual(['A-1'])
    expect(project.person.refusals).toEqual([
      {
        kind: 'incomplete',
        why: 'A-1 cannot be answered with ship it',
        remedy: expect.stringMatching(/^Choose one of: approve .*, revise .*, reject .*, pause\.$/) as string,
      },
    ])
  })

  test('that is incomplete is refused with what is missing, and counts once that is given', async () => {
    const project = await ScriptedProject.registered([low('1')], {
      ...EACH,
      person: (item) =>
        item.id === 'A-1'
          ? answer('revise', { instead: { feedback: 'use the header' } })
          : item.kind === 'approval'
            ? answer('approve')
            : null,
    })
    const engine = await project.run()
    expect(project.person.refusals).toMatchObject([
      {
        why: 'revise on A-1 needs your feedback: the worker needs to know what to change',
        remedy: 'Add it: bosun answer A-1 revise --feedback "…"',
      },
    ])
    expect(
      (await project.events('inbox.answered')).map(({ choice, feedback }) => [choice, feedback]),
    ).toEqual([
      ['revise', 'use the header'],
      ['approve', ''],
    ])
    expect(taskOf(engine, '1').step).toBe('completed')
  })

  test('without a name overrides no gate, and counts once the person gives theirs', async () => {
    const project = await ScriptedProject.registered([low('1')], {
      gates: failing({ unit: 9 }),
      person: (item) =>
        item.kind === 'escalation'
          ? answer('approve', {
              feedback: 'known flake',
              by: null,
              instead: { feedback: 'known flake', by: 'ada' },
            })
          : null,
    })
    const engine = await project.run()
    expect(project.person.refusals).toMatchObject([
      { why: 'approve on E-1 is recorded in your name, and no name was given' },
    ])
    expect(taskOf(engine, '1').overrides).toMatchObject([{ what: 'unit', by: 'ada' }])
  })

  test('of pause pauses the plan and leaves the question open', async () => {
    const project = await ScriptedProject.registered([low('1')], {
      ...EACH,
      person: () => answer('pause', { feedback: 'until Monday' }),
    })
    const engine = await project.run()
    expect(standing(engine.state)).toEqual({ state: 'paused', why: 'until Monday' })
    expect([...engine.state.inbox.keys()]).toEqual(['A-1'])
  })

  test('of pause to a question that is no longer open is refused', async () => {
    const project = await ScriptedProject.registered([low('1'), low('2', { dependsOn: ['1'] })], {
      ...EACH,
      person: (item) => (item.id === 'A-1' ? answer('pause', { afterMs: 60 * MINUTE }) : answer('approve')),
    })
    const engine = await project.start()
    await project.until('inbox.opened')
    await engine.propose({
      type: 'inbox.answered',
      v: 1,
      id: 'A-1',
      choice: 'approve',
      feedback: '',
      by: 'ada',
    })
    await project.quiet()
    expect(await project.events('plan.paused')).toEqual([])
    expect(project.person.refusals.at(-1)?.why).toBe('A-1 was already answered: ada chose approve')
  })
})
