import { describe, expect, test } from 'vitest'
import type { IntakeAnswer } from '../../protocol/intake.ts'
import type { Call } from '../command.ts'
import { styleOf } from '../terminal/terminal.ts'
import { correctIntake, type Agreed } from './questions.ts'
import type { Said } from './understand.ts'

const NOTHING: Said = { decided: {}, answers: [], understood: null, round: 0, judge: true }

const TYPE = {
  id: 'type',
  text: 'What is it?',
  by: 'option' as const,
  options: [
    { key: 'feature_request', label: 'Something to add', consequence: '' },
    { key: 'bug_fix', label: 'Something that is broken', consequence: 'a fixer' },
  ],
  default: null,
}
const SCOPE = {
  ...TYPE,
  id: 'scope',
  text: 'How large?',
  options: [{ key: 'small', label: 'One file', consequence: '' }],
}
const CRITERIA = {
  id: 'criteria',
  text: 'What must be true?',
  by: 'lines' as const,
  options: [],
  default: '',
}
const WHERE = {
  id: 'q1',
  text: 'Where is it kept?',
  by: 'option_or_words' as const,
  options: [
    { key: '1', label: 'In Redis', consequence: '' },
    { key: '2', label: 'In memory', consequence: '' },
  ],
  default: '2',
}

const INTAKE: IntakeAnswer = {
  title: 'x',
  form: 'sentence',
  type: 'bug_fix',
  scope: 'small',
  workflow: 'fix',
  summary: 'one task',
  judged_by: null,
  not_judged: null,
  answer: null,
  work: {
    criteria: [],
    files: { create: [], modify: [] },
    tests_to_add: [],
    constraints: [],
    out_of_scope: [],
  },
  questions: [],
  estimate: null,
  reasons: [],
  next: 'one_task',
  plan: null,
}

type Questions = IntakeAnswer['questions']

interface Sat {
  readonly agreed: Agreed | null
  /** What was said when the request was understood again. */
  readonly said: readonly Said[]
  readonly asked: readonly string[]
}

/** A person who types these lines; the rounds are what is asked first, second, …; then nothing is. */
async function sit(
  lines: readonly string[],
  rounds: readonly Questions[],
  given: Partial<IntakeAnswer> = {},
): Promise<Sat> {
  const said: Said[] = []
  const asked: string[] = []
  const left = [...lines]
  const ask = async (question: string) => {
    asked.push(question)
    return left.shift() ?? null
  }
  const terminal = {
    converse: async () => ({ ask, edit: async () => null, close: () => undefined }),
    printMessage: () => undefined,
    messageStyle: styleOf('plain'),
  }
  const call = { terminal, services: { interruption: () => new AbortController().signal } } as unknown as Call
  const intakeAt = (round: number): IntakeAnswer => ({ ...INTAKE, ...given, questions: rounds[round] ?? [] })
  const again = async (next: Said) => {
    said.push(next)
    return intakeAt(said.length)
  }
  const agreed = await correctIntake(call, { intake: intakeAt(0), said: NOTHING, again })
  return { agreed, said, asked }
}

test('menus take a number, a key or a word that decides, and then the request is understood again', async () => {
  const { agreed, said } = await sit(['2', 'small', ''], [[TYPE, SCOPE]])
  expect(said).toEqual([{ ...NOTHING, decided: { type: 'bug_fix', scope: 'small' } }])
  expect(agreed?.said.decided).toEqual({ type: 'bug_fix', scope: 'small' })
  expect((await sit(['type=bug_fix scope=large', ''], [[TYPE, SCOPE]])).said[0]?.decided).toEqual({
    type: 'bug_fix',
    scope: 'large',
  })
})

test('what is no answer to a menu is asked again, and an empty line too where there is no default', async () => {
  const { asked } = await sit(['', 'whatever', '1', ''], [[TYPE]])
  expect(asked.filter((question) => question.startsWith('What is it?'))).toHaveLength(3)
})

test('criteria are taken line by line up to an empty one, and none are an answer too', async () => {
  const { said } = await sit(['It says “Hello”', 'Nothing else changes', '', ''], [[CRITERIA]])
  expect(said[0]?.decided.criteria).toEqual(['It says “Hello”', 'Nothing else changes'])
  expect((await sit(['', ''], [[CRITERIA]])).said[0]?.decided.criteria).toEqual([])
})

test("a model's question is answered by an option, by the default or in words, and each round counts", async () => {
  const { agreed, said } = await sit(['1', 'in a file beside it', '', ''], [[WHERE], [WHERE, WHERE]])
  expect(said.map(({ round }) => round)).toEqual([1, 2])
  expect(agreed?.said.answers.map(({ answer }) => answer)).toEqual([
    'In Redis',
    'in a file beside it',
    'In memory',
  ])
})

test('an answer goes with what the person saw when they gave it, and later corrections keep that', async () => {
  const { said } = await sit(['1', 'scope=large', ''], [[WHERE], []], { judged_by: 'acme/large' })
  const seen = { title: INTAKE.title, ...INTAKE.work }
  expect(said.map(({ understood }) => understood)).toEqual([seen, seen])
  expect((await sit(['1', ''], [[WHERE], []])).said[0]?.understood).toBeNull()
})

test('at the end the title can be corrected, and words are for the model', async () => {
  const { said } = await sit(['scope=large title=Fold the codes', ''], [])
  expect(said[0]?.decided).toEqual({ scope: 'large', title: 'Fold the codes' })
  const judged = await sit(['keep the vouchers as they are', ''], [], { judged_by: 'acme/large' })
  expect(judged.said[0]?.answers).toEqual([
    { question: 'What else should be known?', answer: 'keep the vouchers as they are' },
  ])
  expect((await sit(['keep the vouchers as they are', ''], [])).said).toEqual([])
})

describe('nothing is started', () => {
  test.each([
    ['at a menu', [TYPE]],
    ['at a question of a model', [WHERE]],
    ['at the criteria', [CRITERIA]],
    ['at the end', []],
  ] as const)('after q %s', async (_where, questions) => {
    expect((await sit(['q'], [questions])).agreed).toBeNull()
  })

  test.each([
    ['the last question', []],
    ['a question about the request', [TYPE]],
  ] as const)('after Ctrl-C at %s', async (_where, questions) => {
    const interruption = new AbortController()
    const ask = () => {
      interruption.abort()
      return new Promise<string | null>(() => undefined)
    }
    const terminal = {
      converse: async () => ({ ask, edit: async () => null, close: () => undefined }),
      printMessage: () => undefined,
    }
    const call = { terminal, services: { interruption: () => interruption.signal } } as unknown as Call
    const intake: IntakeAnswer = { ...INTAKE, questions }
    expect(await correctIntake(call, { intake, said: NOTHING, again: async () => intake })).toBeNull()
  })
})
