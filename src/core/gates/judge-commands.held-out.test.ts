import { expect, test } from 'vitest'
import type { RunEvidence } from '../event-schemas/evidence.ts'
import { failureLines } from './written-findings.ts'
import { heldOutVerdict } from './judge-commands.ts'

const run = (code: number): RunEvidence => ({
  command: 'node /secret/check.js --limit 7',
  tree: 't',
  on: 'tree',
  ending: { kind: 'exited', code },
  durationMs: 1,
  counts: null,
  keyLines: ['expected 7 items'],
  outputSha256: 'abc',
  storedAt: 'ab/c',
  commandSha256: null,
})

test('a failed held-out check is reported only by its number', () => {
  const found = heldOutVerdict([run(0), run(1)])
  expect(found).toMatchObject({ outcome: 'failed', summary: '1 of 2 held-out checks did not pass' })
  const shown = [JSON.stringify(found), ...failureLines([found])].join('\n')
  expect(shown).toContain('held-out check 2')
  expect(shown).not.toMatch(/secret|limit|items/)
})

test('all held-out checks have to pass, and people find their output', () => {
  const found = heldOutVerdict([run(0), run(0)])
  expect(found).toMatchObject({ outcome: 'passed', summary: '2 of 2 held-out checks passed' })
  expect(found.evidence.runs[1]).toMatchObject({ storedAt: 'ab/c', outputSha256: 'abc' })
})

test('a held-out check that could not run does not pass', () => {
  expect(heldOutVerdict([run(127)]).outcome).toBe('inconclusive')
})
