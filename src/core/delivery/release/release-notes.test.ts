import { expect, test } from 'vitest'
import { low } from '../../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../../test/helpers/played-plan.ts'
import { releaseNotes } from './release-notes.ts'

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
