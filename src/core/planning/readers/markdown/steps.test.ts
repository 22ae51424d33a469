import { expect, test } from 'vitest'
import { REASONS } from '../commands/removal.ts'
import { addExpected, addRuns, closeStep, openStep } from './steps.ts'

const found = { runs: [], removed: [], subject: undefined, added: [], rest: '' }

test('a step keeps its work when its commands are removed', () => {
  const step = openStep(1, 'Write it down')
  addRuns(step, { ...found, removed: [{ line: 2, text: 'git push', kind: 'publish' }] })
  step.work++
  expect(closeStep(step, '1')).toMatchObject({
    step: { title: 'Write it down', runs: [] },
    removed: [{ line: 2, text: 'git push', reason: REASONS.publish }],
  })
})

test('a step that commits and pushes is removed for pushing', () => {
  const step = openStep(1, 'Ship it')
  addRuns(step, {
    ...found,
    removed: [
      { line: 2, text: 'git commit -m x', kind: 'commit' },
      { line: 3, text: 'git push', kind: 'publish' },
    ],
  })
  expect(closeStep(step, '1')).toEqual({
    step: null,
    removed: [{ task: '1', line: 1, text: 'Ship it\ngit commit -m x\ngit push', reason: REASONS.publish }],
  })
})

test('the expected result on a command’s line is not overwritten', () => {
  const step = openStep(1, 'A')
  addRuns(step, { ...found, runs: [{ line: 1, command: 'x' }], rest: '→ PASS' })
  addExpected(step, 'FAIL')
  expect(step.runs).toMatchObject([{ expects: 'pass' }])
})
