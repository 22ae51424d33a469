import { expect, test } from 'vitest'
import { aTask, low, normal } from '../../../test/helpers/plan-builder.ts'
import type { Draft } from '../state/draft.ts'
import { formatGrowth, grownScope, largerScope, learnedScope, scopeOfDraft } from './grown-scope.ts'

const draft = (changed: readonly string[], lines?: number): Draft => ({
  worker: 'w',
  tree: 't',
  changed,
  salvage: 's',
  report: null,
  patch: null,
  agents: ['a'],
  ended: 'reported done',
  people: [],
  base: null,
  ...(lines === undefined ? {} : { scan: { touches: [], findings: [], lines } }),
})
const many = (count: number): string[] => Array.from({ length: count }, (_, at) => `src/${at}.ts`)

test.each([
  ['one line of one file', ['src/a.ts'], 2, 'trivial'],
  ['one file', ['src/a.ts'], 40, 'small'],
  ['one file with its test and a lock file', ['src/a.ts', 'src/a.test.ts', 'package-lock.json'], 40, 'small'],
  ['a long change of one file', ['src/a.ts'], 201, 'medium'],
  ['several files', many(2), 10, 'medium'],
  ['many files', many(6), 10, 'large'],
  ['a very long change', many(2), 1001, 'large'],
])('%s is of its scope', (_, changed, lines, scope) => {
  expect(scopeOfDraft(draft(changed, lines))).toBe(scope)
})

const edit = { create: [], modify: ['src/a.ts'], delete: [] }

test('a small task whose change is larger has grown', () => {
  const spec = aTask('1', { files: edit })
  expect(grownScope({ spec, tier: 'low', draft: draft(many(3), 50) })).toBe('medium')
  expect(formatGrowth({ spec, tier: 'low', draft: draft(many(3), 50) })).toBe(
    'its change is medium (3 files, 50 lines), the plan expected small',
  )
  expect(grownScope({ spec, tier: 'low', draft: draft(['src/a.ts'], 50) })).toBeNull()
})

test('a change that is small has not grown, whatever was planned', () => {
  const spec = low('1', { files: edit, scope: 'trivial' })
  expect(grownScope({ spec, tier: 'low', draft: draft(['src/a.ts'], 40) })).toBeNull()
  expect(grownScope({ spec, tier: 'low', draft: draft(many(3), 40) })).toBe('medium')
})

test('a change that is smaller than planned changes nothing', () => {
  expect(grownScope({ spec: normal('1'), tier: 'normal', draft: draft(['src/a.ts'], 1) })).toBeNull()
})

test('work whose lines were not counted has not grown', () => {
  expect(grownScope({ spec: low('1', { files: edit }), tier: 'low', draft: draft(many(9)) })).toBeNull()
})

test('critical work is large as it is', () => {
  const spec = low('1', { files: edit })
  expect(grownScope({ spec, tier: 'critical', draft: draft(many(9), 5000) })).toBeNull()
})

const worked = (id: string, changed: readonly string[]) => ({
  spec: aTask(id, { files: edit }),
  tier: 'low' as const,
  draft: draft(changed, 50),
})

test('a task counts as large as the work before it turned out', () => {
  const task = worked('2', [])
  expect(learnedScope(task, [worked('1', many(3))])).toBe('medium')
  expect(learnedScope(task, [worked('1', many(3)), worked('3', many(7))])).toBe('large')
  expect(learnedScope(task, [worked('1', ['src/a.ts'])])).toBeNull()
  expect(learnedScope({ ...task, tier: 'critical' }, [worked('1', many(3))])).toBeNull()
  expect([largerScope(null, 'medium'), largerScope('large', 'medium'), largerScope(null, null)]).toEqual([
    'medium',
    'large',
    null,
  ])
})
