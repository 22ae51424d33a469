import { expect, test } from 'vitest'
import { anIntegrationTest, aTask } from '../../../test/helpers/plan-builder.ts'
import { checkEvent } from '../events/codec.ts'
import type { Plan } from '../planning/plan.ts'
import { registration } from './register.ts'
import { defaultSettings } from '../settings/settings.ts'

const plan: Plan = {
  header: {
    id: 'shop',
    title: 'Shop',
    source: 'plan.md',
    design: null,
    format: 'markdown',
    goal: 'sell',
    architecture: null,
    techStack: null,
    constraints: [],
    specFile: null,
  },
  tasks: [aTask('1'), aTask('2')],
  order: ['1', '2'],
  integration: [anIntegrationTest('it-1', 'core', ['1'])],
  environment: {},
  removedSteps: [],
  problems: [],
}

test('a complete plan becomes a valid event', () => {
  const event = registration(plan, defaultSettings(), { repo: 'repo' })
  expect(checkEvent(JSON.parse(JSON.stringify(event)))).toEqual(event)
  expect(event.tasks).toEqual(plan.tasks)
})

test('a plan keeps the settings it was registered with, with the documented defaults', () => {
  expect(registration(plan, defaultSettings(), { repo: 'repo' }).settings).toEqual({
    maxParallelAgents: 3,
    parallelTiers: ['low'],
    antiStarvationInterval: 3,
    maxWaitingForReview: 4,
    fixAttempts: 2,
    reworks: 2,
    approval: 'release',
    reportEveryTasks: 3,
    reportEveryMs: 30 * 60_000,
    stalledMs: 20 * 60_000,
    terminateAtPercent: 110,
    watch: {
      mode: 'act',
      loopMs: 15_000,
      firstCheckinMs: 300_000,
      lateMs: 900_000,
      silenceMs: 300_000,
      noProgressMs: 1_800_000,
      afterReportMs: 30_000,
      warnings: [50, 75, 90],
      toolWarnMs: 1_800_000,
      toolEndMs: 7_200_000,
      specialistMs: 600_000,
    },
    patchLimitFiles: 15,
    reviewLow: 'quick',
    checkpointTags: true,
    budgets: { planUsd: null, taskUsd: null, planTokens: null, taskTokens: null },
  })
})

test('a plan is judged where there is a brain at its registration, and only there', () => {
  const settings = (hasBrain: boolean) =>
    registration(plan, defaultSettings(), { repo: 'repo', hasBrain }).settings
  expect(settings(true)).toMatchObject({ brainAssesses: true, brainReviews: true })
  expect(settings(false)).not.toHaveProperty('brainAssesses')
})
