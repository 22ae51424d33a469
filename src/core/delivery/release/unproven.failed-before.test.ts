import { expect, test } from 'vitest'
import { low } from '../../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../../test/helpers/played-plan.ts'
import type { PlanSettings } from '../../event-schemas/plan-settings.ts'
import { verdict } from '../../gates/verdicts.ts'
import { itemEvidence } from '../inbox/item-evidence.ts'
import { signOffItem } from '../inbox/release-items.ts'
import { parseManifest } from './manifest-schema.ts'
import { releaseManifest } from './release-manifest.ts'
import { proofOf } from './release-proof.ts'
import { releaseSummary } from './release-summary.ts'

const TESTS = ['reads a file', 'reads two']
const LINE = '2 tests failed before and still do: reads a file, reads two'

/** A released plan of one task, whose release met these tests. */
function released(failedBefore: readonly string[], settings: Partial<PlanSettings> = {}): PlayedPlan {
  const plan = PlayedPlan.begun([low('1')], { settings }).complete('1')
  const { round } = plan.effect('run_release_gate')
  const unit = verdict('unit', 'passed', '', { failedBefore: [...failedBefore] })
  plan.tell({ type: 'release.gated', v: 2, round, tree: 'tip', verdicts: [unit] })
  const { manifest } = plan.effect('prepare_release')
  expect(parseManifest({ ...manifest, tasks: [] }).ok).toBe(true)
  return plan
}

const summary = (plan: PlayedPlan): readonly string[] =>
  releaseSummary(releaseManifest(plan.state), { title: 'Shop', manifest: 'm' }).split('\n')
const proof = ({ state }: PlayedPlan) => proofOf(releaseManifest(state), state.release.verdicts ?? [])
const isShown = ({ what }: { readonly what: string }): boolean => what === 'every test passes'

test('tests that failed before the plan open no remediation, and the release is not called clean', () => {
  const plan = released(TESTS)
  expect(plan.all('plan.extended')).toEqual([])
  const manifest = releaseManifest(plan.state)
  expect(manifest.tests_failed_before).toEqual({ tests: TESTS, waved_through: false })
  expect(manifest.recommended_next).toContain('mend 2 tests that failed before this plan')
  expect(summary(plan)[2]).toBe(`Not clean: ${LINE}`)
  expect(proof(plan).unproven.filter(isShown)).toMatchObject([{ kind: 'tests', why: LINE }])
})

test('they stand first in the question for the sign-off', () => {
  const { state } = released(TESTS)
  const item = signOffItem(state)
  expect(item.problem).toBe(
    `${LINE}; released on its branch, and waits for your sign-off: ${state.plan.title}`,
  )
  expect(itemEvidence(state, item)[0]).toBe(LINE)
})

test('the settings wave them through, and they are still named', () => {
  const plan = released(TESTS, { wavesThroughOldFailures: true })
  const manifest = releaseManifest(plan.state)
  expect(manifest.tests_failed_before).toEqual({ tests: TESTS, waved_through: true })
  expect(manifest.recommended_next).toEqual(['review the branch and merge it'])
  expect(summary(plan)[2]).toBe(`Tests: ${LINE} (waved through)`)
  expect(proof(plan).unproven.filter(isShown)).toEqual([])
  expect(proof(plan).waived.filter(isShown)).toMatchObject([
    { by: 'review.require_tests_pass', reason: LINE },
  ])
  expect(signOffItem(plan.state).problem).not.toContain('failed before')
})

test('a release without such tests says nothing of them', () => {
  const plan = released([])
  expect(releaseManifest(plan.state).tests_failed_before).toBeUndefined()
  expect(summary(plan).join('\n')).not.toContain('failed before')
})
