import { expect, test } from 'vitest'
import { forecastText } from './forecast-view.ts'

const about = { branch: 'main', behind: 2, conflicts: [] as readonly string[] }

test('an unmoved base branch has no forecast line', () => {
  expect(forecastText({ ...about, kind: 'unmoved', behind: 0 })).toBeNull()
  expect(forecastText({ ...about, kind: 'clean', behind: 0 })).toBeNull()
})

test('a moved base branch is shown with the outcome of a merge', () => {
  expect(forecastText({ ...about, kind: 'clean' })).toBe(
    'main has moved by 2 commits; a merge would be clean',
  )
  const conflicts = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  expect(forecastText({ ...about, kind: 'conflicts', behind: 1, conflicts })).toBe(
    'main has moved by 1 commit; a merge would conflict in a, b, c, d, e and 2 more',
  )
  expect(forecastText({ ...about, kind: 'base_gone' })).toBe('its base branch main no longer exists')
})
