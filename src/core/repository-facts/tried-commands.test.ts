import { expect, test } from 'vitest'
import type { StartFacts } from '../event-schemas/baseline.ts'
import { outcomesAtStart, outcomesOf } from './tried-commands.ts'

const start: StartFacts = {
  tree: 't',
  files: 1,
  log: [],
  tests: { outcome: 'passed', counts: null },
  checks: [
    { gate: 'lint', outcome: 'failed', summary: '' },
    { gate: 'typecheck', outcome: 'not_applicable', summary: '' },
    { gate: 'build', outcome: 'inconclusive', summary: '' },
  ],
  warnings: [],
  trials: [{ check: 'build', state: 'cannot_run', command: 'make', why: 'make: not found' }],
}

test('a baseline tells which commands passed, failed or were not tried', () => {
  expect(Object.fromEntries(outcomesAtStart(start))).toEqual({
    setup: 'passed',
    test: 'passed',
    lint: 'failed',
    build: 'failed',
  })
  const nothing = { ...start, tests: { outcome: 'none', counts: null }, checks: [], trials: [] } as const
  expect(outcomesAtStart({ ...nothing, checks: [], trials: [] }).size).toBe(0)
})

test('a command that was never reached stays untried', () => {
  const tried = outcomesOf([
    { check: 'setup', outcome: 'cannot_run' },
    { check: 'lint', outcome: 'not_tried' },
    { check: 'test', outcome: 'unnamed' },
  ])
  expect(Object.fromEntries(tried)).toEqual({ setup: 'failed', test: 'passed' })
})
