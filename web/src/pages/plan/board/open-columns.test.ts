import { expect, test } from 'vitest'
import { COLUMN_IDS } from '../tasks/columns.ts'
import { aTask } from '../tasks/a-task.ts'
import { openColumns } from './open-columns.ts'

const all = COLUMN_IDS.map((id) => ({ id, tasks: [aTask({ id: '1' })] }))
const shown = (...args: Parameters<typeof openColumns>): readonly string[] => [...openColumns(...args)]

test('where there is room every column with tasks is open, and an empty one is a strip', () => {
  expect(shown(all, 1400, {})).toEqual([...COLUMN_IDS])
  expect(
    shown(
      all.map((column) => (column.id === 'gates' ? { ...column, tasks: [] } : column)),
      1400,
      {},
    ),
  ).not.toContain('gates')
})

test('on a window of 1280 px what is done and what waits make room for what goes on', () => {
  expect(shown(all, 997, {})).toEqual(['attention', 'working', 'gates', 'review', 'ready'])
})

test('a column that the person opened stays open, and one that was folded stays folded', () => {
  expect(shown(all, 997, { done: 'open', waiting: 'open' })).toEqual([...COLUMN_IDS])
  expect(shown(all, 2000, { attention: 'folded' })).not.toContain('attention')
})

test('however narrow the board, a column is left', () => {
  expect(shown([{ id: 'done', tasks: [aTask({ id: '1' })] }], 100, {})).toEqual(['done'])
})
