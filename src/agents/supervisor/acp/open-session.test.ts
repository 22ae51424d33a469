import { RequestError } from '@agentclientprotocol/sdk/unstable'
import { describe, expect, test } from 'vitest'
import { ChoiceRefused, setChoice, type Ask, type ChoiceParts } from './open-session.ts'

const option = (id: string, category: string | null, values: readonly string[], current = values[0]) => ({
  id,
  category,
  type: 'select',
  name: id,
  currentValue: current,
  options: values.map((value) => ({ value, name: value.toUpperCase() })),
})
const OPTIONS = [
  option('model', 'model', ['default', 'opus']),
  option('reasoning_effort', 'thought_level', ['low', 'high']),
]

function session(
  chosen: Omit<ChoiceParts['choice'], 'modelLike'> & Partial<ChoiceParts['choice']>,
  given: { readonly options?: readonly unknown[]; readonly answer?: () => unknown } = {},
) {
  const { options = OPTIONS, answer = () => ({ configOptions: options }) } = given
  const choice = { modelLike: null, ...chosen }
  const asked: unknown[] = []
  const notes: string[] = []
  const ask = (async (_: string, params: unknown) => {
    asked.push(params)
    return answer()
  }) as Ask
  const set = setChoice(
    { configOptions: options },
    { session: 's', choice, ask, onNote: (text) => notes.push(text) },
  )
  return { asked, notes, set }
}

test('model and effort are set by the options that the agent offers for them', async () => {
  const { asked, set } = session({ model: 'Opus', effort: { level: 'high', by: 'settings' } })
  await set
  expect(asked).toEqual([
    { sessionId: 's', configId: 'model', value: 'opus' },
    { sessionId: 's', configId: 'reasoning_effort', value: 'high' },
  ])
})

test('the model that the agent uses is known where it says so', async () => {
  const now = [option('model', 'model', ['default', 'opus'], 'opus')]
  expect(await session({ model: null, effort: null }).set).toBe('default')
  expect(await session({ model: 'opus', effort: null }, { answer: () => ({ configOptions: now }) }).set).toBe(
    'opus',
  )
  expect(await session({ model: null, effort: null }, { options: [] }).set).toBeNull()
})

test('the table asks for nothing that the agent does not list', async () => {
  const { asked, notes, set } = session({ model: null, effort: { level: 'medium', by: 'table' } })
  await set
  expect([asked, notes]).toEqual([[], []])
  const none = session({ model: null, effort: { level: 'low', by: 'table' } }, { options: [] })
  await none.set
  expect(none.asked).toEqual([])
})

test('a value that is not listed is tried, since agents know more names than they list', async () => {
  const { asked, set } = session({ model: 'sonnet', effort: null })
  await set
  expect(asked).toEqual([{ sessionId: 's', configId: 'model', value: 'sonnet' }])
})

test('a value that the agent refuses is an error with those that it offers', async () => {
  const answer = (): never => {
    throw new RequestError(-32_602, 'Invalid value')
  }
  const { set } = session({ model: 'sonet', effort: null }, { answer })
  await expect(set).rejects.toThrow(
    new ChoiceRefused('it does not take model `sonet`; it offers `default`, `opus` (Invalid value)'),
  )
  const soft = session({ model: null, effort: { level: 'high', by: 'table' } }, { answer })
  await soft.set
  expect(soft.notes).toEqual(['it does not take effort `high`; it offers `low`, `high` (Invalid value)'])
})

test('an agent without such an option cannot be given a model', async () => {
  const { set } = session({ model: 'opus', effort: null }, { options: [null, { id: 7 }, 'x'] })
  await expect(set).rejects.toThrow(new ChoiceRefused('it offers no choice of a model'))
})

test('values may stand in groups', async () => {
  const grouped = {
    id: 'model',
    currentValue: 'a',
    options: [{ group: 'g', name: 'G', options: [{ value: 'p/big', name: 'Big' }] }],
  }
  const { asked, set } = session({ model: 'big', effort: null }, { options: [grouped] })
  await set
  expect(asked).toEqual([{ sessionId: 's', configId: 'model', value: 'p/big' }])
})

describe('a small model that only the table chooses', () => {
  const like = { model: null, modelLike: ['flash-lite', 'mini'], effort: null }
  const offering = (...values: string[]) => ({ options: [option('model', 'model', values)] })

  test('is the listed one whose name holds the first of the words', async () => {
    const { asked, set } = session(like, offering('default', 'gpt-mini', 'gemini-flash-lite'))
    await set
    expect(asked).toEqual([{ sessionId: 's', configId: 'model', value: 'gemini-flash-lite' }])
  })

  test('is the one in use, where that is such a model', async () => {
    const { asked, set } = session(like, offering('x-mini-2', 'x-mini-1'))
    expect(await set).toBe('x-mini-2')
    expect(asked).toEqual([])
  })

  test("stays the agent's own where none is listed, and that is noted", async () => {
    const { asked, notes, set } = session(like, offering('default', 'large'))
    expect(await set).toBe('default')
    expect(asked).toEqual([])
    expect(notes).toEqual(['it lists no model like flash-lite or mini, so it works with its own'])
  })

  test("is the agent's own where it is not known which are small, and that is noted", async () => {
    const { asked, notes, set } = session({ ...like, modelLike: [] }, offering('one', 'two'))
    expect([await set, asked]).toEqual(['one', []])
    expect(notes).toEqual(['which of its models are small is not known, so it works with its own'])
  })
})
