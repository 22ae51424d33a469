import { expect, test } from 'vitest'
import { anIntegrationTest, low, normal } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { standing } from './standing.ts'

const of = (plan: PlayedPlan) => standing(plan.state)

test('a plan with work in progress is running', () => {
  const plan = PlayedPlan.begun([low('1'), low('2', { dependsOn: ['1'] })])
  expect(of(plan)).toEqual({ state: 'running', why: '1 in progress, 0 ready' })
})

test('a plan is running from its registration on', () => {
  expect(of(new PlayedPlan([low('1')])).state).toBe('running')
})

test('a plan with all tasks completed is running until it is released', () => {
  const plan = PlayedPlan.begun([low('1')]).complete('1')
  expect(of(plan)).toEqual({ state: 'running', why: 'preparing the release' })
})

test('a released plan is done, signed or not', () => {
  const plan = PlayedPlan.begun([low('1')])
    .complete('1')
    .releaseGate()
  plan.tell({ type: 'release.prepared', v: 1, sha: 'r', manifest: 'm' })
  expect(of(plan)).toEqual({ state: 'done', why: 'released, waiting for a sign-off' })
  expect(of(plan.answer('sign'))).toEqual({ state: 'done', why: 'released and signed off' })
})

test('a cancelled plan is done, with who cancelled it and why', () => {
  expect(of(PlayedPlan.begun([low('1')]).cancel())).toEqual({
    state: 'done',
    why: 'cancelled by ada: not needed',
  })
})

test('a plan that needs an answer is waiting, and names the item', () => {
  const plan = PlayedPlan.begun([normal('1'), normal('2', { dependsOn: ['1'] })])
  plan.work('1', { end: { kind: 'blocked', reason: 'which one?' } })
  expect(of(plan)).toEqual({ state: 'waiting', why: 'E-1: task 1 (Do 1): its worker is blocked: which one?' })
})

test('an open question does not stop other work', () => {
  const plan = PlayedPlan.begun([normal('1'), normal('2')])
  plan.work('1', { end: { kind: 'blocked', reason: 'which one?' } })
  expect(of(plan).state).toBe('running')
})

test('a plan with too many results waiting for approval is waiting, with that reason', () => {
  const settings = { approval: 'each_task' as const, maxWaitingForReview: 1 }
  const plan = PlayedPlan.begun([normal('1'), normal('2')], { settings })
    .work('1')
    .gates('1')
    .review('1')
  expect(of(plan)).toEqual({
    state: 'waiting',
    why: '1 result is waiting for approval; no new task starts until one is decided (scheduling.max_waiting_for_review: 1)',
  })
  expect(of(plan.answer('approve')).state).toBe('running')
})

test('a plan whose remaining tasks depend on a failure is deadlocked, and names it', () => {
  const plan = PlayedPlan.begun([normal('1'), normal('2', { dependsOn: ['1'] })])
  plan.work('1', { end: { kind: 'blocked', reason: 'which one?' } }).answer('reject')
  expect(of(plan)).toEqual({ state: 'deadlocked', why: 'task 1 failed and 1 more depends on it' })
})

test('a failure beside another open question is waiting, not deadlocked', () => {
  const plan = PlayedPlan.begun([normal('1'), normal('2')])
  plan.work('1', { end: { kind: 'blocked', reason: 'a?' } }).answer('reject')
  plan.work('2', { end: { kind: 'blocked', reason: 'b?' } })
  expect(of(plan).state).toBe('waiting')
})

test('a paused plan is paused, whatever else is open', () => {
  const plan = PlayedPlan.begun([normal('1')])
  plan.work('1', { end: { kind: 'blocked', reason: 'which one?' } }).pause()
  expect(of(plan)).toEqual({ state: 'paused', why: 'lunch' })
})

test('a plan whose integration has to run is running', () => {
  const plan = PlayedPlan.begun([low('1', { layer: 'core' }), low('2', { dependsOn: ['1'] })], {
    integration: [anIntegrationTest('it-1', 'core', ['1'])],
  })
  expect(of(plan.complete('1')).state).toBe('running')
})

test('a dropped task does not keep a plan from being done', () => {
  const plan = PlayedPlan.begun([normal('1'), low('2')])
  plan.work('1', { end: { kind: 'blocked', reason: 'a?' } }).answer('reject')
  plan.tell({ type: 'task.replanned', v: 1, task: '1', recommend: 'drop', note: 'leave it', by: 'rules' })
  plan.answer('drop').complete('2')
  expect(of(plan)).toEqual({ state: 'running', why: 'preparing the release' })
})
