import { expect, test } from 'vitest'
import { EXPERTISE_LEVELS, INTERVIEW_STATES, MAX_FIELDS } from './transitions.ts'
import { toolCallSchema } from './turn.ts'

const question = { id: 'q1', text: 'Which?', options: [], default: null }

test('an answer of a turn is exactly one tool call', () => {
  const schema = toolCallSchema()
  expect(schema.safeParse({ tool: 'await_user' }).success).toBe(true)
  expect(schema.safeParse({ tool: 'read_file', path: 'a', recursive: true }).success).toBe(false)
  expect(schema.safeParse({ tool: 'run_command', command: 'ls' }).success).toBe(false)
  expect(schema.safeParse([{ tool: 'await_user' }, { tool: 'await_user' }]).success).toBe(false)
})

test('a post has at most as many questions as the form has fields', () => {
  const post = (count: number) => ({
    tool: 'chat_post',
    text: 'Some questions',
    questions: Array.from({ length: count }, () => question),
  })
  expect(toolCallSchema().safeParse(post(MAX_FIELDS)).success).toBe(true)
  expect(toolCallSchema().safeParse(post(MAX_FIELDS + 1)).success).toBe(false)
})

test('states and levels of expertise are named once', () => {
  expect(new Set(INTERVIEW_STATES).size).toBe(8)
  expect(EXPERTISE_LEVELS).toHaveLength(3)
})
