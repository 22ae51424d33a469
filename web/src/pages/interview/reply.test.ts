import { expect, test } from 'vitest'
import { answersOf, fieldValue, shownAnswers, unanswered, type ChatQuestion } from './reply.ts'

const choice = (id: string, standard: string | null = 'a'): ChatQuestion => ({
  id,
  text: `${id}?`,
  options: [
    { key: 'a', label: `${id} first`, consequence: '' },
    { key: 'b', label: `${id} second`, consequence: 'a criterion more' },
  ],
  default: standard,
})
const field = (id: string, standard: string | null): ChatQuestion => ({
  id,
  text: `${id}?`,
  options: [],
  default: standard,
})

test('choices are sent by their keys, own words as they are, and what was not touched by its default', () => {
  const questions = [choice('users'), choice('errors'), choice('data', null)]
  const choices = {
    users: { kind: 'option', key: 'b' },
    data: { kind: 'own', text: 'in\n the old table ' },
  } as const
  const answers = answersOf(questions, choices)
  expect(answers).toEqual({ users: 'b', errors: 'a', data: 'in\n the old table' })
  expect(shownAnswers(answers, questions)).toEqual([
    { question: 'users?', answer: 'users second' },
    { question: 'errors?', answer: 'errors first' },
    { question: 'data?', answer: 'in\n the old table' },
  ])
})

test('a field shows its default until something is typed, and is sent only then, also when it was emptied', () => {
  const goal = field('goal', 'A clock')
  expect(fieldValue(goal, undefined)).toBe('A clock')
  expect(answersOf([goal], {})).toEqual({})
  expect(fieldValue(goal, { kind: 'own', text: '' })).toBe('')
  expect(answersOf([goal], { goal: { kind: 'own', text: '' } })).toEqual({ goal: '' })
})

test('a question without a default needs an answer', () => {
  const questions = [field('done', null), field('out', ''), choice('data', null)]
  expect(unanswered(questions, {}).map(({ id }) => id)).toEqual(['done', 'data'])
  expect(unanswered(questions, { done: { kind: 'own', text: ' ' } })).toHaveLength(2)
  const all = { done: { kind: 'own', text: 'it ticks' }, data: { kind: 'option', key: 'a' } } as const
  expect(unanswered(questions, all)).toEqual([])
})
