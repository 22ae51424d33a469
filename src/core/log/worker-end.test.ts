import { expect, test } from 'vitest'
import { low, MINUTE, normal } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { workerEnding } from './worker-end.ts'

const endingOf = (plan: PlayedPlan, worker: string) => workerEnding(plan.facts, worker)
const workerOf = (plan: PlayedPlan): string => plan.last('task.dispatched').worker

test('a worker that runs has no ending', () => {
  const plan = PlayedPlan.begun([low('1')]).started('1')
  expect(endingOf(plan, workerOf(plan))).toBeNull()
})

test('a worker that a person killed names the person and the reason, and the attempt that followed', () => {
  const plan = PlayedPlan.begun([low('1')]).started('1')
  const { worker, task, attempt } = plan.last('worker.started')
  const about = { worker, task, attempt }
  const why = 'Ann killed it: wrong branch'
  plan.tell({ type: 'worker.condemned', v: 1, ...about, cause: 'killed', why, by: 'Ann' })
  plan.work('1', { end: { kind: 'stopped', cause: 'killed' } }).pass(10 * MINUTE)
  const next = workerOf(plan)
  expect(next).not.toBe(worker)
  expect(endingOf(plan, worker)).toMatchObject({
    how: 'killed',
    by: 'Ann',
    title: 'killed by Ann',
    why: 'wrong branch',
    followed: [{ worker: next, item: null }],
  })
})

test('a kill in a log without the name of the person keeps its words', () => {
  const plan = PlayedPlan.begun([low('1')]).started('1')
  const { worker, task, attempt } = plan.last('worker.started')
  plan.tell({ type: 'worker.condemned', v: 1, worker, task, attempt, cause: 'killed', why: 'Ann killed it' })
  plan.work('1', { end: { kind: 'stopped', cause: 'killed' } })
  expect(endingOf(plan, worker)).toMatchObject({ by: null, title: 'killed', why: 'Ann killed it' })
})

test('a blocked worker is followed by the question to a person, open until it is answered', () => {
  const plan = PlayedPlan.begun([low('1')]).work('1', { end: { kind: 'blocked', reason: 'which shop?' } })
  const worker = workerOf(plan)
  const { id } = plan.item('1')
  expect(endingOf(plan, worker)).toMatchObject({
    how: 'blocked',
    why: 'which shop?',
    followed: [{ item: id, isOpen: true }],
  })
  plan.pass(MINUTE).answer('reject', { about: '1' })
  expect(endingOf(plan, worker)?.followed).toMatchObject([{ item: id, isOpen: false }, { item: null }])
})

test('a worker stopped at its time limit says so without an event that announced it', () => {
  const plan = PlayedPlan.begun([low('1')]).work('1', { end: { kind: 'stopped', cause: 'time_limit' } })
  const first = plan.facts.flatMap(({ event }) => (event.type === 'worker.ended' ? [event.worker] : []))[0]
  expect(endingOf(plan, first ?? '')).toMatchObject({
    how: 'limit',
    title: 'reached its time limit',
    why: '',
  })
})

test('a worker that reported done is followed by its gates and its landing, not by those of other tasks', () => {
  const plan = PlayedPlan.begun([low('1'), normal('2', { dependsOn: ['1'] })])
  const worker = workerOf(plan)
  plan.complete('1')
  const texts = endingOf(plan, worker)?.followed.map(({ text }) => text)
  expect(texts).toContain('its gates passed')
  expect(texts?.at(-1)).toBe('its work landed')
})
