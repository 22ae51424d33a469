import { describe, expect, test } from 'vitest'
import { aBench, BASE, OLD_TEST, SLUG, WORK } from './gate-bench.ts'

describe('work may not change what it is judged by', () => {
  const lint = { 'scripts/lint.mjs': 'process.exitCode = 1\n' }
  const judged = (work: Record<string, string>) =>
    aBench(
      { base: { ...BASE, ...lint }, tree: { ...WORK, ...lint, ...work } },
      { environment: { lint: 'node scripts/lint.mjs' } },
    ).gate('integrity')

  test('honest work passes', async () => {
    expect(await judged({})).toMatchObject({ outcome: 'passed', evidence: { findings: [] } })
  })

  test.each([
    ['a test of the base', { 'test/old.test.mjs': OLD_TEST.replace('test(', 'test.skip(') }],
    ['the script that lints', { 'scripts/lint.mjs': 'process.exitCode = 0\n' }],
    ['its way out', { 'src/slug.mjs': `${SLUG}process.exit(0)\n` }],
  ])('%s', async (_, work) => {
    expect((await judged(work)).outcome).toBe('failed')
  })
})
