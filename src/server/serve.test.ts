import { expect, test, vi } from 'vitest'
import { closeAll } from './serve.ts'

test('a part that does not close is logged, and the parts after it are closed', async () => {
  const closed: string[] = []
  const onError = vi.fn()
  await closeAll(
    [
      ['the store', async () => void closed.push('store')],
      ['the host', () => new Promise<void>(() => undefined)],
      ['the files', async () => void closed.push('files')],
    ],
    onError,
    { partMs: 10, allMs: 1000, leastMs: 1 },
  )
  expect(closed).toEqual(['files', 'store'])
  expect(onError.mock.calls.map(([what, error]) => `${what}: ${(error as Error).message}`)).toEqual([
    expect.stringContaining('stopping: the host did not close within'),
  ])
})

const never = (): Promise<void> => new Promise(() => undefined)

test('parts that do not close are waited for together no longer than a stop waits', async () => {
  const closed: string[] = []
  const onError = vi.fn()
  const parts = Array.from({ length: 50 }, (_, place) => [`part ${place}`, never] as const)
  await closeAll([['the store', async () => void closed.push('store')], ...parts], onError, {
    partMs: 60_000,
    allMs: 20,
    leastMs: 1,
  })
  expect(onError).toHaveBeenCalledTimes(50)
  expect(closed).toEqual(['store'])
})

test('a part that fails to close is logged, and the parts after it are closed', async () => {
  const closed: string[] = []
  const onError = vi.fn()
  await closeAll(
    [
      ['the store', async () => void closed.push('store')],
      ['the host', () => Promise.reject(new Error('a plan is stuck'))],
    ],
    onError,
  )
  expect(closed).toEqual(['store'])
  expect(onError.mock.calls.map(([what, error]) => `${what}: ${(error as Error).message}`)).toEqual([
    'stopping: the host: a plan is stuck',
  ])
})
