import { expect, test } from 'vitest'
import { HOUR, low, MINUTE, START } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { activeInterventions, interventionLines, limitWarnings } from './active-interventions.ts'

const QUIET = { settings: { reportEveryMs: 1000 * HOUR } }
const working = (): PlayedPlan =>
  PlayedPlan.begun([low('1', { timeBudgetMs: 10 * HOUR })], QUIET).started('1')

/** The counts that are not 0. */
function active(plan: PlayedPlan): Record<string, number> {
  const observed = { since: START, workers: plan.signs }
  const counts = activeInterventions(plan.state, { now: plan.now, observed })
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
}

test('a message about silence is in effect until the worker shows life', () => {
  const plan = working().pass(MINUTE).lives('1')
  expect(active(plan)).toEqual({})
  plan.pass(5 * MINUTE)
  expect(active(plan)).toEqual({ nudge: 1 })
  plan.pass(9 * MINUTE)
  expect(active(plan)).toEqual({ nudge: 1 })
  plan.pass(8 * MINUTE)
  expect(active(plan)).toEqual({ nudge: 1, remind: 1, escalate: 1 })
  plan.pass(3 * MINUTE)
  expect(active(plan)).toEqual({ nudge: 1, remind: 1, escalate: 1, restart: 1 })
  plan.pass(MINUTE).lives('1')
  expect(active(plan)).toEqual({})
})

test('a warning about the limit is in effect', () => {
  const plan = working()
  for (let passed = 0; passed < 6 * HOUR; passed += 4 * MINUTE) plan.pass(4 * MINUTE).lives('1')
  expect(active(plan)).toEqual({ warn: 1 })
  const task = plan.task('1')
  if (task.live === null) throw new Error('it does not run')
  const moment = { now: plan.now, observed: { since: START, workers: plan.signs }, live: task.live }
  expect(interventionLines(plan.state, task, moment)).toEqual(['warned about its time limit'])
  expect(limitWarnings(task.live)).toEqual(['50 % of 10h'])
})

test('a running stop is in effect, and nothing is for a worker that has ended', () => {
  const plan = working().observe('1', { repeated: { key: 'k', call: 'bash npm test', times: 8 } })
  expect(active(plan)).toEqual({ kill: 1 })
  plan.ended('1', { end: { kind: 'stopped', cause: 'looping' } })
  expect(active(plan)).toEqual({})
})
