import { expect, test } from 'vitest'
import type { ChosenAgent } from './agent-table.ts'
import { notSettable, sessionChoice, withChoice } from './with-choice.ts'

const HIGH = { level: 'high', by: 'settings' } as const
const TABLE = { level: 'low', by: 'table' } as const
const agent = (given: Partial<ChosenAgent> = {}): ChosenAgent => ({
  name: 'one',
  protocol: 'command',
  command: ['/bin/one'],
  arguments: { model: ['--model', '{model}'], effort: ['-c', 'effort="{effort}"'] },
  why: 'roles.developer',
  ...given,
})

test('a command gets model and effort as its arguments', () => {
  const chosen = withChoice(agent(), { model: '$&', effort: HIGH })
  expect(chosen.choiceArguments).toEqual(['--model', '$&', '-c', 'effort="high"'])
  expect(chosen).toMatchObject({ model: '$&', effort: HIGH, why: 'roles.developer' })
})

test('the effort of the table is no argument of a command', () => {
  const chosen = withChoice(agent(), { model: null, effort: TABLE })
  expect(chosen).toMatchObject({ choiceArguments: [], model: null, effort: null })
})

test('a session gets what it can set, and the table only where the session can', () => {
  const chosen = withChoice(
    agent({ protocol: 'acp', arguments: { model: ['-m', '{model}'], effort: 'session' } }),
    { model: 'm', effort: TABLE },
  )
  expect(chosen.choiceArguments).toEqual(['-m', 'm'])
  expect(sessionChoice(chosen)).toEqual({ model: null, modelLike: null, effort: TABLE })
  const custom = withChoice(agent({ protocol: 'acp', arguments: undefined }), { model: 'm', effort: HIGH })
  expect(sessionChoice(custom)).toEqual({ model: 'm', modelLike: null, effort: HIGH })
})

test('a small model is looked for in the session where none is named', () => {
  const one = agent({ protocol: 'acp', arguments: { model: 'session', effort: null }, smallModels: ['mini'] })
  const small = withChoice(one, { model: null, size: 'small', effort: null })
  expect(sessionChoice(small)).toEqual({ model: null, modelLike: ['mini'], effort: null })
  const large = withChoice(one, { model: null, size: 'large', effort: null })
  expect(sessionChoice(large).modelLike).toBeNull()
})

test('a small model is looked for in any session, also where a named one is an argument, and in no command', () => {
  const wanted = { model: null, size: 'small', effort: null } as const
  const known = withChoice(agent({ protocol: 'acp', smallModels: ['flash'] }), wanted)
  expect([sessionChoice(known).modelLike, known.choiceArguments]).toEqual([['flash'], []])
  expect(sessionChoice(withChoice(agent({ protocol: 'acp' }), wanted)).modelLike).toEqual([])
  const command = withChoice(agent({ smallModels: ['flash'] }), wanted)
  expect(sessionChoice(command).modelLike).toBeNull()
  expect(command.why).toBe('roles.developer; as a command it works with its own model')
})

test('a model or effort that an agent does not take is reported', () => {
  const custom = agent({ arguments: undefined })
  expect(notSettable(custom, { model: 'm', effort: HIGH })).toEqual([
    'one takes no model as a command',
    'one takes no effort as a command',
  ])
  expect(notSettable(custom, { model: null, effort: TABLE })).toEqual([])
  expect(withChoice(custom, { model: 'm', effort: null })).toMatchObject({
    model: null,
    why: 'roles.developer; one takes no model as a command',
  })
})
