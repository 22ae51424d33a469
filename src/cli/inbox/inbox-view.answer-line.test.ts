import { expect, test } from 'vitest'
import { Refusal } from '../../lib/refusal.ts'
import { conflictMessage } from './inbox-view.ts'

const NOW = Date.UTC(2026, 0, 5, 9)
const refusal = (details: Refusal['details']): Refusal =>
  new Refusal({ code: 'conflict', message: 'E-1 was already answered: Bob chose retry', remedy: '', details })

test('a conflict is one line with when the other person answered, and in which words', () => {
  const theirs = { by: 'Bob', at: new Date(NOW - 4000).toISOString(), choice: 'retry', feedback: '' }
  expect(conflictMessage(refusal({ theirs, yours: {} }), NOW)).toBe(
    'E-1 was already answered: Bob chose retry (4s ago)',
  )
  expect(
    conflictMessage(refusal({ theirs: { ...theirs, feedback: 'a \u001b[31mflake\nof old' } }), NOW),
  ).toBe('E-1 was already answered: Bob chose retry (4s ago: a flake of old)')
  const long = { ...theirs, feedback: 'x'.repeat(900) }
  expect(conflictMessage(refusal({ theirs: long }), NOW)).toMatch(/: x{200}…\)$/)
})

test('a conflict without another person keeps its message', () => {
  expect(conflictMessage(refusal(null), NOW)).toBe('E-1 was already answered: Bob chose retry')
})
