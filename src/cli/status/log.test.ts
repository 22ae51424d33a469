import { expect, test } from 'vitest'
import { activityText, activityTexts } from './log.ts'
import { styleOf } from '../terminal/terminal.ts'

test('a line of the activity log that a worker has written to obeys nothing and hides nothing', () => {
  const line = {
    timestamp: '2026-01-05T09:00:00.000Z\u001b[2J',
    event: 'gate_passed\u001b]0;owned\u0007\u200b',
    plan_id: 'shop\u202e',
    worker_id: 'w-1\u{e0041}',
    text: 'a\u2060b\r',
    data: {},
  }
  expect(activityText(line, styleOf('plain'))).toBe(
    '2026-01-05 09:00:00Z  gate_passed<U+200B>  shop w-1<U+E0041>  a<U+2060>b \n',
  )
})

const PLAN = 'add-the-export-of-reports-as-csv-1a2b3c4d'
const at = { timestamp: '2026-01-05T09:00:00.000Z', event: 'task_committed', text: 'committed', data: {} }
const subject = (text: string): readonly (string | undefined)[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.split('  ')[2])

test('a line of the activity log names its plan briefly, and not where its worker names it', () => {
  const plain = styleOf('plain')
  const lines = [
    { ...at, plan_id: PLAN, task_id: '1' },
    { ...at, plan_id: PLAN, task_id: '1', worker_id: `w-${PLAN}-1-1` },
    { ...at, plan_id: 'shop', task_id: '2' },
  ]
  expect(subject(activityTexts(lines, plain))).toEqual([
    'add-the-expor…2b3c4d 1',
    `1 w-${PLAN}-1-1`,
    'shop 2',
  ])
  expect(subject(activityTexts(lines.slice(0, 1), plain))).toEqual(['1'])
})
