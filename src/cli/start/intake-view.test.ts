import { expect, test } from 'vitest'
import type { IntakeAnswer } from '../../protocol/intake.ts'
import { styleOf } from '../terminal/style.ts'
import { intakeText } from './intake-view.ts'

const INTAKE: IntakeAnswer = {
  title: 'Add dark mode toggle\u001b[2J',
  form: 'sentence',
  type: 'feature_request',
  scope: 'small',
  workflow: 'direct',
  summary: 'one task for a developer',
  questions: [],
  estimate: {
    tasks: { least: 1, most: 1 },
    workers: { least: 1, most: 5 },
    time_ms: { least: 60_000, most: 600_000 },
    tokens: { least: 30_000, most: 1_250_000 },
    basis: 'guess',
  },
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
    '  asks      nothing',
    '  estimate  1 task, 1 to 5 agents, 1m to 10m, 30 k to 1.3 M tokens (a guess: too little history)',
    '  because   small: asks for “toggle”',
    '',
  ])
})
