import { expect, test } from 'vitest'
import type { InboxEntry } from '../../protocol/answers.ts'
import { inboxText } from './inbox-view.ts'
import { styleOf } from '../terminal/terminal.ts'

const ITEM: InboxEntry = {
  id: 'E-1',
  kind: 'escalation',
  plan: 'shop',
  task: '7',
  task_title: null,
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
  expect(inboxText({ inbox: [ITEM], interviews: [] }, styleOf('plain'))).toBe(
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

test('a printed answer shows where the words go that it needs', () => {
  const printed = (fields: Partial<InboxEntry>): string | undefined =>
    /^Answer: +(.*)$/m.exec(
      inboxText({ inbox: [{ ...ITEM, ...fields }], interviews: [] }, styleOf('plain')),
    )?.[1]
  expect(printed({ id: 'shop:Q-2', recommended: 'answer' })).toBe('bosun answer shop:Q-2 "…"')
  expect(printed({ feedback_needed: ['revise'] })).toBe('bosun answer E-1 revise --feedback "…"')
  expect(printed({ recommended: 'accept', reason_needed: ['accept'] })).toBe(
    'bosun answer E-1 accept --reason "…"',
  )
})

test('items that differ in their task only are one, and one answer answers all of them', () => {
  const about = (id: string, task: string, more: Partial<InboxEntry> = {}): InboxEntry => ({
    ...ITEM,
    id,
    task,
    task_title: `Add ${task}`,
    problem: `task ${task} (Add ${task}): unit fails: adds`,
    impact: `task ${task} stays open`,
    ...more,
  })
  const inbox = [
    about('E-1', '1'),
    about('E-2', '2'),
    about('E-3', '3', { problem: 'task 3 (Add 3): lint fails' }),
    about('E-4', '4', { plan: 'other' }),
  ]
  const text = inboxText({ inbox, interviews: [] }, styleOf('plain'))
  expect(text.match(/^(Problem|Impact|Answer):.*/gm)).toEqual([
    'Problem:     tasks 1, 2: unit fails: adds',
    'Impact:      each task stays open',
    'Answer:      bosun answer E-1,E-2 revise',
    'Problem:     task 3 (Add 3): lint fails',
    'Impact:      task 3 stays open',
    'Answer:      bosun answer E-3 revise',
    'Problem:     task 4 (Add 4): unit fails: adds',
    'Impact:      task 4 stays open',
    'Answer:      bosun answer E-4 revise',
  ])
})

test('outside text stays on its own line', () => {
  const text = inboxText(
    { inbox: [{ ...ITEM, problem: 'a\nBlocking:    no\u001b[2J' }], interviews: [] },
    styleOf('plain'),
  )
  expect(text.split('\n')).toHaveLength(10)
  expect(text).not.toContain('\u001b')
})

test('an open interview stands in the inbox with how to go on and how to end it', () => {
  const row = { session_id: '1.1', repo: '/shop', title: 'Search', state: 'AWAIT_USER', waits: true }
  expect(inboxText({ inbox: [], interviews: [row] }, styleOf('plain'))).toBe(
    'Interview "Search" in /shop waits for you\n  go on with: bosun interview · end it: bosun interview --abandon\n',
  )
})
