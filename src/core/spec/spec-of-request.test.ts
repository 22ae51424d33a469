import { expect, test } from 'vitest'
import { constraintsOf } from './plan-of-stories.ts'
import { specOfRequest } from './spec-of-request.ts'

const REQUEST = {
  title: 'Take tokens atomically',
  text: 'Two processes let twice the limit pass',
  criteria: ['Of 100 takes at once 10 are allowed'],
  out_of_scope: ['Other stores'],
  constraints: [],
  answers: [],
}

test('a request is one requirement in the words of its user', () => {
  const { requirements, outOfScope, notes } = specOfRequest(REQUEST)
  expect(requirements).toMatchObject([
    { id: 'R-001', description: REQUEST.text, criteria: ['Of 100 takes at once 10 are allowed'] },
  ])
  expect(outOfScope).toEqual(['Other stores'])
  expect(notes).toEqual([])
})

test('constraints hold for every task that a request is split into', () => {
  const spec = specOfRequest({ ...REQUEST, constraints: ['No new dependency', 'A new\nmajor version'] })
  expect(constraintsOf(spec)).toEqual(['No new dependency', 'A new major version'])
})

test('what the user answered stands with the request, also where that is too long to be quoted whole', () => {
  const answers = [{ question: 'How is it made atomic?', answer: 'A Lua script' }]
  const described = (text: string) =>
    specOfRequest({ ...REQUEST, text, answers }).requirements[0]?.description
  expect(described(REQUEST.text)).toBe(
    `${REQUEST.text}\n\nWhat the user answered when asked:\nHow is it made atomic?\n→ A Lua script`,
  )
  expect(described('x'.repeat(20_000))).toMatch(/x…\n\nWhat the user answered[^]*A Lua script$/)
})
