import { expect, test } from 'vitest'
import { choiceFor, choiceOf, scopeOf, SCOPES, type ChosenBy } from './choose-agent.ts'
import { WORK_KINDS } from './kind-of-work.ts'

const task = (given: Partial<ChosenBy>): ChosenBy => ({
  tier: 'low',
  files: { create: [], modify: [], delete: [] },
  layer: null,
  testsToAdd: [],
  inferred: [],
  ...given,
})
const modifies = (...modify: string[]) => ({ create: [], modify, delete: [] })

test.each(SCOPES.flatMap((scope) => WORK_KINDS.map((kind) => [scope, kind] as const)))(
  '%s work of the kind %s has a role and a model of its size',
  (scope, kind) => {
    const isSmall = scope === 'trivial' || scope === 'small'
    expect(choiceFor(scope, kind)).toMatchObject(
      isSmall ? { role: 'fixer', model: 'small' } : { role: 'developer', model: 'large' },
    )
  },
)

test.each([
  ['one edited file of a low task', { files: modifies('a.ts') }, 'small'],
  ['one edited file of a normal task', { files: modifies('a.ts'), tier: 'normal' }, 'medium'],
  ['one edited file of a critical task', { files: modifies('a.ts'), tier: 'critical' }, 'large'],
  ['one edited file that was inferred', { files: modifies('a.ts'), inferred: ['files'] }, 'medium'],
  ['a new file', { files: { create: ['a.ts'], modify: [], delete: [] } }, 'medium'],
  ['no files', {}, 'medium'],
  ['six files', { files: modifies('a', 'b', 'c', 'd', 'e', 'f') }, 'large'],
] as const)('%s make a task of a certain scope', (_, given, scope) => {
  expect(scopeOf(task(given))).toBe(scope)
})

test('a small edit goes to the fixer, other work to the developer', () => {
  expect(choiceOf(task({ files: modifies('README.md') }))).toEqual({
    role: 'fixer',
    model: 'small',
    effort: 'low',
  })
  expect(choiceOf(task({})).role).toBe('developer')
})
