import { expect, test } from 'vitest'
import { styleOf } from '../terminal/terminal.ts'
import { traceText } from './trace.ts'

const task = {
  id: 'S-001.1',
  story: 'S-001',
  title: 'Export',
  status: 'completed',
  tests: ['test/export.test.js'],
  tests_pass: true,
  criteria_total: 2,
  criteria_confirmed: 2,
  commit_sha: 'abcdef0123456789abcdef0123456789abcdef01',
} as const

test('a trace shows each requirement with its tasks, tests and commits', () => {
  const text = traceText(
    {
      plan: 'shop',
      repo: '/r',
      requirements: [
        { id: 'R-001', title: 'Export as CSV', tasks: [task] },
        { id: 'R-002', title: null, tasks: [] },
      ],
    },
    styleOf('plain'),
  )
  expect(text).toBe(
    `Plan shop  /r

R-001  Export as CSV  (1 of 1 task committed)
  S-001 → S-001.1  Export  completed
      criteria  2 of 2 confirmed
      test      test/export.test.js passes
      commit    abcdef012345

R-002
  no task of the plan builds it
`,
  )
})
