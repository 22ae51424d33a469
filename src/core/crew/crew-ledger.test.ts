import { expect, test } from 'vitest'
import type { DispatchReason, Report } from '../event-schemas/schemas.ts'
import type { PlanEvent } from '../events/plan-events.ts'
import { CrewLedger } from './crew-ledger.ts'

const of = (task: string, attempt: number) => ({ worker: `w-shop-${task}-${attempt}`, task, attempt })

const dispatched = (task: string, attempt: number, reason: DispatchReason): PlanEvent => ({
  type: 'task.dispatched',
  v: 1,
  ...of(task, attempt),
  role: reason === 'first' ? 'developer' : 'fixer',
  reason,
  why: 'next in order',
})
const started = (task: string, attempt: number, agent: string): PlanEvent => ({
  type: 'worker.started',
  v: 1,
  ...of(task, attempt),
  agent,
})
const ended = (task: string, attempt: number, usage?: Report['usage']): PlanEvent => ({
  type: 'worker.ended',
  v: 1,
  ...of(task, attempt),
  end: { kind: 'done' },
  report: usage === undefined ? null : { ...EMPTY, usage },
})
const committed = (task: string, attempt: number): PlanEvent => ({
  type: 'task.committed',
  v: 1,
  task,
  attempt,
  tree: 't',
  sha: 's',
  branch: 'b',
  tag: null,
  artifacts: [],
  risks: [],
})

const EMPTY: Report = {
  explanation: '',
  selfAssessment: null,
  blockers: [],
  risks: [],
  reviewNote: null,
  criteria: [],
}

/** One second after the other. */
function recordsOf(events: readonly PlanEvent[], stream = 'repo/shop') {
  const ledger = new CrewLedger()
  for (const [index, event] of events.entries()) ledger.take({ stream, at: index * 1000, event })
  return ledger.records()
}

test('a task that a person worked on counts in no first-pass rate', () => {
  const [record] = recordsOf([
    dispatched('1', 1, 'first'),
    started('1', 1, 'claude'),
    {
      type: 'worker.condemned',
      v: 1,
      ...of('1', 1),
      cause: 'taken_over',
      why: 'ann took it over',
      by: 'ann',
    },
    ended('1', 1),
    committed('1', 1),
  ])
  expect([record?.attempts, record?.firstPass]).toEqual([1, { passed: 0, of: 0 }])
})

test('a task that lands with its first attempt is a first pass; one that needs a fix is not', () => {
  const records = recordsOf([
    dispatched('1', 1, 'first'),
    started('1', 1, 'claude'),
    ended('1', 1),
    committed('1', 1),
    dispatched('2', 1, 'first'),
    started('2', 1, 'claude'),
    ended('2', 1),
    dispatched('2', 2, 'fix'),
    started('2', 2, 'codex'),
    ended('2', 2),
    committed('2', 2),
  ])
  expect(records).toMatchObject([
    { agent: 'claude', tasks: 2, attempts: 2, firstPass: { passed: 1, of: 2 }, workMs: 2000 },
    { agent: 'codex', tasks: 1, attempts: 1, firstPass: { passed: 0, of: 0 }, workMs: 1000 },
  ])
})

test('a task in progress, or one run again because of an edit, does not count', () => {
  const events = [dispatched('1', 1, 'first'), started('1', 1, 'claude'), ended('1', 1)]
  expect(recordsOf(events)).toMatchObject([{ firstPass: { passed: 0, of: 0 } }])
  const again = [dispatched('1', 2, 'again'), started('1', 2, 'claude'), ended('1', 2), committed('1', 2)]
  expect(recordsOf([...events, ...again])).toMatchObject([{ firstPass: { passed: 1, of: 1 }, attempts: 2 }])
})

test('usage is the most that a worker reported, over all workers of the agent', () => {
  const used = { type: 'worker.used', v: 1, ...of('1', 1), tokens: 500, usd: 0.25 } as const
  const records = recordsOf([
    dispatched('1', 1, 'first'),
    started('1', 1, 'claude'),
    used,
    ended('1', 1, { tokensIn: 300, tokensOut: 100, usd: 0.5 }),
    dispatched('2', 1, 'first'),
    started('2', 1, 'claude'),
    ended('2', 1, { tokensIn: 10, tokensOut: null, usd: null }),
  ])
  expect(records).toMatchObject([{ spent: { tokens: 510, usd: 0.5 } }])
})

test('reviews are counted apart from attempts, and plans apart from each other', () => {
  const reviewing = { v: 1, worker: 'w-shop-1-1-review-1', task: '1', attempt: 1 } as const
  const review: PlanEvent = { type: 'review.dispatched', ...reviewing, round: 1 }
  const reviewer: PlanEvent = { type: 'worker.started', ...reviewing, agent: 'codex' }
  const events = [dispatched('1', 1, 'first'), started('1', 1, 'claude'), ended('1', 1), review, reviewer]
  const ledger = new CrewLedger()
  for (const stream of ['repo/a', 'repo/b']) for (const event of events) ledger.take({ stream, at: 0, event })
  expect(ledger.records()).toMatchObject([
    { agent: 'claude', tasks: 2, attempts: 2, reviews: 0 },
    { agent: 'codex', tasks: 0, attempts: 0, reviews: 2 },
  ])
})

test('a worker whose agent the log does not name is counted without one', () => {
  const nameless: PlanEvent = { type: 'worker.started', v: 1, ...of('1', 1) }
  const records = recordsOf([dispatched('1', 1, 'first'), nameless, ended('1', 1)])
  expect(records).toMatchObject([{ agent: null, attempts: 1 }])
})

test('finished work leaves out launches that failed, are still running or name no agent', () => {
  const ledger = new CrewLedger()
  const failed: PlanEvent = {
    type: 'worker.ended',
    v: 1,
    ...of('1', 1),
    end: { kind: 'failed', reason: 'crashed' },
    report: null,
  }
  const events = [
    dispatched('1', 1, 'first'),
    started('1', 1, 'claude'),
    failed,
    dispatched('1', 2, 'fix'),
    started('1', 2, 'claude'),
    ended('1', 2),
    dispatched('2', 1, 'first'),
    started('2', 1, 'claude'),
  ]
  for (const [index, event] of events.entries()) ledger.take({ stream: 's', at: index * 1000, event })
  expect(ledger.finished()).toMatchObject({ workers: 1, workMs: 1000 })
})
