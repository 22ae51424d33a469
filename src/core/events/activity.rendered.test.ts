import { expect, test } from 'vitest'
import { verdict } from '../gates/verdicts.ts'
import { rendered } from './activity.ts'

const lineOf = (...verdicts: readonly ReturnType<typeof verdict>[]): string | null =>
  rendered({
    version: 9,
    event: { type: 'release.gated', v: 2, round: 1, tree: 'a', verdicts: [...verdicts] },
  }).text

const passed = verdict('unit', 'passed', '4 of 4 tests passed')
const absent = verdict('build', 'not_applicable', 'there is no build command')

test('what does not apply is not counted as passed', () => {
  expect(lineOf(passed)).toBe('release gate: 1 gate passed')
  expect(lineOf(passed, absent, absent)).toBe('release gate: 1 gate passed, 2 not applicable')
})

test('a gate that did not pass says why', () => {
  const bad = verdict('lint', 'failed', 'npm run lint exited with 1')
  const unsure = verdict('typecheck', 'inconclusive', 'tsc could not be started')
  expect(lineOf(passed, bad, unsure, absent)).toBe(
    'release gate: lint failed (npm run lint exited with 1); typecheck inconclusive (tsc could not be started)',
  )
})

test('a progress report is shown in full', () => {
  const text = 'PROGRESS — Shop\nCompleted: 1/2 tasks\nIn progress: 2'
  const event = { type: 'progress.reported', v: 1, why: 'a critical task is done', text } as const
  expect(rendered({ version: 9, event })).toMatchObject({
    text: 'PROGRESS — Shop',
    details: ['Completed: 1/2 tasks', 'In progress: 2'],
  })
})
