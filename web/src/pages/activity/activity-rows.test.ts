import { expect, test } from 'vitest'
import type { ActivityLine } from '../../../../src/protocol/answers.ts'
import { activityRows, byDay } from './activity-rows.ts'

const line = (event: string, more: Partial<ActivityLine> = {}): ActivityLine => ({
  timestamp: '2026-01-01T00:00:00.000Z',
  event,
  text: event.replaceAll('_', ' '),
  plan_id: 'shop',
  data: {},
  ...more,
})

test('the newest comes first, and outcomes leave out check-ins and machinery', () => {
  const lines = [
    line('task_dispatched'),
    line('checkin_received', { worker_id: 'w-1' }),
    line('task_committed', { text: 'committed abcdef0123' }),
    line('plan_paused', { text: 'paused by Ann' }),
  ]
  expect(activityRows(lines, 'outcomes').map(({ text }) => text)).toEqual([
    'Paused by Ann',
    'Committed abcdef0123',
  ])
  expect(activityRows(lines, 'all')).toHaveLength(4)
})

test('check-ins of one worker in a row are one row with the newest claim', () => {
  const checkin = (worker: string, percent: number): ActivityLine =>
    line('checkin_received', { worker_id: worker, text: `in_progress; ${percent} %; tests` })
  const rows = activityRows([checkin('w-1', 10), checkin('w-1', 40), checkin('w-2', 5)], 'checkin')
  expect(rows.map(({ worker, lines, text, quote }) => [worker, lines, text, quote])).toEqual([
    ['w-2', 1, 'in_progress; 5 %; tests', null],
    ['w-1', 2, '2 check-ins', 'in_progress; 40 %; tests'],
  ])
})

test('gates that fail in one attempt are one row', () => {
  const failed = (gate: string, attempt: number): ActivityLine =>
    line('gate_failed', {
      task_id: '1',
      text: `${gate} failed`,
      data: { gate, attempt, summary: `${gate} is red` },
    })
  const rows = activityRows([failed('lint', 1), failed('unit', 1), failed('unit', 2)], 'outcomes')
  expect(rows.map(({ text }) => text)).toEqual(['Unit failed', '2 gates failed: lint, unit tests'])
})

test('a gate that could not check is never shown as passed', () => {
  const [row] = activityRows([line('gate_inconclusive', { data: { gate: 'unit' } })], 'outcomes')
  expect(row?.tone).toBe('unknown')
})

test('rows stand under their day: today, yesterday, or its name in English', () => {
  const on = (day: number): ActivityLine =>
    line('plan_paused', { timestamp: new Date(2026, 10, day, 12).toISOString() })
  const rows = activityRows([on(16), on(17), on(18)], 'all')
  expect(byDay(rows, new Date(2026, 10, 18, 13)).map(({ day }) => day)).toEqual([
    'Today',
    'Yesterday',
    'Monday 16 November',
  ])
})

test('what a person does to a worker, and what stops a worker or an interview, is an outcome', () => {
  const events = [
    'time_granted',
    'worker_taken_over',
    'worker_looping',
    'worker_gave_up',
    'worker_blocked',
    'worker_interrupted',
    'worker_limited',
    'interview_failed',
  ]
  const rows = activityRows(
    events.map((event) => line(event)),
    'outcomes',
  )
  expect(rows).toHaveLength(events.length)
})
