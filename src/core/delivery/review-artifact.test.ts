import { expect, test } from 'vitest'
import { aChange } from '../../../test/helpers/a-change.ts'
import { loadTestParser } from '../../../test/helpers/test-parser.ts'
import { aCommit } from '../../../test/helpers/requests.ts'
import { integrity } from '../gates/integrity/integrity.ts'
import { forReview, note, verdict } from '../gates/verdicts.ts'
import { reviewArtifact } from './review-artifact.ts'

const PARSER = await loadTestParser('js')

function modified(path: string, before: string, after: string) {
  const change = aChange({ [path]: [before, after] })
  return integrity({
    change,
    trees: PARSER.ofChange(change),
    spec: { files: { create: [], modify: [path], delete: [] }, testsToAdd: [] },
    gateScripts: [],
  })
}
const artifact = (verdict: ReturnType<typeof modified>): string =>
  reviewArtifact({ ...aCommit('1', 'tree'), proof: { verdicts: [verdict], overrides: [] } })

test('the review lists changed protected files in a section of their own', () => {
  const text = artifact(modified('tox.ini', 'a\n', 'b\n'))
  expect(text).toContain('- integrity: passed. 1 protected file changed, as the contract allows\n\n')
  expect(text).toContain(
    '\n## Protected files changed, as the contract allows\n\n- tox.ini (test settings)\n\n',
  )
})

test('the review lists what any gate left to review', () => {
  const findings = [forReview('is gone: adds two', 'a.test.js', 3), note('a detail')]
  expect(artifact(verdict('unit', 'passed', '3 of 3 tests passed', { findings }))).toContain(
    '- unit: passed. 3 of 3 tests passed\n  - `a.test.js:3` is gone: adds two\n\n',
  )
})

test('the review lists integrity findings below its verdict, and no section where no protected file changed', () => {
  const text = artifact(modified('src/a.js', 'a()\n', 'a()\nconst isCi = process.env.CI\n'))
  expect(text).toContain(
    '- integrity: passed. no protected file changed; 1 for review\n' +
      '  - `src/a.js:2` checks whether it runs in CI: const isCi = process.env.CI [watches-for-tests]\n',
  )
  expect(text).not.toContain('## What decides success')
})
