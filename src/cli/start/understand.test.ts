import { expect, test } from 'vitest'
import { overridesFrom, overridesIn } from './understand.ts'

const from = (options: Readonly<Record<string, string>>) => overridesIn({ option: (name) => options[name] })

test('options and typed words override type, scope and workflow', () => {
  expect(from({ type: 'bug_fix', workflow: 'direct' })).toEqual({ type: 'bug_fix', workflow: 'direct' })
  expect(overridesFrom('scope=medium, type=bug_fix')).toEqual({ scope: 'medium', type: 'bug_fix' })
  expect(overridesFrom('large fix')).toEqual({ scope: 'large', workflow: 'fix' })
  expect(from({})).toEqual({})
})

test('a value that is none is refused with those that there are', () => {
  expect(() => from({ scope: 'larg' })).toThrow('invalid --scope "larg" (use trivial, small, medium, large)')
  expect(() => overridesFrom('scope=huge')).toThrow('invalid scope "huge"')
  expect(() => overridesFrom('whatever')).toThrow('unknown word "whatever"')
})
