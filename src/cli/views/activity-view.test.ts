import { expect, test } from 'vitest'
import { activityText } from './activity-view.ts'
import { styleOf } from '../terminal/style.ts'

test('a line of the activity log that a worker has written to obeys nothing and hides nothing', () => {
  const line = {
    timestamp: '2026-01-05T09:00:00.000Z\u001b[2J',
    event: 'gate_passed\u001b]0;owned\u0007\u200b',
    plan_id: 'shop\u202e',
    worker_id: 'w-1\u{e0041}',
    data: { why: 'a\u2060b\r' },
  }
  expect(activityText(line, styleOf('plain'))).toBe(
    '2026-01-05 09:00:00Z  gate_passed<U+200B>  shop w-1<U+E0041>  why=a<U+2060>b \n',
  )
})
