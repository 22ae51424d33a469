import { describe, expect, test } from 'vitest'
import type { ChatQuestion } from '../turn.ts'
import { readReply } from './read-reply.ts'
import { topicHearing, topicOf } from './topics.ts'

const question = (id: string): ChatQuestion => {
  const topic = topicOf(id)
  if (topic === null) throw new Error(`no topic ${id}`)
  const options = topic.choices.map(({ key, label, consequence }) => ({ key, label, consequence }))
  return { id, text: topic.wording.basic, options, default: 'a' }
}
const THREE = [question('users'), question('edge_cases'), question('priority')]

/** The answers in a line: `users=b edge_cases="own words" priority=a*`; a star is a default. */
function read(text: string, pending: readonly ChatQuestion[] = THREE): string {
  const { given, rest, isFinished } = readReply(text, pending, topicHearing)
  const answers = [...given].map(
    ([id, { key, text: own, by }]) =>
      `${id}=${key ?? ''}${own === null ? '' : `"${own}"`}${by === 'default' ? '*' : ''}`,
  )
  const left = rest.trim().replace(/\s*\n\s*/g, ' / ')
  return [...answers, ...(left === '' ? [] : [`rest: ${left}`]), ...(isFinished ? ['finished'] : [])].join(
    ' ',
  )
}

describe('codes', () => {
  test.each([
    ['1b 2c 3a', 'users=b edge_cases=c priority=a'],
    ['1b, 3c', 'users=b priority=c'],
    ['3b 1c', 'priority=b users=c'],
    ['1) b\n2) a', 'users=b edge_cases=a'],
    ['1.b 2.a', 'users=b edge_cases=a'],
    ['b a c', 'users=b edge_cases=a priority=c'],
    ['B', 'users=b'],
    ['2', 'users=b'],
    ['2 1 3', 'users=b edge_cases=a priority=c'],
    ['priority: c', 'priority=c'],
    ['1b 2z', 'users=b'],
    ['9a', 'rest: 9a'],
  ])('%j is %s', (text, expected) => {
    expect(read(text)).toBe(expected)
  })

  test('with one question a number is an option', () => {
    expect(read('3', [question('priority')])).toBe('priority=c')
    expect(read('7', [question('priority')])).toBe('priority="7"')
  })
})

describe('words', () => {
  test.each([
    ['only for signed-in members', 'users=b'],
    ['admins', 'users=c'],
    ['it is urgent. show an error message', 'priority=a edge_cases=a'],
    ['1: teachers and pupils\n3 skip', 'users="teachers and pupils" priority=a*'],
    ['2b, and it should be blue', 'edge_cases=b rest: it should be blue'],
    ['users: my grandmother', 'users="my grandmother"'],
    ['it should also play music', 'rest: it should also play music'],
    ['it should ignore case', 'rest: it should ignore case'],
    ['admins; and it must sort by name by default', 'users=c rest: and it must sort by name by default'],
    ['it can be opened again later', 'rest: it can be opened again later'],
    ['it should show an error', 'edge_cases=a"it should show an error"'],
    ['it must be for admins only', 'users=c"it must be for admins only"'],
    ['it should retry three times', 'edge_cases=c"it should retry three times"'],
    ['any customer, e.g. a school', 'users=b"any customer, e.g. a school"'],
    ['no login needed', 'rest: no login needed'],
  ])('%j is %s', (text, expected) => {
    expect(read(text)).toBe(expected)
  })

  test('the only question takes the first sentence, and the rest stays', () => {
    expect(read('Bakers. And add a clock.', [question('users')])).toBe(
      'users="Bakers." rest: And add a clock.',
    )
  })

  test('a pasted text is no answer to a single question', () => {
    expect(read('# Title\n\nlong\n\n- a\n- b\n- c\n- d\n', [question('users')])).toMatch(/^rest: /)
  })
})

describe('leaving it to us', () => {
  const all = 'users=a* edge_cases=a* priority=a*'
  test.each([
    'ok',
    'OK!',
    'you decide',
    'Skip',
    "I don't know",
    'egal',
    'yes please',
    'whatever you think is best',
  ])('%j takes the defaults', (text) => {
    expect(read(text)).toBe(all)
  })

  test.each(["that's all", 'Done.', 'das ist alles', 'ok, just build it'])(
    '%j ends the questions',
    (text) => {
      expect(read(text)).toBe(`${all} finished`)
    },
  )

  test('what was answered in the same message stays', () => {
    expect(read('1b. you decide')).toBe('users=b edge_cases=a* priority=a*')
  })
})

test('a question to us answers nothing', () => {
  expect(read('What do you mean by that?')).toBe('rest: What do you mean by that?')
  expect(read('1: why?')).toBe('')
})

test('a question of a model is answered by the words of its options', () => {
  const asked: ChatQuestion = {
    id: 'colour',
    text: 'Which colour?',
    options: [
      { key: 'x', label: 'red', consequence: '' },
      { key: 'y', label: 'blue', consequence: '' },
    ],
    default: null,
  }
  expect(read('the blue one', [asked])).toBe('colour=y')
  expect(read('2', [asked])).toBe('colour=y')
  expect(read('green', [asked])).toBe('colour="green"')
})
