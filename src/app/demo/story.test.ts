import { expect, test } from 'vitest'
import { chaptersBegunBy, STORY, hasHappened, type StoryLine } from './story.ts'

const line = (event: string, data: StoryLine['data'] = {}, task_id?: string): StoryLine => ({
  event,
  data,
  task_id,
})
const chapter = (name: string) => {
  const found = STORY.find((one) => one.name === name)
  if (found === undefined) throw new Error(`no chapter ${name}`)
  return found
}

const CHEAT: readonly StoryLine[] = [
  line(
    'gate_failed',
    { gate: 'unit', summary: '3 of 3 tests passed; 1 test that passed on the base no longer passes' },
    '4',
  ),
  line('task_dispatched', { reason: 'fix' }, '4'),
  line('gate_passed', { gate: 'unit' }, '4'),
  line('task_committed', {}, '4'),
]

test('a chapter has happened when all of its signs are in the log, in order', () => {
  expect(hasHappened(chapter('refused_cheat'), CHEAT)).toBe(true)
  expect(hasHappened(chapter('refused_cheat'), CHEAT.toReversed())).toBe(false)
  for (const missing of CHEAT.keys()) {
    expect(hasHappened(chapter('refused_cheat'), CHEAT.toSpliced(missing, 1))).toBe(false)
  }
})

test('signs of another task, another gate or another failure are none', () => {
  const [first, ...rest] = CHEAT
  for (const other of [
    { ...first, event: 'gate_failed', data: { gate: 'unit', summary: '1 fail' } },
    line('gate_failed', { gate: 'lint', summary: 'that passed on the base no longer pass' }, '4'),
    line('gate_failed', { gate: 'unit', summary: 'that passed on the base no longer pass' }, '5'),
  ]) {
    expect(hasHappened(chapter('refused_cheat'), [other, ...rest])).toBe(false)
  }
})

test('an answer names its item, not its task', () => {
  const log = [
    line('escalation_opened', { id: 'E-1' }, '7'),
    line('escalation_answered', { id: 'E-1' }),
    line('task_dispatched', { reason: 'revise' }, '7'),
    line('task_committed', {}, '7'),
  ]
  expect(hasHappened(chapter('escalated'), log)).toBe(true)
})

test('the first sign of a chapter begins it, once a line', () => {
  expect(chaptersBegunBy(line('gate_failed', { gate: 'lint' }, '2')).map(({ name }) => name)).toEqual([
    'fixed',
  ])
  expect(chaptersBegunBy(line('gate_failed', { gate: 'lint_typecheck' }, '2'))).toEqual([])
})
