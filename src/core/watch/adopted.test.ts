import { describe, expect, test } from 'vitest'
import { adoptedHealth, adoptedStep, type AdoptedState } from './adopted.ts'

const MINUTE = 60_000
const state = (changes: Partial<AdoptedState> = {}): AdoptedState => ({
  limitMs: 60 * MINUTE,
  warnings: [50, 75, 90],
  terminateAt: 110,
  mode: 'act',
  warned: 0,
  isOverdue: false,
  ...changes,
})
const after = (minutes: number, changes: Partial<AdoptedState> = {}) =>
  adoptedStep(state(changes), minutes * MINUTE)

describe('an adopted process', () => {
  test('gets one warning at each percentage of its limit', () => {
    expect(after(29)).toEqual({ kind: 'nothing' })
    expect(after(30)).toEqual({ kind: 'warn', percent: 50 })
    expect(after(31, { warned: 50 })).toEqual({ kind: 'nothing' })
    expect(after(45, { warned: 50 })).toEqual({ kind: 'warn', percent: 75 })
    expect(after(54, { warned: 75 })).toEqual({ kind: 'warn', percent: 90 })
  })

  test('that was not checked for long gets only the highest warning', () =>
    expect(after(58)).toEqual({ kind: 'warn', percent: 90 }))

  test('is reported as overdue at 110 % of its limit before it is stopped', () => {
    expect(after(65.9, { warned: 90 })).toEqual({ kind: 'nothing' })
    expect(after(66, { warned: 90 })).toEqual({ kind: 'exceeded' })
    expect(after(66, { warned: 90, isOverdue: true })).toEqual({ kind: 'end' })
  })

  test('is not stopped in monitor mode', () => {
    expect(after(66, { mode: 'monitor' })).toEqual({ kind: 'exceeded' })
    expect(after(600, { mode: 'monitor', isOverdue: true })).toEqual({ kind: 'nothing' })
  })

  test('gets no warning where the settings list none', () =>
    expect(after(65, { warnings: [] })).toEqual({ kind: 'nothing' }))

  test('gives the time limit as the reason for its health', () => {
    expect(adoptedHealth(state())).toEqual({
      health: 'healthy',
      reason: 'adopted; only its time limit is watched',
    })
    expect(adoptedHealth(state({ warned: 75 })).health).toBe('timeout_warning')
  })
})
