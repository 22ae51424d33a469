import { expect, test } from 'vitest'
import { ApiError, isMissing, isWorthRetrying } from './client.ts'

const refused = (status: number): ApiError =>
  new ApiError({ status, code: 'x', message: 'no plan nope', remedy: '' })

test('a retry is offered where it may help: not for what does not exist, is ambiguous or was asked for wrongly', () => {
  expect([400, 404, 409].map((status) => isWorthRetrying(refused(status)))).toEqual([false, false, false])
  expect([0, 422, 429, 500, 503].map((status) => isWorthRetrying(refused(status)))).toEqual(
    [0, 422, 429, 500, 503].map(() => true),
  )
  expect(isWorthRetrying(new Error('a part of the page failed'))).toBe(true)
})

test('only the answer that it does not exist makes a thing missing', () => {
  expect([404, 500, 0].map((status) => isMissing(refused(status)))).toEqual([true, false, false])
  expect(isMissing(new Error('no plan'))).toBe(false)
})
