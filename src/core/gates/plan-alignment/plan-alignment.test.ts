import { describe, expect, test } from 'vitest'
import type { ChangedFile } from '../change.ts'
import { covers } from './expected-files.ts'
import { planAlignment, type AlignmentFacts } from './plan-alignment.ts'

const SLUG = ['export function slugify(text) {', "  return text.toLowerCase().replace(/ /g, '-')", '}', '']
const added = (path: string, lines: readonly string[] = ['x']): ChangedFile => ({
  path,
  kind: 'added',
  isBinary: false,
  lines: [],
  removed: [],
  added: lines.map((text, place) => ({ line: place + 1, text })),
})
const tree: Record<string, readonly string[]> = {
  'src/slug.js': SLUG,
  'src/old.js': ['// here for years'],
  'package.json': ['{}'],
  'test/slug.test.js': ['x'],
}

const align = (facts: {
  spec?: Partial<AlignmentFacts['spec']>
  files?: readonly ChangedFile[]
  claims?: AlignmentFacts['claims']
  earlierWork?: AlignmentFacts['earlierWork']
}) =>
  planAlignment({
    spec: {
      files: { create: ['src/slug.js'], modify: [], delete: [] },
      testsToAdd: ['test/slug.test.js'],
      inferred: [],
      acceptanceCriteria: ["slugify('A b') is 'a-b'"],
      ...facts.spec,
    },
    change: { base: 'b', files: facts.files ?? [added('src/slug.js', SLUG), added('test/slug.test.js')] },
    claims: facts.claims ?? [],
    earlierWork: facts.earlierWork ?? null,
    fileInTree: (path) => tree[path] ?? null,
    isInTree: (path) => tree[path] !== undefined,
  })

describe('each criterion has a file and a line', () => {
  test('named by the worker, by number or by text', () => {
    for (const criterion of ['1', "slugify('A b') is 'a-b'"]) {
      const { outcome, evidence } = align({ claims: [{ criterion, file: './src/slug.js', line: 2 }] })
      expect(outcome).toBe('passed')
      expect(evidence.criteria).toEqual([
        { criterion: "slugify('A b') is 'a-b'", by: 'worker', file: 'src/slug.js', line: 2 },
      ])
    }
  })

  test.each([
    [{ file: 'src/slug.js', line: 9 }, 'criterion 1 not found: src/slug.js has 4 lines'],
    [{ file: 'src/slug.js', line: 4 }, 'criterion 1 not found: line 4 is blank'],
    [{ file: 'src/gone.js', line: 1 }, 'criterion 1 not found: src/gone.js is not in the tree'],
    [{ file: '../../etc/passwd', line: 1 }, 'criterion 1 not found: ../../etc/passwd is not in the tree'],
    [{ file: 'src/old.js', line: 1 }, 'every criterion is mapped to lines that existed before this task'],
  ])('a place that does not hold fails: %o', (place, text) => {
    const { outcome, evidence } = align({ claims: [{ criterion: '1', ...place }] })
    expect(outcome).toBe('failed')
    expect(evidence.findings.map((finding) => finding.text)).toContain(text)
  })

  test('a line beside the change in a file that it touches is noted, and the diff places it for review', () => {
    const slug = { ...added('src/slug.js', SLUG.slice(1)), kind: 'modified' as const }
    const fresh = { ...slug, added: slug.added.filter(({ line }) => line > 1) }
    const { outcome, evidence } = align({
      files: [fresh, added('test/slug.test.js')],
      claims: [{ criterion: '1', file: 'src/slug.js', line: 1 }],
    })
    expect(outcome).toBe('passed')
    expect(evidence.findings).toMatchObject([{ weight: 'note', text: 'existed before this task', line: 1 }])
    expect(evidence.criteria).toMatchObject([{ by: 'rules', file: 'src/slug.js', line: 2 }])
  })

  test('without a report the rules map it from the diff, and say so', () => {
    const { outcome, summary, evidence } = align({})
    expect(outcome).toBe('passed')
    expect(summary).toBe('1 criterion mapped, 1 by rules (review must confirm)')
    expect(evidence.criteria).toMatchObject([{ by: 'rules', file: 'src/slug.js', line: 1 }])
  })

  test('one more criterion than the worker named is mapped by the rules', () => {
    const { evidence } = align({
      spec: { acceptanceCriteria: ['one', 'lower case'] },
      claims: [{ criterion: '1', file: 'src/slug.js', line: 1 }],
    })
    expect(evidence.criteria.map(({ by }) => by)).toEqual(['worker', 'rules'])
  })
})

