import { describe, expect, test } from 'vitest'
import { aReport, low, MISSES_A_CASE, normal } from '../../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../../test/helpers/played-plan.ts'
import { blockedTasks, itemEvidence } from './item-evidence.ts'

const failing = (): PlayedPlan =>
  PlayedPlan.begun([low('1'), low('2', { dependsOn: ['1'] }), low('3', { dependsOn: ['2'] })], {
    settings: { fixAttempts: 0 },
  })
    .work('1', { report: aReport({ explanation: 'I did \u001b[2J it' }) })
    .gates('1', { failed: ['unit'] })

describe('what an item rests on', () => {
  test('are the failing gates, then what passed, then what the worker writes', () => {
    const plan = failing()
    expect(itemEvidence(plan.state, plan.item('1'))).toEqual([
      expect.stringMatching(/^unit tests failed/),
      expect.stringMatching(/^passed: /),
      'the worker writes: I did ␛[2J it',
    ])
  })

  test('names the finding of a failed gate with its place', () => {
    const plan = failing()
    const task = plan.task('1')
    const [unit] = task.verdicts?.filter(({ gate }) => gate === 'unit') ?? []
    if (unit === undefined) throw new Error('no verdict')
    const finding = { weight: 'blocks', text: 'adds nothing', file: 'src/1.ts', line: 7 } as const
    task.verdicts = [{ ...unit, evidence: { ...unit.evidence, findings: [finding] } }]
    expect(itemEvidence(plan.state, plan.item('1'))[1]).toBe('src/1.ts:7: adds nothing')
  })

  test('says once what several gates found', () => {
    const plan = failing()
    const task = plan.task('1')
    const [unit] = task.verdicts?.filter(({ gate }) => gate === 'unit') ?? []
    if (unit === undefined) throw new Error('no verdict')
    const finding = { weight: 'blocks', text: 'fails: test/a.t', file: null, line: null } as const
    const summary = '1 of 2 tests passed; 1 fail: test/a.t'
    const evidence = { ...unit.evidence, findings: [finding] }
    const gates = ['tests_to_add', 'tests_to_run', 'unit'] as const
    task.verdicts = gates.map((gate) => ({ ...unit, gate, summary, evidence }))
    expect(itemEvidence(plan.state, plan.item('1')).slice(0, 2)).toEqual([
      'new tests, required tests, unit tests failed: 1 of 2 tests passed; 1 fail: test/a.t',
      'the worker writes: I did ␛[2J it',
    ])
  })

  test('names what the gates left to review', () => {
    const plan = failing()
    const task = plan.task('1')
    const finding = { weight: 'review', text: 'removes 2 tests', file: 'a.test.js', line: 7 } as const
    task.verdicts = (task.verdicts ?? []).map((one) =>
      one.gate === 'integrity' ? { ...one, evidence: { ...one.evidence, findings: [finding] } } : one,
    )
    expect(itemEvidence(plan.state, plan.item('1'))[1]).toBe('for review: a.test.js:7: removes 2 tests')
  })

  test('names the issues of a review', () => {
    const plan = PlayedPlan.begun([normal('1')], { settings: { reworks: 0 } })
    plan.work('1').gates('1').review('1', MISSES_A_CASE)
    const { severity, location, description } = MISSES_A_CASE
    expect(itemEvidence(plan.state, plan.item('1'))).toContain(`${severity}, ${location}: ${description}`)
  })

  test('says that nobody has read low work, and what was checked', () => {
    const plan = PlayedPlan.begun([low('1')], { settings: { approval: 'each_task' } })
    plan.work('1').gates('1')
    expect(itemEvidence(plan.state, plan.item('1')).join('\n')).toContain(
      'nobody has read it: not judged: no model; checked by code alone: 1 file changed',
    )
  })

  test('shows what hides in the words of a worker', () => {
    const plan = failing()
    const lines = itemEvidence(plan.state, plan.item('1'), ['evil\u202etxt\u200b \u001b[31mred'])
    expect(lines.at(-1)).toBe('evil⟨U+202E⟩txt⟨U+200B⟩ ␛[31mred')
  })

  test('calls gates by their titles', () => {
    const plan = PlayedPlan.begun([low('1')], { settings: { fixAttempts: 0 } }).work('1')
    plan.gates('1', { failed: ['tests_to_add'] })
    expect(plan.item('1').problem).toContain('new tests still failing')
    expect(itemEvidence(plan.state, plan.item('1'))[0]).toMatch(/^new tests failed/)
  })

  test('is bounded, however much the worker writes', () => {
    const plan = failing()
    const claims = Array.from({ length: 500 }, () => 'x'.repeat(9000))
    const lines = itemEvidence(plan.state, plan.item('1'), claims)
    expect([lines.length, Math.max(...lines.map(({ length }) => length))]).toEqual([12, 301])
  })
})

describe('what an item blocks', () => {
  test('is its task, and all that depend on it', () => {
    const plan = failing()
    expect(blockedTasks(plan.state, plan.item('1'))).toEqual(['1', '2', '3'])
  })

  test('is every task that has not started where no worker can start', () => {
    const plan = failing()
    const item = { ...plan.item('1'), subject: 'budget', task: null } as const
    expect(blockedTasks(plan.state, item)).toEqual(['2', '3'])
  })

  test('is nothing for an item that blocks nothing', () => {
    const plan = failing()
    expect(blockedTasks(plan.state, { ...plan.item('1'), blocking: false })).toEqual([])
  })

  test('names at most a hundred', () => {
    const many = Array.from({ length: 150 }, (_, at) => low(`t${at}`, { dependsOn: ['1'] }))
    const plan = PlayedPlan.begun([low('1'), ...many], { settings: { fixAttempts: 0 } })
    plan.work('1').gates('1', { failed: ['unit'] })
    expect(blockedTasks(plan.state, plan.item('1'))).toHaveLength(100)
  })
})
