import { expect, test } from 'vitest'
import { low } from '../../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../../test/helpers/played-plan.ts'
import { sampleManifest } from '../../../../test/helpers/sample-manifest.ts'
import { releaseNotes, releaseSummary } from './release-summary.ts'

test('a summary gives the reason of an override in its line, however many lines it has', () => {
  const override = {
    gate: 'unit',
    task: '1',
    by: 'Ann',
    at: '2026-11-18T10:00:00.000Z',
    reason: 'known\nlater',
  }
  const manifest = { ...sampleManifest, overrides: [override] }
  const places = { title: 'Shop', manifest: 'docs/releases/shop-release.yaml' }
  expect(releaseSummary(manifest, places)).toContain('\nOverrides: unit of 1 by Ann (known later)\n')
})

test('a plan that breaks nothing has no notes', () => {
  expect(releaseNotes(PlayedPlan.begun([low('1')]).state)).toBeNull()
})

test('notes name every breaking task, its new interface and its rollback', () => {
  const tasks = [
    low('1'),
    low('2', { title: 'Drop <v1>', breakingChange: true, interfaces: ['GET /v2/things'] }),
  ]
  expect(releaseNotes(PlayedPlan.begun(tasks).state)).toBe(
    [
      '# Release notes of Shop',
      'This release contains breaking changes. The manifest beside this file lists everything in it.',
      '## 2: Drop \\<v1\\>',
      'Drop \\<v1\\>',
      'What replaces it:',
      '- GET /v2/things',
      'Rollback: revert the commit.\n',
    ].join('\n\n'),
  )
})

test('an overridden contract gate counts as a breaking change', () => {
  const plan = PlayedPlan.begun([low('1')])
  plan.task('1').overrides = [{ what: 'contract', by: 'Ann', at: 0, reason: 'known', tree: '' }]
  expect(releaseNotes(plan.state)).toContain('The plan did not declare it; approved by Ann.')
})
