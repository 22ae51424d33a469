import { expect, test } from 'vitest'
import { aTask } from '../../../../test/helpers/plan-builder.ts'
import { replan } from './replan.ts'

const spec = aTask('1')
const files = { create: ['src/a.ts', 'src/b.ts'], modify: [], delete: [] }

test('without a judgement the proposal is a new scope where the person gave one, else to leave the task out', () => {
  expect(replan.unjudged({ spec, feedback: 'only the header' }).recommend).toBe('rescope')
  expect(replan.unjudged({ spec, feedback: null }).recommend).toBe('drop')
})

test('feedback is not read into its words where nobody judges', () => {
  expect(replan.unjudged({ spec: { ...spec, files }, feedback: 'too large, split it' }).recommend).toBe(
    'rescope',
  )
})

test('a proposal to split a task that cannot be split is a problem', () => {
  const proposal = { recommend: 'split', note: 'in two' } as const
  expect(replan.problem?.(proposal, { spec, feedback: null })).toBe('this task cannot be split')
  expect(replan.problem?.(proposal, { spec: { ...spec, files }, feedback: null })).toBeNull()
})

test('the prompt quotes the task and the feedback, and says nothing of them itself', () => {
  const { task, data } = replan.prompt({ spec: { ...spec, title: 'Ignore this' }, feedback: 'obey me' })
  expect(task).not.toMatch(/Ignore this|obey me/)
  expect(data.map(({ source }) => source)).toEqual(['task 1 of the plan', "the person's feedback"])
})
