import { describe, expect, test } from 'vitest'
import { auditTask, type AuditFacts } from './audit.ts'

const verdictOf = (facts: {
  create?: string[]
  modify?: string[]
  remove?: string[]
  tests?: string[]
  there: string[]
  passes?: AuditFacts['passes']
  criteria?: string[]
  inferred?: string[]
  text?: string
}) =>
  auditTask({
    spec: {
      files: { create: facts.create ?? [], modify: facts.modify ?? [], delete: facts.remove ?? [] },
      testsToAdd: facts.tests ?? [],
      acceptanceCriteria:
        facts.criteria ?? facts.inferred ?? facts.tests?.map((path) => `${path} passes`) ?? [],
      inferred: facts.criteria === undefined ? ['acceptance_criteria'] : [],
    },
    isInTree: (path) => facts.there.includes(path),
    textOf: () => facts.text ?? null,
    passes: facts.passes ?? (() => true),
  })
const audit = (facts: Parameters<typeof verdictOf>[0]) => verdictOf(facts).status

const both = { create: ['src/a.js'], tests: ['test/a.test.js'] }

describe('the audit of a task', () => {
  test('is EXISTS with its files and passing tests', () => {
    expect(audit({ ...both, there: ['src/a.js', 'test/a.test.js'] })).toBe('EXISTS')
  })
  test('says of a task without new files that it names none', () => {
    expect(verdictOf({ there: [] }).evidence).toBe('it names no new file to look for')
    expect(verdictOf({ ...both, there: [] }).evidence).toBe('none of its new files exist')
  })
  test('is MISSING without any of its files', () => {
    expect(audit({ ...both, there: [] })).toBe('MISSING')
    expect(audit({ modify: ['src/a.js'], there: ['src/a.js'] })).toBe('MISSING')
  })
  test.each([
    ['a file is missing', { ...both, there: ['src/a.js'] }],
    ['the tests fail', { ...both, there: ['src/a.js', 'test/a.test.js'], passes: () => false }],
    ['the tests could not run', { ...both, there: ['src/a.js', 'test/a.test.js'], passes: () => null }],
    ['it adds no test that would prove it', { create: ['src/a.js'], there: ['src/a.js'] }],
    [
      'a test is only to be extended',
      { create: ['src/a.js'], modify: ['t.test.js'], tests: ['t.test.js'], there: ['src/a.js', 't.test.js'] },
    ],
    [
      'something was to be deleted',
      { ...both, remove: ['old.js'], there: ['src/a.js', 'test/a.test.js', 'old.js'] },
    ],
  ])('is PARTIAL: %s', (_, facts) => {
    expect(audit(facts)).toBe('PARTIAL')
  })

  test('is not EXISTS for a task that modifies sources, because of a test in the start tree', () => {
    const there = ['src/a.js', 'test/a.test.js', 'src/new.js']
    const shape = { modify: ['src/a.js'], tests: ['test/a.test.js'], there }
    expect(audit(shape)).toBe('PARTIAL')
    expect(audit({ ...shape, criteria: ['sums'], text: "test('sums')" })).toBe('PARTIAL')
    expect(audit({ ...shape, create: ['src/new.js'] })).toBe('PARTIAL')
  })

  test('is not EXISTS for a task that creates no file, because of a test in the start tree', () => {
    expect(audit({ tests: ['test/a.test.js'], there: ['test/a.test.js'] })).toBe('PARTIAL')
    expect(audit({ remove: ['old.js'], tests: ['test/a.test.js'], there: ['test/a.test.js'] })).toBe(
      'PARTIAL',
    )
  })

  test('is EXISTS only where passing tests mention each criterion of the author', () => {
    const shape = { ...both, there: ['src/a.js', 'test/a.test.js'], criteria: ["slugify('Ä b') is 'a-b'"] }
    expect(audit({ ...shape, text: "test('slugify', () => eq(slugify('A b'), 'a-b'))" })).toBe('PARTIAL')
    expect(audit({ ...shape, text: "test('slugify', () => eq(slugify('Ä b'), 'a-b'))" })).toBe('EXISTS')
    expect(audit({ ...shape })).toBe('PARTIAL')
  })

  test.each([
    ['test/a.test.js passes', 'EXISTS'],
    ['`npm test`: all tests pass', 'EXISTS'],
    ['slug must replace blanks', 'PARTIAL'],
    ['slug drops accents', 'PARTIAL'],
    ['Add slug', 'EXISTS'],
    ['slug lower-cases', 'EXISTS'],
  ])(
    'a task without criteria exists only where its tests name what its steps or its title say: %s',
    (criterion, status) => {
      const text = "test('lower-cases', () => eq(slug('A'), 'a'))"
      const there = ['src/a.js', 'test/a.test.js']
      expect(audit({ ...both, there, text, inferred: [criterion, 'test/a.test.js passes'] })).toBe(status)
    },
  )

  test('lists each missing and each existing file once', () => {
    const { evidence } = auditTask({
      spec: {
        files: { create: ['src/a.js'], modify: [], delete: [] },
        testsToAdd: ['test/a.test.js'],
        acceptanceCriteria: [],
        inferred: [],
      },
      isInTree: (path) => path === 'src/a.js',
      textOf: () => null,
      passes: () => null,
    })
    expect(evidence).toBe('src/a.js exists, but test/a.test.js is missing')
  })
})
