import { expect, test } from 'vitest'
import { forecastBase } from './forecast-base.ts'

const forecast = { branch: 'main', kind: 'clean', behind: 1, conflicts: [] } as const

test('a forecast that comes in time is given', async () => {
  expect(await forecastBase({ forecast: async () => forecast })).toEqual(forecast)
})

test('a forecast that takes too long is not awaited', async () => {
  expect(await forecastBase({ forecast: () => new Promise(() => undefined) }, 1)).toBeNull()
})
