import { expect, test } from 'vitest'
import { readReply, replyText, spokenText, unanswered, type ChatQuestion } from './reply.ts'

const question = (id: string, standard: string | null = 'a'): ChatQuestion => ({
  id,
  text: `${id}?`,
  options: [
    { key: 'a', label: `${id} first`, consequence: '' },
    { key: 'b', label: `${id} second`, consequence: 'a criterion more' },
  ],
  default: standard,
})
const questions = [question('users'), question('errors'), question('data', null)]

test('choices are sent as codes, untouched defaults as such, own words in a line each', () => {
  const choices = {
    users: { kind: 'option', key: 'b' },
    data: { kind: 'own', text: 'in\n the old table ' },
  } as const
  const text = replyText(questions, choices, 'and it should be fast')
  expect(text).toBe('1b, 2 default\n3: in the old table\nand it should be fast')
  expect(readReply(text, questions)).toEqual({
    answers: [
      { question: 'users?', answer: 'users second' },
      { question: 'errors?', answer: 'errors first (left to the default)' },
      { question: 'data?', answer: 'in the old table' },
    ],
    more: 'and it should be fast',
  })
})

test('nothing chosen leaves everything to the PM, unless a question has no default', () => {
  expect(replyText(questions.slice(0, 2), {})).toBe('you decide')
  expect(unanswered(questions, {}).map(({ id }) => id)).toEqual(['data'])
  expect(unanswered(questions, { data: { kind: 'own', text: ' ' } })).toHaveLength(1)
  expect(unanswered(questions, { data: { kind: 'option', key: 'a' } })).toHaveLength(0)
})

test('words of the user alone are sent as they are and not read as codes', () => {
  expect(replyText([], {}, ' only admins ')).toBe('only admins')
  expect(readReply('only admins', questions)).toBeNull()
  expect(readReply('9b', questions)).toBeNull()
  expect(readReply('1b', [])).toBeNull()
})

test('what tells how to answer in a terminal is not repeated above the questions of the page', () => {
  const questions = [question('q')]
  const text =
    'I understood a feature: it is fast\n4 questions:\nAnswer like "1b 2a", in your own words, or with "you decide".'
  expect(spokenText({ text, questions })).toBe('I understood a feature: it is fast')
  expect(spokenText({ text, questions: [] })).toBe(text)
})
