import { expect, test } from 'vitest'
import { low } from '../../../test/helpers/plan-builder.ts'
import { comparePlans } from './compare-plans.ts'

const plan = [low('1'), low('2', { dependsOn: ['1'] }), low('3', { dependsOn: ['2'] }), low('4')]
const edited = (id: string, fields: Parameters<typeof low>[1]) =>
  plan.map((spec) => (spec.id === id ? { ...spec, ...fields } : spec))

test('a plan has no changes compared with itself', () => {
  expect(comparePlans(plan, structuredClone(plan))).toEqual({
    changed: [],
    reworded: [],
    added: [],
    removed: [],
    affected: [],
    untouched: ['1', '2', '3', '4'],
  })
})

test('a changed contract invalidates its task and the dependents, and nothing else', () => {
  const changes = comparePlans(plan, edited('2', { acceptanceCriteria: ['it is blue'] }))
  expect(changes.changed).toEqual([{ id: '2', fields: ['acceptanceCriteria'] }])
  expect(changes.affected).toEqual(['2', '3'])
  expect(changes.untouched).toEqual(['1', '4'])
})

test.each([
  ['a line', { line: 99 }],
  ['a title', { title: 'Reworded' }],
  ['a time budget', { timeBudgetMs: 1 }],
  ['a tier', { tier: 'critical' as const }],
])('%s is taken over without redoing the task', (_, fields) => {
  const changes = comparePlans(plan, edited('2', fields))
  expect(changes.affected).toEqual([])
  expect(changes.changed).toEqual([])
})

test('differences in whitespace are no change', () => {
  const described = plan.map((spec) => ({ ...spec, description: 'Add  it,\nplease' }))
  const spaced = plan.map((spec) => ({ ...spec, description: 'Add it, please ' }))
  expect(comparePlans(described, spaced)).toMatchObject({ affected: [], reworded: ['1', '2', '3', '4'] })
})

test('a task with another id is another task', () => {
  const renamed = plan.map((spec) => (spec.id === '4' ? { ...spec, id: '5' } : spec))
  expect(comparePlans(plan, renamed)).toMatchObject({ added: ['5'], removed: ['4'], affected: [] })
})

test('a new task that depends on a changed one is added, not invalid: it never ran', () => {
  const before = [low('1')]
  const after = [low('1', { acceptanceCriteria: ['other'] }), low('2', { dependsOn: ['1'] })]
  expect(comparePlans(before, after)).toMatchObject({ added: ['2'], affected: ['1'] })
})
