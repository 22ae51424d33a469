import { expect, test } from 'vitest'
import { needsFeedback, needsReason } from './answer-rules.ts'

test('work that passed everything goes back only with a word on what is to change', () => {
  expect(needsFeedback({ kind: 'approval' }, 'revise')).toBe(true)
  expect(needsFeedback({ kind: 'approval' }, 'approve')).toBe(false)
  // What failed is told by the gates.
  expect(needsFeedback({ kind: 'escalation' }, 'revise')).toBe(false)
})

test('what is let through or taken on needs a reason', () => {
  expect(needsReason({ kind: 'escalation' }, 'approve')).toBe(true)
  expect(needsReason({ kind: 'escalation' }, 'accept')).toBe(true)
  expect(needsReason({ kind: 'approval' }, 'approve')).toBe(false)
})
