import { describe, expect, test } from 'vitest'
import type { RunEvidence } from '../event-schemas/evidence.ts'
import { failureLines } from './written-findings.ts'
import { blocking, note, verdict } from './verdicts.ts'

const run = (change: Partial<RunEvidence> = {}): RunEvidence => ({
  command: 'npm test',
  tree: 'a'.repeat(40),
  on: 'tree',
  ending: { kind: 'exited', code: 1 },
  durationMs: 5,
  counts: null,
  keyLines: ['not ok 1 - adds', '1..1'],
  outputSha256: null,
  storedAt: null,
  commandSha256: null,
  ...change,
})

describe('the failure report for a fixing worker', () => {
  test('its summary and what blocks, with the place; notes are for the reviewer', () => {
    const findings = [
      blocking('is not in the contract', 'stray.txt'),
      note('odd'),
      blocking('left for later', 'a.js', 3),
    ]
    expect(failureLines([verdict('plan_alignment', 'failed', 'stray.txt', { findings })])).toEqual([
      'plan_alignment failed: stray.txt',
      'plan_alignment: stray.txt: is not in the contract',
      'plan_alignment: a.js:3: left for later',
    ])
  })

  test('shows the key lines of an output once, even if several gates share it', () => {
    const evidence = { runs: [run()] }
    const lines = failureLines([
      verdict('tests_to_run', 'failed', '1 fails', evidence),
      verdict('unit', 'failed', '1 fails', evidence),
    ])
    expect(lines).toEqual([
      'tests_to_run failed: 1 fails',
      'unit failed: 1 fails',
      '`npm test` printed:\n\n      not ok 1 - adds\n      1..1',
    ])
  })

  test('nothing of runs that ended well or were not of the work', () => {
    const runs = [run({ ending: { kind: 'exited', code: 0 } }), run({ on: 'base' }), run({ keyLines: [] })]
    expect(failureLines([verdict('unit', 'failed', 'lost a test', { runs })])).toEqual([
      'unit failed: lost a test',
    ])
  })

  test('no more than can be read', () => {
    const findings = Array.from({ length: 30 }, (_, at) => blocking(`wrong ${at}`))
    const lines = failureLines([verdict('unit', 'failed', 'bad', { findings })])
    expect([lines.length, lines.at(-1)]).toEqual([12, 'unit: and 20 more'])
  })
})
