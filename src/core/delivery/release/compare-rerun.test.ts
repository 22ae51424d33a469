import { describe, expect, test } from 'vitest'
import { sampleManifest as manifest } from '../../../../test/helpers/sample-manifest.ts'
import { compareRerun, type Rerun } from './compare-rerun.ts'

const [GATED = ''] = manifest.evidence.map(({ tree }) => tree)

describe('evidence of a release', () => {
  const counts = { run: 4, passed: 4, failed: 0, skipped: 0 }
  const same: readonly Rerun[] = manifest.evidence.map(({ claim, command }) => ({
    claim,
    command,
    ending: { kind: 'exited', code: 0 },
    counts: claim === 'unit passed' ? counts : null,
    notRun: '',
  }))
  const wrong = (reruns: readonly Rerun[]): number =>
    compareRerun(manifest, reruns).filter(({ ok }) => !ok).length

  test('passes where a second run has the same exit code and counts', () => {
    expect(wrong(same)).toBe(0)
  })

  test('fails where a second run has another exit code, was cut short, or is missing', () => {
    const first = same.slice(0, 1)
    const rest = same.slice(1)
    const other = (fields: Partial<Rerun>): number =>
      wrong([...first.map((one) => ({ ...one, ...fields })), ...rest])
    expect(other({ ending: { kind: 'exited', code: 1 } })).toBe(1)
    expect(other({ ending: { kind: 'timed_out', afterMs: 1 } })).toBe(1)
    expect(other({ notRun: 'setup failed' })).toBe(1)
    expect(other({ counts: { ...counts, passed: 3 } })).toBe(1)
    expect(wrong(rest)).toBe(2)
  })
})

describe('a command that is listed twice', () => {
  const run = { claim: 'migrations passed', command: 'up', exit_code: 0, tree: GATED, output_sha256: null }
  const twice = { ...manifest, evidence: [run, run], tests_run: 0, tests_passed: 0 }
  const rerun = (code: number): Rerun => ({
    claim: run.claim,
    command: run.command,
    counts: null,
    notRun: '',
    ending: { kind: 'exited', code },
  })

  test('must have the same result both times', () => {
    const failures = (reruns: readonly Rerun[]): number =>
      compareRerun(twice, reruns).filter(({ ok }) => !ok).length
    expect(failures([rerun(0), rerun(0)])).toBe(0)
    expect(failures([rerun(0), rerun(1)])).toBe(1)
    expect(failures([rerun(0)])).toBe(1)
  })
})
