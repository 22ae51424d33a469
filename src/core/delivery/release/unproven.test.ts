import { describe, expect, test } from 'vitest'
import type { RunEvidence } from '../../event-schemas/evidence.ts'
import type { Verdict } from '../../event-schemas/schemas.ts'
import { verdict } from '../../gates/verdicts.ts'
import { exitCodeAlone, notApplicable } from './unproven.ts'
import { parseManifest } from './manifest-schema.ts'
import { releaseSummary } from './release-summary.ts'

const COUNTS = { run: 2, passed: 2, failed: 0, skipped: 0 }
const run = (fields: Partial<RunEvidence> = {}): RunEvidence => ({
  command: 'make check',
  tree: 'a'.repeat(40),
  ending: { kind: 'exited', code: 0 },
  counts: null,
  on: 'tree',
  keyLines: [],
  commandSha256: null,
  storedAt: null,
  outputSha256: null,
  durationMs: 1,
  ...fields,
})
const done = (id: string, ...verdicts: Verdict[]) => ({
  spec: { id },
  verdicts,
  commit: { sha: 'b'.repeat(40), tree: 'a'.repeat(40), branch: 'feat/shop/working', artifacts: [] },
})
const released = (...verdicts: Verdict[]) => ({ release: { verdicts } })

describe('the manifest', () => {
  test('lists gates that did not apply, each reason once, with its tasks and the release', () => {
    const noLint = verdict('lint', 'not_applicable', 'there is no lint command')
    const noTests = verdict('tests_to_add', 'not_applicable', 'the plan asks for no new tests')
    const unit = verdict('unit', 'passed', '2 of 2 tests passed', { runs: [run({ counts: COUNTS })] })
    const tasks = [
      done('1', noLint, noTests, unit),
      done('2', noLint),
      { ...done('3', noLint), commit: null },
    ]
    expect(notApplicable(released(noLint, unit), tasks)).toEqual([
      { gate: 'lint', why: 'there is no lint command', tasks: 'all', release: true },
      { gate: 'tests_to_add', why: 'the plan asks for no new tests', tasks: ['1'], release: false },
    ])
    expect(exitCodeAlone(released(noLint, unit), tasks)).toEqual([])
  })

  test('lists tests that were judged by their exit code alone', () => {
    const alone = verdict('unit', 'passed', 'make check exited with 0', { runs: [run()] })
    const unread = verdict('tests_to_run', 'inconclusive', 'its output names no tests', {
      runs: [run({ command: './run-tests' }), run({ ending: { kind: 'exited', code: 1 } })],
    })
    const lint = verdict('lint', 'passed', 'clean', { runs: [run({ command: 'make lint' })] })
    expect(exitCodeAlone(released(alone, lint), [done('1', alone, unread, lint)])).toEqual([
      { gate: 'unit', command: 'make check', tasks: 'all', release: true },
      { gate: 'tests_to_run', command: './run-tests', tasks: 'all', release: false },
    ])
  })

  test('is parsed with these lists, which the summary names, and without those that are left out where they are empty', () => {
    const old = {
      plan_id: 'shop',
      plan_doc: '/home/ada/shop/plan.md',
      design_doc: null,
      completed_at: '2026-01-01T00:00:00.000Z',
      tasks: [],
      remediation: [],
      tests_run: 0,
      tests_passed: 0,
      lint_clean: null,
      typecheck_clean: null,
      build_clean: null,
      risks: [],
      breaking_changes: [],
      migration_steps: [],
      rollback_plan: '',
      recommended_next: [],
      evidence: [],
      milestones: [],
      overrides: [],
    }
    expect(parseManifest(old).ok).toBe(true)
    const more = {
      not_applicable: [{ gate: 'lint', why: 'there is no lint command', tasks: ['1'], release: true }],
      exit_code_alone: [{ gate: 'unit', command: 'make check', tasks: [], release: true }],
    }
    const parsed = parseManifest({ ...old, ...more })
    expect(parsed.ok).toBe(true)
    const places = { title: 'Shop', manifest: 'docs/releases/shop-release.yaml' }
    expect(parsed.ok && releaseSummary(parsed.manifest, places)).toContain(
      'Tests: judged by the exit code alone, without names (make check)',
    )
  })
})
