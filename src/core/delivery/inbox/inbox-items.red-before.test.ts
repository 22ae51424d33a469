import { expect, test } from 'vitest'
import { low } from '../../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../../test/helpers/played-plan.ts'
import { NO_BRANCHES } from '../../event-schemas/baseline.ts'

const START = {
  tree: 'tree',
  files: 3,
  log: [],
  tests: { outcome: 'passed', counts: null } as const,
  checks: [
    { gate: 'lint', outcome: 'failed', summary: '3 errors' } as const,
    { gate: 'typecheck', outcome: 'passed', summary: 'clean' } as const,
  ],
  warnings: [],
  trials: [],
}

test('the item about a failing gate notes that it failed at the start commit', () => {
  const plan = new PlayedPlan([low('1')], { settings: { fixAttempts: 0 } }).tell({
    type: 'plan.baselined',
    v: 2,
    sha: 'base',
    contextBlock: '',
    failing: [],
    start: START,
    audits: [],
    branches: NO_BRANCHES,
  })
  plan.work('1').gates('1', { failed: ['lint_typecheck'] })
  expect(plan.item().problem).toContain('; lint also failed at the start commit')
})

test('the item about a failing gate that passed at the start commit has no such note', () => {
  const plan = PlayedPlan.begun([low('1')], { settings: { fixAttempts: 0 } })
  expect(
    plan
      .work('1')
      .gates('1', { failed: ['lint_typecheck'] })
      .item().problem,
  ).not.toContain('start commit')
})
