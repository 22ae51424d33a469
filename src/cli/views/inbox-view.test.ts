import { expect, test } from 'vitest'
import type { InboxEntry } from '../../protocol/answers.ts'
import { inboxText } from './inbox-view.ts'
import { styleOf } from '../terminal/style.ts'

const ITEM: InboxEntry = {
  id: 'E-1',
  kind: 'escalation',
  plan: 'shop',
  task: '7',
  problem: 'unit still fails',
  impact: 'task 8 cannot go on',
  options: [
    { key: 'revise', label: 'send it back', consequence: 'a worker goes on' },
    { key: 'reject', label: 'back to planning', consequence: 'nothing lands' },
  ],
  recommended: 'revise',
  blocking: true,
  since: '2026-01-05T09:00:00.000Z',
  repo: '/one',
  blocks: ['7', '8'],
  evidence: [],
  group: [],
  scopes: [],
  reason_needed: [],
  feedback_needed: [],
}

test('an escalation has its one form', () => {
  expect(inboxText([ITEM], styleOf('plain'))).toBe(
    [
      'ESCALATION',
      'Problem:     unit still fails',
      'Impact:      task 8 cannot go on',
      'Options:     revise (send it back), reject (back to planning)',
      'Recommended: revise',
      'Blocking:    yes',
      'Since:       2026-01-05T09:00:00.000Z',
      'Plan:        shop',
      'Answer:      bosun answer E-1 revise',
      '',
    ].join('\n'),
  )
})

test('an answer in words shows where they go', () => {
  const text = inboxText([{ ...ITEM, id: 'Q-2', recommended: 'answer' }], styleOf('plain'))
  expect(text).toContain('bosun answer Q-2 answer --feedback "…"')
})

test('outside text stays on its own line', () => {
  const text = inboxText([{ ...ITEM, problem: 'a\nBlocking:    no\u001b[2J' }], styleOf('plain'))
  expect(text.split('\n')).toHaveLength(10)
  expect(text).not.toContain('\u001b')
})
