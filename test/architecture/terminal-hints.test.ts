/** The page shows questions as forms: what the interview writes for terminals is left out there. */
import { expect, test } from 'vitest'
import { HOW_TO } from '../../src/core/interview/form/posts.ts'
import { spokenText } from '../../web/src/pages/interview/reply.ts'

const question = {
  id: 'q',
  text: 'Which?',
  options: [],
  default: null,
} as unknown as Parameters<typeof spokenText>[0]['questions'][number]

test.each(Object.entries(HOW_TO))('the page leaves out how to answer in a terminal: %s', (_level, hint) => {
  const text = `I understood it.\n2 questions:\n${hint}`
  expect(spokenText({ text, questions: [question] })).toBe('I understood it.')
  expect(spokenText({ text, questions: [] })).toBe(text)
})
