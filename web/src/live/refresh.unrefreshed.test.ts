import { expect, test } from 'vitest'
import { ApiError } from '../api/client.ts'
import { shownAsOf, unrefreshed } from './refresh.ts'

const failed = (status: number): Error => new ApiError({ status, code: 'x', message: '', remedy: '' })

const query = (more: object = {}, isActive = true) => ({
  state: {
    status: 'error' as const,
    data: {} as unknown,
    error: failed(500),
    dataUpdatedAt: 1000,
    fetchStatus: 'idle' as 'idle' | 'fetching',
    ...more,
  },
  isActive: () => isActive,
})

test('a page is as old as the oldest of its parts that could not be fetched again', () => {
  const parts = [query({ dataUpdatedAt: 5000 }), query({ dataUpdatedAt: 3000 })]
  expect(shownAsOf(unrefreshed(parts))).toBe(3000)
  expect(shownAsOf(unrefreshed([query({ status: 'success', error: null })]))).toBeNull()
})

test('what is not on the page, what was never there and what has ended does not make it old', () => {
  const others = [query({}, false), query({ data: undefined }), query({ error: failed(404) })]
  expect(unrefreshed(others)).toEqual([])
})

test('what failed while the daemon was away is fetched again without a word; a failure stays until it is mended', () => {
  expect(unrefreshed([query({ error: failed(0), fetchStatus: 'fetching' })])).toEqual([])
  expect(unrefreshed([query({ error: failed(0) }), query({ fetchStatus: 'fetching' })])).toHaveLength(2)
})
