import { expect, test } from 'vitest'
import { low } from '../../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../../test/helpers/played-plan.ts'
import { releaseNotes } from './release-notes.ts'

test('a plan that breaks nothing has no notes', () => {
  expect(releaseNotes(PlayedPlan.begun([low('1')]).state)).toBeNull()
})

test('notes name every task that breaks something, what is there now, and the way back', () => {
  const tasks = [
    low('1'),
    low('2', { title: 'Drop <v1>', breakingChange: true, interfaces: ['GET /v2/things'] }),
  ]
  expect(releaseNotes(PlayedPlan.begun(tasks).state)).toBe(
    [
      '# Release notes of Shop',
      'This release breaks what others may rely on. The manifest beside this file lists everything it holds.',
      '## 2: Drop \\<v1\\>',
      'Drop \\<v1\\>',
      'What is there now:',
      '- GET /v2/things',
      'To go back: revert the commit.\n',
    ].join('\n\n'),
  )
})

test('a broken contract that a person let through breaks something as well', () => {
  const plan = PlayedPlan.begun([low('1')])
  plan.task('1').overrides = [{ what: 'contract', by: 'Ann', at: 0, reason: 'known', tree: '' }]
  expect(releaseNotes(plan.state)).toContain('The plan did not announce it; Ann let it through.')
})
