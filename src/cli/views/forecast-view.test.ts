import { expect, test } from 'vitest'
import { forecastText } from './forecast-view.ts'

const about = { branch: 'main', behind: 2, conflicts: [] as readonly string[] }

test('a branch that did not move, or only gave birth to the work, needs no word', () => {
  expect(forecastText({ ...about, kind: 'unmoved', behind: 0 })).toBeNull()
  expect(forecastText({ ...about, kind: 'clean', behind: 0 })).toBeNull()
})

test('a branch that moved is told with how a merge would go', () => {
  expect(forecastText({ ...about, kind: 'clean' })).toBe(
    'main has moved on by 2 commits; a merge would be clean',
  )
  const conflicts = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  expect(forecastText({ ...about, kind: 'conflicts', behind: 1, conflicts })).toBe(
    'main has moved on by 1 commit; a merge would conflict in a, b, c, d, e and 2 more',
  )
  expect(forecastText({ ...about, kind: 'base_gone' })).toContain('is gone')
})