describe('changed files are compared with the contract', () => {
  test('a file outside named files fails', () => {
    const { outcome, summary } = align({ files: [added('src/slug.js', SLUG), added('src/other.js')] })
    expect([outcome, summary]).toEqual(['failed', "src/other.js is outside the contract's files"])
  })

  test('outside inferred files it is a finding for review', () => {
    const { outcome, evidence } = align({
      files: [added('src/slug.js', SLUG), added('src/other.js')],
      spec: { inferred: ['files'] },
    })
    expect(outcome).toBe('passed')
    expect(evidence.findings).toMatchObject([{ weight: 'note', file: 'src/other.js' }])
  })

  test('new tests and a lock file beside its manifest are always expected', () => {
    const files = [added('src/slug.js', SLUG), added('test/slug.test.js'), added('package-lock.json')]
    expect(align({ files }).outcome).toBe('passed')
    expect(align({ files: [...files, added('elsewhere/package-lock.json')] }).outcome).toBe('failed')
  })

  test('a file that should have been created but is missing fails', () => {
    const spec = { files: { create: ['src/slug.js', 'src/more.js'], modify: [], delete: [] } }
    expect(align({ spec }).summary).toBe('src/more.js should have been created but is missing')
  })

  test('a file that should have been deleted but still exists fails', () => {
    const spec = { files: { create: ['src/slug.js'], modify: [], delete: ['src/old.js'] } }
    expect(align({ spec }).outcome).toBe('failed')
  })

  test('a plan that names neither files nor criteria leaves nothing to align', () => {
    const spec = { files: { create: [], modify: [], delete: [] }, acceptanceCriteria: [] }
    expect(align({ spec }).outcome).toBe('not_applicable')
  })

  test('nothing changed fails', () => {
    const { outcome, summary } = align({ files: [] })
    expect([outcome, summary]).toEqual(['failed', 'nothing was changed'])
  })

  test.each([
    ['src/slug.js', 'src/slug.js', true],
    ['src/', 'src/deep/a.js', true],
    ['src', 'src/a.js', true],
    ['src', 'srcs/a.js', false],
    ['src/*.js', 'src/a.js', true],
    ['src/*.js', 'src/a/b.js', false],
    ['src/**/*.ts', 'src/a/b/c.ts', true],
    ['src/**/*.ts', 'src/c.ts', true],
    ['db/migrations/<timestamp>_add.sql', 'db/migrations/2026_add.sql', true],
    ['src/a.js', 'src/a.js/b', false],
  ])('%s covers %s: %s', (pattern, path, is) => {
    expect(covers(pattern, path)).toBe(is)
  })
})

