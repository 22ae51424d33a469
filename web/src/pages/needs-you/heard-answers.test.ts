import { expect, test } from 'vitest'
import type { EventMessage } from '../../../../src/protocol/answers.ts'
import { heardAnswers, isSameItem } from './heard-answers.ts'

const at = '2026-11-16T10:00:00.000Z'
const answered = (plan: string, by: string): EventMessage => ({
  seq: 1,
  version: 1,
  timestamp: at,
  plan,
  task: null,
  text: null,
  details: [],
  activity: [
    { timestamp: at, event: 'task_committed', text: '', data: {} },
    {
      timestamp: at,
      event: 'approval_answered',
      text: '',
      data: { id: 'A-1', by, choice: 'approve', feedback: '' },
    },
  ],
})

test('the stream says who answered an item, also for an id with a plan in front', () => {
  const [heard, other] = heardAnswers([answered('small', 'Ana'), answered('big', 'user')])
  if (heard === undefined || other === undefined) throw new Error('both answers are heard')
  expect(heard.answer).toEqual({ by: 'Ana', at, choice: 'approve', feedback: '' })
  expect(other.answer.by).toBe('Someone else')
  expect(isSameItem(heard, { plan: 'small', id: 'A-1' })).toBe(true)
  expect(isSameItem(heard, { plan: 'small', id: 'small:A-1' })).toBe(true)
  expect(isSameItem(heard, { plan: 'small', id: 'A-11' })).toBe(false)
  expect(isSameItem(other, { plan: 'small', id: 'A-1' })).toBe(false)
})
