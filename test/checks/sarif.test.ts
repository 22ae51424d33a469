import { expect, test } from 'vitest'
import { aBench, WORK, BASE } from './gate-bench.ts'

const report = (level: string) =>
  JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'lint' } },
        results: [
          {
            ruleId: 'no-x',
            level,
            message: { text: 'x is bad' },
            locations: [
              { physicalLocation: { artifactLocation: { uri: 'src/slug.mjs' }, region: { startLine: 1 } } },
            ],
          },
        ],
      },
    ],
  })
const lint = (level: string, code: number) =>
  aBench(
    { base: BASE, tree: { ...WORK, 'report.json': report(level) } },
    { environment: { lint: `cat report.json; exit ${code}` } },
  ).gate('lint')

test('findings of a linter have their place', async () => {
  expect(await lint('error', 1)).toMatchObject({
    outcome: 'failed',
    evidence: { findings: [{ weight: 'blocks', text: 'no-x: x is bad', file: 'src/slug.mjs', line: 1 }] },
  })
})

test('errors in a report fail, whatever the exit code', async () => {
  expect(await lint('error', 0)).toMatchObject({
    outcome: 'failed',
    summary: expect.stringContaining('its report has 1 error'),
  })
})

test('warnings are for review', async () => {
  expect(await lint('warning', 0)).toMatchObject({
    outcome: 'passed',
    evidence: { findings: [{ weight: 'note' }] },
  })
})
