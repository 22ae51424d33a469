import { expect, test } from 'vitest'
import type { IntakeAnswer } from '../../protocol/intake.ts'
import { styleOf } from '../terminal/terminal.ts'
import { intakeText } from './intake-view.ts'

const ESTIMATE = {
  tasks: { least: 1, most: 1 },
  workers: { least: 1, most: 5 },
  time_ms: { least: 60_000, most: 600_000 },
  tokens: { least: 30_000, most: 1_250_000 },
  basis: 'guess' as const,
}
const INTAKE: IntakeAnswer = {
  title: 'Add dark mode toggle\u001b[2J',
  form: 'sentence',
  type: 'feature_request',
  scope: 'small',
  workflow: 'direct',
  summary: 'one task for a developer',
  judged_by: null,
  not_judged: 'not judged: no model',
  answer: null,
  work: {
    criteria: ['A toggle is shown', 'It is kept'],
    files: { create: [], modify: ['src/settings.js'] },
    tests_to_add: ['test/settings.test.js'],
    constraints: [],
    out_of_scope: ['Themes'],
  },
  questions: [],
  estimate: ESTIMATE,
  reasons: ['small: asks for “toggle”'],
  next: 'one_task',
  plan: null,
}

test('what was understood is shown with its reasons and the estimate, without control sequences', () => {
  const text = intakeText(INTAKE, styleOf('plain'))
  expect(text).not.toContain('\u001b')
  expect(text.split('\n').slice(1)).toEqual([
    '  type      feature_request',
    '  scope     small',
    '  workflow  direct: one task for a developer',
    '  done when A toggle is shown',
    '            It is kept',
    '  files     src/settings.js, test/settings.test.js',
    '  leaves    Themes',
    '  asks      nothing',
    '  estimate  1 task, 1 to 10 minutes (a guess by scope)',
    '  judged    not judged: no model',
    '  because   small: asks for “toggle”',
    '',
  ])
})

test('a file is called new only where the work creates it', () => {
  const files = { create: ['test/settings.test.js'], modify: ['src/settings.js'] }
  const tests_to_add = ['test/settings.test.js', 'test/page.test.js']
  const text = intakeText({ ...INTAKE, work: { ...INTAKE.work, files, tests_to_add } }, styleOf('plain'))
  expect(text).toContain('  files     src/settings.js, test/settings.test.js (new), test/page.test.js\n')
})

test('what nobody has said yet is shown as such', () => {
  const text = intakeText(
    { ...INTAKE, type: null, scope: null, workflow: null, estimate: null, summary: 'by its type and scope' },
    styleOf('plain'),
  )
  expect(text).toContain(
    '  type      not known yet\n  scope     not known yet\n  workflow  by its type and scope\n',
  )
  expect(text).not.toContain('estimate')
})

test('a plan that leaves something open asks about it', () => {
  expect(intakeText({ ...INTAKE, open_points: 2 }, styleOf('plain'))).toContain(
    '  asks      2 open points, in the inbox\n',
  )
})

test('with history the estimate also says how many agents and tokens', () => {
  const estimate = { ...ESTIMATE, basis: 'history' as const }
  expect(intakeText({ ...INTAKE, estimate }, styleOf('plain'))).toContain(
    '  estimate  1 task, 1 to 10 minutes, 1 to 5 agents, 30k to 1.3M tokens (from what your agents took so far)\n',
  )
})
