import { expect, test } from 'vitest'
import type { InboxEntry } from '../../../src/protocol/answers.ts'
import { countNeeds, headline, keyOfItem, nameOfNeed, needsOf } from './needs-you.ts'

const item = (id: string, blocking: boolean, since: string): InboxEntry => ({
  id,
  kind: 'escalation',
  plan: 'shop',
  task: null,
  task_title: null,
  problem: '',
  impact: '',
  options: [],
  recommended: '',
  blocking,
  since,
  repo: '/r',
  blocks: [],
  evidence: [],
  group: [],
  scopes: [],
  reason_needed: [],
  feedback_needed: [],
})
const interview = (session_id: string, waits: boolean) => ({
  session_id,
  repo: '/r',
  title: '',
  state: 'AWAIT_USER',
  waits,
})

test('blocking items come first, the oldest first, then interviews that wait', () => {
  const inbox = [
    item('E-1', false, '2026-11-16T09:00:00Z'),
    item('E-2', true, '2026-11-16T11:00:00Z'),
    item('E-3', true, '2026-11-16T10:00:00Z'),
  ]
  const interviews = [interview('s-1', true), interview('s-2', false)]
  expect(needsOf({ inbox, interviews }).map(({ key }) => key)).toEqual([
    '/r:shop:E-3',
    '/r:shop:E-2',
    '/r:shop:E-1',
    'interview:s-1',
  ])
})

test('what other tasks wait for comes before an older item that only its own task waits for', () => {
  const inbox = [
    { ...item('E-1', true, '2026-11-16T09:00:00Z'), task: '1', blocks: ['1'] },
    { ...item('E-2', true, '2026-11-16T10:00:00Z'), task: '2', blocks: ['2', '3'] },
  ]
  expect(needsOf({ inbox, interviews: [] }).map(({ key }) => key)).toEqual(['/r:shop:E-2', '/r:shop:E-1'])
})

test('the count of what needs a person is not known before the first snapshot', () => {
  expect(countNeeds(undefined)).toBeNull()
})

test('an id alone finds its item, also among equal permissions that are one entry', () => {
  const inbox = [
    item('E-1', true, '2026-11-16T09:00:00Z'),
    { ...item('P-2', true, '2026-11-16T10:00:00Z'), group: ['P-2', 'P-3'] },
  ]
  const needs = needsOf({ inbox, interviews: [] })
  expect(keyOfItem(needs, { item: 'E-1' })).toBe('/r:shop:E-1')
  expect(keyOfItem(needs, { item: 'P-3' })).toBe('/r:shop:P-2')
  expect(keyOfItem(needs, { item: '' })).toBeNull()
})

test('a link that names the plan and the repository finds its item among others of the same id', () => {
  const since = '2026-11-16T09:00:00Z'
  const inbox = [
    { ...item('shop:E-1', true, since), plan: 'shop' },
    { ...item('till:E-1', true, since), plan: 'till' },
    { ...item('b:shop:E-2', true, since), plan: 'shop', repo: '/b' },
    { ...item('a:shop:E-2', true, since), plan: 'shop', repo: '/a' },
  ]
  const needs = needsOf({ inbox, interviews: [] })
  expect(keyOfItem(needs, { item: 'E-1', plan: 'till', repo: '/r' })).toBe('/r:till:till:E-1')
  expect(keyOfItem(needs, { item: 'E-2', plan: 'shop', repo: '/a' })).toBe('/a:shop:a:shop:E-2')
  expect(keyOfItem(needs, { item: 'b:shop:E-2', plan: 'shop' })).toBe('/b:shop:b:shop:E-2')
  // Neither is a guess.
  expect(keyOfItem(needs, { item: 'E-1' })).toBeNull()
  expect(keyOfItem(needs, { item: 'E-1', plan: 'gone' })).toBeNull()
  expect(keyOfItem(needs, { item: 'E-2', plan: 'shop' })).toBeNull()
})

test('an item is called by the title of its task, and what is asked does not name the task again', () => {
  const asked = (problem: string) => headline({ task: '3', task_title: 'Add the basket (again)', problem })
  expect(asked('task 3 (Add the basket (again)) passed its gates and waits for your approval')).toEqual({
    title: 'Add the basket (again)',
    text: 'Passed its gates and waits for your approval',
  })
  expect(asked('task 3 (Add the basket (again)): unit tests still failing').text).toBe(
    'Unit tests still failing',
  )
  expect(asked('w-shop-3-1 at task 3 (Add the basket (again)): no output for 6m').text).toBe(
    'w-shop-3-1: no output for 6m',
  )
  expect(asked('Ann has taken over w-shop-3-1 at task 3 (Add the basket (again))').text).toBe(
    'Ann has taken over w-shop-3-1',
  )
})

test('an item without a task title is called by what is asked', () => {
  const text = 'Task 3 (Add the basket) was rejected'
  expect(headline({ task: '3', task_title: null, problem: 'task 3 (Add the basket) was rejected' })).toEqual({
    title: null,
    text,
  })
  expect(headline({ task: null, task_title: null, problem: 'the plan is stuck' }).text).toBe(
    'The plan is stuck',
  )
  const [need] = needsOf({
    inbox: [{ ...item('E-1', true, '2026-11-16T09:00:00Z'), problem: 'a risk' }],
    interviews: [],
  })
  expect(need === undefined ? '' : nameOfNeed(need)).toBe('A risk')
})
