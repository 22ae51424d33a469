import { describe, expect, test } from 'vitest'
import { aTask } from '../../../test/helpers/plan-builder.ts'
import type { Plan, TaskSpec } from './plan.ts'
import { questionsOf, withQuestionLines } from './find-questions.ts'

const found = (fields: Partial<TaskSpec>) =>
  questionsOf(aTask('1', { title: 'Add the store', acceptanceCriteria: [], ...fields }))
const kinds = (criterion: string) => found({ acceptanceCriteria: [criterion] }).map(({ kind }) => kind)

describe('the questions of a plan', () => {
  test.each([
    'The limit is TBD',
    'Name: TBC',
    'TBA',
    'The limit is ???',
    'Keep it for ??? days',
    'Sign in by [NEEDS CLARIFICATION: mail or phone]',
    '[NEEDS CLARIFICATION]',
  ])('are asked about a mark of its author: %s', (criterion) => {
    expect(kinds(criterion)).toEqual(['undecided'])
  })

  test.each([
    ['Redis or Postgres?', ['Redis', 'Postgres']],
    ['Store: Redis, SQLite or a file?', ['Redis', 'SQLite', 'a file']],
    ['Should the old endpoint stay or return 410?', []],
  ])('are asked about a question between two things: %s', (description, choices) => {
    expect(found({ description })).toMatchObject([{ kind: 'alternatives', choices }])
  })

  test.each([
    'No `TBD` remains in the text',
    'Prints "TBD" for an empty cell',
    'The page is fast and user-friendly',
    'Use either Redis or Memcached',
    'It should probably be blue, if possible',
    'What happens to old rows?',
    'Why? It is slow.',
    'The suffix -TBD- stays',
  ])('are not read into its words: %s', (criterion) => {
    expect(kinds(criterion)).toEqual([])
  })

  test('leave criteria alone that were only inferred', () => {
    expect(found({ acceptanceCriteria: ['Limit: TBD'], inferred: ['acceptance_criteria'] })).toEqual([])
  })
})

test('the same words are asked about once, and no task asks more than twelve times', () => {
  expect(found({ description: 'Store: TBD\nStore: TBD', acceptanceCriteria: ['Store: TBD'] })).toHaveLength(1)
  const many = Array.from({ length: 40 }, (_, at) => `Value ${at}: TBD`).join('\n')
  expect(found({ description: many })).toHaveLength(12)
})

test('code, quotations, tables and comments are not read', () => {
  const description = '```\nstore: TBD\n```\n> Database: TBD\n| Store | TBD |\n<!-- TBD: later -->\n`x: TBD`'
  expect(found({ description })).toEqual([])
})

test('long and hostile text is read in bounded time', () => {
  const description = `${'either '.repeat(20_000)}\n${'a or '.repeat(20_000)}?\n${'('.repeat(50_000)}TBD`
  expect(found({ description, acceptanceCriteria: ['is very '.repeat(5000)] }).length).toBeLessThan(3)
})

test('a question has the line of its words in the plan, else that of its task', () => {
  const text =
    '# Plan\n\n### Task 1: Add it\n\nSome text.\n\n- **Store:** TBD\n\n### Task 2: Use it\n\n- Store: TBD\n'
  const task = aTask('1', { line: 3, description: 'Some text.\n\n- **Store:** TBD' })
  const tasks = [
    { ...task, questions: questionsOf(task) },
    aTask('2', {
      line: 9,
      questions: [{ kind: 'undecided', words: 'not in the text', line: 9, choices: [] }],
    }),
  ]
  const located = withQuestionLines({ tasks } as unknown as Plan, text)
  expect(located.tasks.map(({ questions }) => questions?.[0]?.line)).toEqual([7, 9])
})
