import { describe, expect, test } from 'vitest'
import { aTask } from '../../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../../test/helpers/played-plan.ts'
import { outcomeOf } from '../../decide/outcome.ts'
import { releaseManifest } from '../release/release-manifest.ts'
import { NO_BRANCHES, type CheckTrial, type StartFacts } from '../../event-schemas/baseline.ts'
import { standing } from '../../decide/standing.ts'

const LINT: CheckTrial = {
  check: 'lint',
  state: 'cannot_run',
  command: 'flake8',
  why: 'flake8 exited with 127',
}
const TYPES: CheckTrial = { check: 'typecheck', state: 'red', command: 'mypy .', why: 'mypy . exited with 1' }
const SETUP: CheckTrial = {
  check: 'setup',
  state: 'cannot_run',
  command: 'npm ci',
  why: 'npm ci exited with 1',
}

const START: StartFacts = {
  tree: 'start-tree',
  files: 3,
  log: [],
  tests: { outcome: 'passed', counts: null },
  checks: [],
  warnings: [],
  trials: [],
}

function looked(plan: PlayedPlan, trials: readonly CheckTrial[]): PlayedPlan {
  return plan.tell({
    type: 'plan.baselined',
    v: 2,
    sha: 'base-sha',
    contextBlock: '',
    failing: [],
    start: { ...START, trials: [...trials] },
    audits: [],
    branches: NO_BRANCHES,
  })
}
const begun = (...trials: readonly CheckTrial[]) => looked(new PlayedPlan([aTask('1'), aTask('2')]), trials)

describe('a check that cannot run or fails at the start commit', () => {
  test('opens one question for the plan, and no worker starts before its answer', () => {
    const plan = begun(LINT, TYPES)
    expect([...plan.state.inbox.values()].map(({ item }) => item)).toMatchObject([
      {
        kind: 'question',
        subject: 'checks',
        task: null,
        blocking: true,
        problem:
          'before any work started: lint cannot run (flake8 exited with 127); typecheck fails at the start commit (mypy . exited with 1)',
        options: [{ key: 'install' }, { key: 'as_is' }, { key: 'leave_out' }],
        recommended: 'install',
      },
    ])
    expect(plan.keys().filter((key) => !key.startsWith('present'))).toEqual([])
    expect(outcomeOf(plan.state, plan.now)).toBe('needs_person')
    expect(standing(plan.state).state).toBe('waiting')
  })

  test('opens no question where every check passes or its failures are known by name', () => {
    const plan = begun()
    expect(plan.state.inbox.size).toBe(0)
    expect(plan.step('1')).not.toBe('ready')
  })

  test('offers no comparison where its findings cannot be compared', () => {
    const { options, recommended } = begun(LINT).item()
    expect(options.map(({ key }) => key)).toEqual(['install', 'leave_out'])
    expect(recommended).toBe('install')
    expect(begun(TYPES).item().recommended).toBe('as_is')
  })
})

describe('the answer about checks at the start', () => {
  test('"as_is" accepts checks that fail, and skips checks that cannot run', () => {
    const plan = begun(LINT, TYPES).answer('as_is')
    expect(plan.state.checkChoices).toMatchObject([
      { check: 'lint', choice: 'left_out', by: 'ada' },
      { check: 'typecheck', choice: 'as_is', by: 'ada', command: 'mypy .' },
    ])
    expect(plan.effect('start_worker', '1').atStart).toEqual({
      tree: 'start-tree',
      choices: plan.state.checkChoices,
    })
    expect(plan.state.inbox.size).toBe(0)
  })

  test('"install" runs every check again, and asks again about those that still fail', () => {
    const plan = begun(LINT, TYPES).answer('install')
    expect(plan.keys()).toEqual(['baseline 1'])
    expect(plan.effect('take_baseline')).toMatchObject({ round: 1, choices: [] })
    looked(plan, [TYPES])
    expect(plan.item().problem).not.toContain('flake8')
    plan.answer('leave_out')
    expect(plan.state.checkChoices).toMatchObject([{ check: 'typecheck', choice: 'left_out' }])
    expect(plan.keys()).toContain('start w-shop-1-1')
  })

  test('"leave_out" of a set-up runs the other checks without it', () => {
    const plan = begun(SETUP).answer('leave_out')
    expect(plan.effect('take_baseline')).toMatchObject({
      round: 1,
      choices: [{ check: 'setup', choice: 'left_out' }],
    })
    looked(plan, [])
    expect(plan.keys()).toContain('start w-shop-1-1')
  })

  test('is in the manifest, with the name of the person', () => {
    const plan = begun(TYPES).answer('as_is')
    expect(releaseManifest(plan.state).checks_at_start).toMatchObject([
      { check: 'typecheck', choice: 'as_is', command: 'mypy .', by: 'ada', why: 'mypy . exited with 1' },
    ])
    expect(releaseManifest(begun().state)).not.toHaveProperty('checks_at_start')
  })
})

test('a red check that Bosun found by itself is compared with its findings, without a question', () => {
  const found = { ...TYPES, detected: true } as const
  const plan = begun(found)
  expect(plan.state.checkChoices).toMatchObject([{ check: 'typecheck', choice: 'as_is', by: 'Bosun' }])
  expect(plan.keys()).toContain('start w-shop-1-1')
  const asked = begun(found, { ...LINT, detected: true })
  expect([...asked.state.inbox.values()].map(({ item }) => item.problem)).toEqual([
    'before any work started: lint cannot run (flake8 exited with 127)',
  ])
})

test('an edit of the plan runs open checks again, since it may name other commands', () => {
  const before = [aTask('1'), aTask('2')]
  const plan = begun(LINT).edit(before, [aTask('1'), aTask('2', { title: 'Another title' })])
  expect(plan.state.inbox.size).toBe(0)
  expect(plan.keys()).toEqual(['baseline 1'])
})
