import { expect, test } from 'vitest'
import { aTask } from './a-task.ts'
import { filterTasks, isFiltered, planSearch } from './plan-search.ts'

test('an address with unknown values is read as far as it can be', () => {
  expect(planSearch({ view: 'graph', q: '12', tier: 'huge', column: 'gates', stuck: 'true', x: '' })).toEqual(
    {
      view: 'graph',
      q: '12',
      column: 'gates',
      stuck: true,
    },
  )
  expect(isFiltered(planSearch({ view: 'list' }))).toBe(false)
})

test('filters are combined, and every word of the text has to be found', () => {
  const tasks = [
    aTask({ id: 'T-1', title: 'Add the cart', tier: 'critical' }),
    aTask({ id: 'T-2', title: 'Add the cart page', status: 'escalated' }),
    aTask({ id: 'T-3', title: 'Write the readme' }),
  ]
  const ids = (search: Parameters<typeof filterTasks>[1]) => filterTasks(tasks, search).map(({ id }) => id)
  expect(ids({})).toEqual(['T-1', 'T-2', 'T-3'])
  expect(ids({ q: 'cart ADD' })).toEqual(['T-1', 'T-2'])
  expect(ids({ q: 'cart', stuck: true })).toEqual(['T-2'])
  expect(ids({ tier: 'critical' })).toEqual(['T-1'])
  expect(ids({ column: 'ready', q: 't-3' })).toEqual(['T-3'])
})