describe('a task that is done again after an edit of the plan', () => {
  const same = { asksTheSame: true, files: ['src/slug.js'], tests: [] }
  const other = { ...same, asksTheSame: false }
  const unchanged = (facts: Parameters<typeof align>[0] = {}) =>
    align({ files: [], earlierWork: same, ...facts })
  const claim = { criterion: '1', file: 'src/slug.js', line: 2 }

  test('passes unchanged where all it is to deliver is there, and says so', () => {
    const { outcome, summary, evidence } = unchanged({
      spec: { acceptanceCriteria: ['text is put in lower case'] },
    })
    expect([outcome, summary]).toEqual([
      'passed',
      'nothing was changed; the earlier work still holds: 1 criterion mapped, 1 by rules (review must confirm)',
    ])
    expect(evidence.criteria).toMatchObject([{ by: 'rules', file: 'src/slug.js', line: 1 }])
  })

  test.each<[string, Partial<AlignmentFacts['spec']>, string]>([
    [
      'to be created and not there',
      { files: { create: ['src/gone.js'], modify: [], delete: [] } },
      'src/gone.js should have been created but is missing',
    ],
    [
      'to be modified and not there',
      { files: { create: [], modify: ['src/gone.js'], delete: [] } },
      'src/gone.js should have been modified but is missing',
    ],
    [
      'to be deleted and there',
      { files: { create: [], modify: [], delete: ['src/old.js'] } },
      'src/old.js should have been deleted but still exists',
    ],
  ])('fails unchanged where a file is %s', (_, spec, why) => {
    const { outcome, summary } = unchanged({ spec })
    expect([outcome, summary]).toEqual(['failed', why])
  })

  test('fails unchanged where nothing of what landed is left', () => {
    const { outcome, summary } = unchanged({
      spec: {
        files: { create: ['src/gone.js'], modify: [], delete: [] },
        inferred: ['files'],
        testsToAdd: [],
      },
      earlierWork: { ...same, files: ['src/gone.js'] },
    })
    expect([outcome, summary]).toEqual([
      'failed',
      'criterion 1: nothing was changed, and none of the earlier work is left',
    ])
  })

  test('fails unchanged if the contract is different and the report names no place', () => {
    const { outcome, summary } = unchanged({ earlierWork: other })
    expect([outcome, summary]).toEqual([
      'failed',
      'criterion 1: nothing was changed, the contract is different now, and the report does not say where this is met',
    ])
    const spec = { acceptanceCriteria: [] }
    expect(unchanged({ earlierWork: other, spec }).outcome).toBe('failed')
    expect(unchanged({ spec }).outcome).toBe('passed')
  })

  test('passes unchanged where it is to be something else, if each criterion has a place that holds', () => {
    const facts = { earlierWork: other, claims: [claim] }
    expect(unchanged(facts).outcome).toBe('passed')
    expect(unchanged({ ...facts, claims: [{ ...claim, line: 99 }] }).outcome).toBe('failed')
    const two = { acceptanceCriteria: ['one', 'two'] }
    expect(unchanged({ ...facts, spec: two }).outcome).toBe('failed')
  })

  test('may rest on what was deleted before', () => {
    const spec = { files: { create: [], modify: [], delete: ['src/gone.js'] }, testsToAdd: [] }
    const deleted = { ...same, files: ['src/gone.js'] }
    const { outcome, evidence } = unchanged({ spec, earlierWork: deleted })
    expect(outcome).toBe('passed')
    expect(evidence.criteria).toMatchObject([{ by: 'rules', file: 'src/gone.js', line: null }])
    const claims = [{ criterion: '1', file: 'src/gone.js', line: 1 }]
    expect(unchanged({ spec, earlierWork: deleted, claims }).outcome).toBe('passed')
    expect(align({ spec, claims }).outcome).toBe('failed')
  })

  test('may change a part and rest on lines that were there before', () => {
    const facts = { files: [added('test/slug.test.js')], claims: [claim] }
    expect(align({ ...facts, earlierWork: same }).outcome).toBe('passed')
    expect(align(facts).outcome).toBe('failed')
  })
})

test('a criterion is checked wherever it stands in a long list', () => {
  const acceptanceCriteria = Array.from({ length: 60 }, (_, place) => `rule ${place + 1} holds`)
  const claims = [{ criterion: '60', file: 'src/slug.js', line: 99 }]
  const { outcome, evidence } = align({ spec: { acceptanceCriteria }, claims })
  expect([outcome, evidence.criteria.length]).toEqual(['failed', 60])
  const endless = Array.from({ length: 501 }, (_, place) => `rule ${place + 1} holds`)
  expect(align({ spec: { acceptanceCriteria: endless } }).outcome).toBe('inconclusive')
})
