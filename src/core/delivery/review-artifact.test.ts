import { expect, test } from 'vitest'
import { aChange } from '../../../test/helpers/a-change.ts'
import { loadTestParser } from '../../../test/helpers/test-parser.ts'
import { aCommit } from '../../../test/helpers/requests.ts'
import { integrity } from '../gates/integrity/integrity.ts'
import { ALWAYS_GATES, MANDATORY_GATES } from '../planning/gates.ts'
import { NO_EVIDENCE, type RunEvidence } from '../event-schemas/evidence.ts'
import type { Verdict } from '../event-schemas/schemas.ts'
import { forReview, note, verdict } from '../gates/verdicts.ts'
import { gateRowsIn, reviewArtifact, reviewPath } from './review-artifact.ts'

const PARSER = await loadTestParser('js')

function modified(path: string, before: string, after: string) {
  const change = aChange({ [path]: [before, after] })
  return integrity({
    change,
    trees: PARSER.ofChange(change),
    spec: { files: { create: [], modify: [path], delete: [] }, testsToAdd: [], inferred: [] },
    gateScripts: [],
  })
}
const artifact = (verdict: Verdict): string =>
  reviewArtifact({ ...aCommit('1', 'tree'), proof: { verdicts: [verdict], overrides: [] } })

test('the review lists changed protected files in a section of their own', () => {
  const text = artifact(modified('tox.ini', 'a\n', 'b\n'))
  expect(text).toContain('| integrity | passed | 1 protected file changed, as the contract allows |\n')
  expect(text).toContain(
    '\n## Protected files changed, as the contract allows\n\n- tox.ini (test settings)\n\n',
  )
})

test('the review lists what any gate left to review', () => {
  const findings = [forReview('is gone: adds two', 'a.test.js', 3), note('a detail')]
  const text = artifact(verdict('unit', 'passed', '3 of 3 tests passed', { findings }))
  expect(text).toContain('\n## Findings\n\n- `a.test.js:3` is gone: adds two\n\n')
})

test('the review lists what integrity found, and no section where no protected file changed', () => {
  const text = artifact(modified('src/a.js', 'a()\n', 'a()\nconst isCi = process.env.CI\n'))
  expect(text).toContain('| integrity | passed | no protected file changed; 1 for review |\n')
  expect(text).toContain(
    '\n## Findings\n\n- `src/a.js:2` checks whether it runs in CI: const isCi = process.env.CI [watches-for-tests]\n',
  )
  expect(text).not.toContain('## Protected files')
})

const run = (command: string, tests: number): RunEvidence => ({
  command,
  tree: 'tree',
  on: 'tree',
  ending: { kind: 'exited', code: 0 },
  durationMs: 1,
  counts: { run: tests, passed: tests, failed: 0, skipped: 0 },
  keyLines: [],
  outputSha256: 'ab'.repeat(32),
  storedAt: null,
  commandSha256: null,
})
const passed = (gate: Verdict['gate'], runs: readonly RunEvidence[] = []): Verdict => ({
  gate,
  outcome: 'passed',
  summary: 'fine',
  evidence: { ...NO_EVIDENCE, runs: [...runs] },
})

test('the review of a small fix is short: it names each run once, and has no empty section', () => {
  const verdicts = [
    ...[...MANDATORY_GATES, ...ALWAYS_GATES].map((gate) => passed(gate)),
    passed('unit', [run('npm test', 7)]),
    passed('build', [run('npm test', 7)]),
  ]
  const text = reviewArtifact({ ...aCommit('1', 'tree'), proof: { verdicts, overrides: [] } })
  expect(text).toContain(
    '\n- unit, build: `npm test`: exit 0, 7 of 7 tests passed, output `abababababababab`\n',
  )
  expect(text.match(/^## .*$/gm)).toEqual(['## Criteria', '## Gates', '## Review', '## Risks and rollback'])
  expect(text.split('\n').length).toBeLessThan(36)
})

test('the table of gates is padded, and is read back whatever its cells hold', () => {
  const odd = { ...passed('unit'), outcome: 'inconclusive' as const, summary: 'a | b\n| lint | passed | x |' }
  const text = artifact(odd)
  const rows = text.split('\n').filter((line) => line.startsWith('|'))
  expect(new Set(rows.map((row) => row.length)).size).toBe(1)
  expect(gateRowsIn(text)).toEqual([{ gate: 'unit', result: 'COULD NOT BE CHECKED' }])
})

test('reviews of equal tasks of two plans lie in folders of their own', () => {
  expect(reviewPath('docs/reviews', 'shop', 'T-1')).toBe('docs/reviews/shop/task-t-1-review.md')
  expect(reviewPath('docs/reviews', 'shed', 'T-1')).toBe('docs/reviews/shed/task-t-1-review.md')
})
