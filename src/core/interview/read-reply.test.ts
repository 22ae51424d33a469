import { expect, test } from 'vitest'
import { readReply } from './read-reply.ts'
import type { ChatQuestion } from './turn.ts'

const option = (key: string, label: string) => ({ key, label, consequence: '' })
const choice = (id: string): ChatQuestion => ({
  id,
  text: id,
  options: [option('a', 'Redis'), option('b', 'Postgres')],
  default: 'a',
})
const free = (id: string): ChatQuestion => ({ id, text: id, options: [], default: null })
const read = (text: string, ...asked: readonly ChatQuestion[]) => readReply({ text, answers: {} }, asked)

test.each([
  ['1b 2a', { x: 'b', y: 'a' }],
  ['1b, 2b', { x: 'b', y: 'b' }],
  ['1: postgres\n2: in both', { x: 'b', y: 'in both' }],
])('"%s" answers two questions', (text, answers) => {
  expect(read(text, choice('x'), choice('y'))).toEqual({ answers, rest: '' })
})

test.each(['2', 'b', '1b', 'B)', 'Postgres', '1: b'])(
  '"%s" is the second option of the only question',
  (text) => {
    expect(read(text, choice('x')).answers).toEqual({ x: 'b' })
  },
)

test('words answer the only question as they are, with numbers in them', () => {
  expect(read('at 12:30\n1b', free('x'))).toEqual({ answers: { x: 'at 12:30\n1b' }, rest: '' })
})

test('words that name no question are left over where there are several', () => {
  expect(read('it should be fast', free('x'), free('y'))).toEqual({ answers: {}, rest: 'it should be fast' })
  expect(read('hello\n2: there', free('x'), free('y'))).toEqual({ answers: { y: 'there' }, rest: 'hello' })
  expect(read('9b', choice('x'), choice('y')).rest).toBe('9b')
})

test('filled fields count beside the text', () => {
  expect(readReply({ text: '', answers: { x: '2' } }, [choice('x')]).answers).toEqual({ x: 'b' })
})
