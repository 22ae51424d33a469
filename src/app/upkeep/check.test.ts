import { expect, test } from 'vitest'
import { checkCommands } from './check.ts'

test('tests that pass without naming one are a warning, since a plan asks about them', () => {
  const why = 'npm test exited with 0, but its output names no tests'
  expect(checkCommands([{ check: 'test', command: 'npm test', outcome: 'unnamed', why }])).toMatchObject([
    {
      id: 'test',
      status: 'warning',
      message: `passes at the newest commit without naming a test: ${why}`,
      remedy: expect.stringContaining('environment.test'),
    },
  ])
})

test('tests that count by their exit code alone are said to, and are a warning where no broken test fails them', () => {
  const tried = { check: 'test', command: 'make test', outcome: 'passed', why: '' } as const
  expect(checkCommands([{ ...tried, byExitCode: { failsWith: 'tests.c' } }])).toMatchObject([
    { status: 'ok', message: expect.stringMatching(/exit code alone.*tests\.c, broken, makes it fail/) },
  ])
  expect(checkCommands([{ ...tried, byExitCode: { failsWith: null } }])).toMatchObject([
    { status: 'warning', message: expect.stringContaining('it proves nothing') },
  ])
})
