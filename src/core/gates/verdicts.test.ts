import { describe, expect, test } from 'vitest'
import type { RunEvidence } from '../event-schemas/evidence.ts'
import { blocking, forReview, judgeRun, note, verdict, worst } from './verdicts.ts'

describe('verdicts are never greener than what they are made of', () => {
  test('one failure fails, one inconclusive outcome is inconclusive, none is not applicable', () => {
    expect(worst(['passed', 'inconclusive', 'failed'])).toBe('failed')
    expect(worst(['passed', 'inconclusive', 'not_applicable'])).toBe('inconclusive')
    expect(worst(['passed', 'not_applicable'])).toBe('passed')
    expect(worst(['not_applicable'])).toBe('not_applicable')
    expect(worst([])).toBe('not_applicable')
  })

  test.each<[RunEvidence['ending'], string]>([
    [{ kind: 'exited', code: 0 }, 'passed'],
    [{ kind: 'exited', code: 1 }, 'failed'],
    [{ kind: 'exited', code: 127 }, 'inconclusive'],
    [{ kind: 'signalled', signal: 'SIGKILL' }, 'inconclusive'],
    [{ kind: 'timed_out', afterMs: 5 }, 'inconclusive'],
    [{ kind: 'not_started', reason: 'gone' }, 'inconclusive'],
    [{ kind: 'aborted' }, 'inconclusive'],
  ])('a command that ended as %o is %s', (ending, outcome) => {
    const run: RunEvidence = {
      command: 'lint',
      tree: 't',
      on: 'tree',
      ending,
      durationMs: 1,
      counts: null,
      keyLines: [],
      outputSha256: null,
      storedAt: null,
      commandSha256: null,
    }
    expect(judgeRun(run).outcome).toBe(outcome)
  })
})

test('findings are bounded, the heaviest come first, and the rest is counted', () => {
  const findings = [
    ...Array.from({ length: 99 }, () => note('n')),
    forReview('r'),
    blocking('b'.repeat(1_000)),
  ]
  const { evidence } = verdict('unit', 'failed', 'x', { findings })
  expect(evidence.findings).toHaveLength(50)
  expect(evidence.findings.slice(0, 3).map(({ weight }) => weight)).toEqual(['blocks', 'review', 'note'])
  expect(evidence.findings[0]?.text.length).toBeLessThan(410)
  expect(evidence.findings.at(-1)?.text).toBe('and 52 more')
})
