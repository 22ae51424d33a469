import { expect, test } from 'vitest'
import { aTask } from './a-task.ts'
import { columnsOf } from './columns.ts'
import { moveSelection } from './move-selection.ts'

const columns = columnsOf([
  aTask({ id: 'stuck', status: 'escalated' }),
  aTask({ id: 'a', since: '2026-11-16T08:00:00.000Z' }),
  aTask({ id: 'b', since: '2026-11-16T09:00:00.000Z' }),
])

test('keys select the first task, go down over the end of a column, and stop at the last', () => {
  expect(moveSelection(columns, null, 'next')).toBe('stuck')
  expect(moveSelection(columns, 'gone', 'next')).toBe('stuck')
  expect(moveSelection(columns, 'stuck', 'next')).toBe('a')
  expect(moveSelection(columns, 'a', 'next')).toBe('b')
  expect(moveSelection(columns, 'b', 'next')).toBe('b')
  expect(moveSelection(columns, 'a', 'previous')).toBe('stuck')
})

test('keys go sideways to the nearest task of the next column that has any', () => {
  expect(moveSelection(columns, 'b', 'left')).toBe('stuck')
  expect(moveSelection(columns, 'stuck', 'right')).toBe('a')
})
