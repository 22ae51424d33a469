import { describe, expect, test } from 'vitest'
import { adoptedHealth, adoptedStep, type AdoptedState } from './adopted.ts'

const MINUTE = 60_000
const state = (said: Partial<AdoptedState> = {}): AdoptedState => ({
  limitMs: 60 * MINUTE,
  warnings: [50, 75, 90],
  terminateAt: 110,
  mode: 'act',
  warned: 0,
  isOverdue: false,
  ...said,
})
const after = (minutes: number, said: Partial<AdoptedState> = {}) =>
  adoptedStep(state(said), minutes * MINUTE)

describe('an adopted process', () => {
  test('is warned of at each share of its limit, once', () => {
    expect(after(29)).toEqual({ kind: 'nothing' })
    expect(after(30)).toEqual({ kind: 'warn', percent: 50 })
    expect(after(31, { warned: 50 })).toEqual({ kind: 'nothing' })
    expect(after(45, { warned: 50 })).toEqual({ kind: 'warn', percent: 75 })
    expect(after(54, { warned: 75 })).toEqual({ kind: 'warn', percent: 90 })
  })

  test('that nobody looked at for long is warned of once', () =>
    expect(after(58)).toEqual({ kind: 'warn', percent: 90 }))

  test('has its time up at a tenth over its limit, which is said before it is ended', () => {
    expect(after(65.9, { warned: 90 })).toEqual({ kind: 'nothing' })
    expect(after(66, { warned: 90 })).toEqual({ kind: 'exceeded' })
    expect(after(66, { warned: 90, isOverdue: true })).toEqual({ kind: 'end' })
  })

  test('is not ended by a watch that only looks on', () => {
    expect(after(66, { mode: 'monitor' })).toEqual({ kind: 'exceeded' })
    expect(after(600, { mode: 'monitor', isOverdue: true })).toEqual({ kind: 'nothing' })
  })

  test('is warned of never where the settings name no warnings', () =>
    expect(after(65, { warnings: [] })).toEqual({ kind: 'nothing' }))

  test('says why nothing else is known of it', () => {
    expect(adoptedHealth(state())).toEqual({
      health: 'healthy',
      reason: 'adopted: watched by its time limit alone',
    })
    expect(adoptedHealth(state({ warned: 75 })).health).toBe('timeout_warning')
  })
})
