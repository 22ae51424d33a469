import { expect, test } from 'vitest'
import { ROLES } from '../event-schemas/schemas.ts'
import {
  choiceFor,
  choiceForRole,
  choiceOf,
  scopeOf,
  SCOPES,
  workerChoice,
  type ChosenBy,
} from './choose-agent.ts'
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

const NONE = { agent: null, model: null, effort: null }
const crew = (roles: NonNullable<Parameters<typeof workerChoice>[1]>['roles']) => ({
  roles,
  models: { small: 'haiku', large: null },
})

test('what the settings say about a role comes before the table', () => {
  const spec = task({ tier: 'normal' })
  expect(workerChoice({ role: 'developer', spec })).toEqual({
    role: 'developer',
    model: null,
    size: 'large',
    effort: { level: 'medium', by: 'table' },
    why: 'medium general task, effort medium',
  })
  const set = { agent: 'claude', model: 'sonnet', effort: 'high' }
  expect(workerChoice({ role: 'developer', spec }, crew({ developer: set }))).toEqual({
    role: 'developer',
    model: 'sonnet',
    size: 'large',
    effort: { level: 'high', by: 'settings' },
    why: 'medium general task, model sonnet by roles.developer, effort high by roles.developer',
  })
})

test('a small edit goes to the agent of the fixer where the settings name one, on the small model', () => {
  const spec = task({ files: modifies('README.md') })
  expect(
    workerChoice({ role: 'developer', spec }, crew({ fixer: { ...NONE, agent: 'codex' } })),
  ).toMatchObject({
    role: 'fixer',
    model: 'haiku',
    why: "small docs task, with the fixer's agent, model haiku by models.small, effort low",
  })
  expect(workerChoice({ role: 'developer', spec }, crew({})).role).toBe('developer')
  expect(workerChoice({ role: 'reviewer', spec }, crew({ fixer: NONE })).role).toBe('reviewer')
})

test('without settings small work gets a small model, and its reviewer does not', () => {
  const spec = task({ files: modifies('README.md') })
  expect(workerChoice({ role: 'developer', spec })).toMatchObject({
    model: null,
    size: 'small',
    why: 'small docs task, a small model where its agent offers one, effort low',
  })
  expect(workerChoice({ role: 'reviewer', spec }).size).toBe('large')
})

test('a scope that the plan gives counts, unless the task is critical', () => {
  expect(scopeOf(task({ scope: 'trivial' }))).toBe('trivial')
  expect(choiceOf(task({ scope: 'small' }))).toMatchObject({ role: 'fixer', model: 'small' })
  expect(scopeOf(task({ scope: 'trivial', tier: 'critical' }))).toBe('large')
})

test.each(ROLES.flatMap((role) => SCOPES.map((scope) => [role, scope] as const)))(
  'a %s has a model and an effort for %s work',
  (role, scope) => {
    const { model, effort } = choiceForRole(role, scope, 'general')
    expect(['small', 'large']).toContain(model)
    expect(['low', 'medium', 'high']).toContain(effort)
    if (role === 'architect' || role === 'designer') expect(model).toBe('large')
  },
)

test('a role that the settings do not name is done by the developer’s agent', () => {
  const spec = task({ tier: 'normal' })
  const developer = { ...NONE, agent: 'claude' }
  expect(workerChoice({ role: 'designer', spec }, crew({ developer }))).toMatchObject({
    role: 'developer',
    why: expect.stringContaining('no agent is named for the designer'),
  })
  const designer = { ...NONE, agent: 'gemini' }
  expect(workerChoice({ role: 'designer', spec }, crew({ developer, designer })).role).toBe('designer')
  expect(workerChoice({ role: 'tester', spec: task({}) }, crew({ tester: designer })).role).toBe('tester')
})

test('the next worker of a change that grew is chosen by the larger scope', () => {
  const spec = task({ files: modifies('src/a.ts') })
  expect(workerChoice({ role: 'fixer', spec }, crew({})).model).toBe('haiku')
  expect(workerChoice({ role: 'fixer', spec, grown: 'large' }, crew({}))).toMatchObject({
    effort: { level: 'high' },
    why: expect.stringContaining('large general task'),
  })
})
