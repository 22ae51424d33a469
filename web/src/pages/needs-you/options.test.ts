import { expect, test } from 'vitest'
import type { InboxEntry } from '../../../../src/protocol/answers.ts'
import { boxOf, doneWords, furtherEvidence, isSaidByBlocks, missingFor, shownOption } from './options.ts'

const item: InboxEntry = {
  id: 'E-1',
  kind: 'escalation',
  plan: 'shop',
  task: 'T-1',
  task_title: null,
  problem: 'Tests fail',
  impact: '',
  options: [],
  recommended: 'retry',
  blocking: true,
  since: '2026-11-16T10:00:00Z',
  repo: '/code/shop',
  blocks: [],
  evidence: [],
  group: [],
  scopes: [],
  reason_needed: ['approve'],
  feedback_needed: ['revise'],
}

const option = (key: string, label: string) => ({ key, label, consequence: 'It goes on.' })

test('an option shows its key as a verb and its label as the explanation', () => {
  expect(shownOption(item, option('retry', 'try again with fresh budgets'))).toMatchObject({
    title: 'Retry',
    text: 'Try again with fresh budgets',
    isRecommended: true,
    takes: 'nothing',
  })
})

test('sending back asks for the feedback that goes with it, and approving over failed gates is called an override', () => {
  const optional = { ...item, feedback_needed: [] }
  expect(shownOption(optional, option('revise', 'send it back with your feedback')).takes).toBe('text')
  expect(shownOption(item, option('approve', 'override the failing gates')).title).toBe('Override')
  expect(shownOption({ ...item, reason_needed: [] }, option('approve', 'commit it')).title).toBe('Approve')
})

test('an option whose key is no word shows its label on the button', () => {
  expect(shownOption(item, option('a', 'purge after a day'))).toMatchObject({
    title: 'Purge after a day',
    text: null,
  })
})

test("the command line's flags are not shown", () => {
  const answer = shownOption(item, option('answer', 'answer it: --feedback "…"'))
  expect(answer).toMatchObject({ title: 'Answer', text: 'Answer it', takes: 'text' })
  const label = 'give it 30 more minutes, or as many as you set: --feedback "45 min"'
  expect(shownOption(item, option('extend', label)).text).toBe('Give it 30 more minutes')
})

test('the box of an option asks for what the option takes', () => {
  const box = (key: string, label: string, needed: readonly string[] = []) =>
    boxOf(shownOption({ ...item, reason_needed: [], feedback_needed: [...needed] }, option(key, label)))
  expect(box('answer', 'answer it: --feedback "…"', ['answer']).label).toBe('Your answer')
  expect(box('nudge', 'send it a message: --feedback "…"').label).toBe('Your message (optional)')
  expect(box('rescope', 'plan it anew', ['rescope']).label).toBe('The new scope')
  expect(box('revise', 'send it back', ['revise']).label).toBe('What should change?')
  expect(box('revise', 'send it back').label).toBe('What should change? (optional)')
  expect(box('approve', 'commit it').label).toBe('Note (optional)')
  for (const words of ['or as many as you set', 'or as much as you set', 'or to what you set']) {
    const extend = shownOption(item, option('extend', `give it more, ${words}: --feedback "45 min"`))
    expect(extend.text).toBe('Give it more')
    expect(boxOf(extend)).toEqual({ label: 'How much (optional)', hint: 'For example: 45 min' })
  }
})

test('what an option needs is asked for before it is sent', () => {
  const approve = shownOption(item, option('approve', 'override the gates'))
  expect(missingFor(approve, { text: ' ', name: 'Ana' })).toBe('text')
  expect(missingFor(approve, { text: 'flaky', name: '' })).toBe('name')
  expect(missingFor(approve, { text: 'flaky', name: 'Ana' })).toBeNull()
  const revise = shownOption(item, option('revise', 'send it back'))
  expect(missingFor(revise, { text: '', name: '' })).toBe('text')
  expect(missingFor(revise, { text: 'rename it', name: '' })).toBeNull()
})

test('each option of a permission has its own reach, and other options have none', () => {
  const scopes = ['once', 'task', 'plan'] as const
  const asked: InboxEntry = { ...item, kind: 'permission', scopes: [...scopes] }
  expect(shownOption(asked, option('allow', 'allow it')).scopes).toEqual(scopes)
  expect(shownOption(asked, option('deny', 'deny it')).scopes).toEqual(scopes)
  expect(shownOption({ ...asked, scopes: ['once'] }, option('allow', 'allow it')).scopes).toEqual([])
  expect(shownOption(item, option('retry', 'try again')).scopes).toEqual([])
})

test('the toast of a recorded decision names its task', () => {
  expect(doneWords(item, 'Send back')).toBe('Sent back: task T-1')
  expect(doneWords({ ...item, task: null }, 'Raise it')).toBe('Raise it: E-1')
})

test('evidence that the problem names already is not shown again', () => {
  const problem = 'task 3 (Add it): unit tests still failing after 2 fix attempts: 1 of 2 tests passed'
  const evidence = [
    'unit tests failed: 1 of 2 tests passed',
    'expected 429, got 200',
    'the worker writes: done',
  ]
  expect(furtherEvidence({ problem, evidence })).toEqual(evidence.slice(1))
})

test('an impact that only counts the blocked tasks gives way to their list', () => {
  const blocked = { ...item, task: '3', blocks: ['3', '10'] }
  const impact = 'task 3 and its dependents (10) are blocked'
  expect(isSaidByBlocks({ ...blocked, impact })).toBe(true)
  expect(isSaidByBlocks({ ...blocked, impact, blocks: ['3'] })).toBe(false)
  expect(isSaidByBlocks({ ...blocked, impact: `${impact}; 4 waits for its area (src)` })).toBe(false)
})
