import { describe, expect, test } from 'vitest'
import { auditTask, type AuditFacts } from './audit.ts'

const audit = (facts: {
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
  }).status

const both = { create: ['src/a.js'], tests: ['test/a.test.js'] }

describe('what exists is not built again, and nothing counts without proof', () => {
  test('files and passing tests are there', () => {
    expect(audit({ ...both, there: ['src/a.js', 'test/a.test.js'] })).toBe('EXISTS')
  })
  test('nothing is there', () => {
    expect(audit({ ...both, there: [] })).toBe('MISSING')
    expect(audit({ modify: ['src/a.js'], there: ['src/a.js'] })).toBe('MISSING')
  })
  test.each([
    ['a file is missing', { ...both, there: ['src/a.js'] }],
    ['the tests fail', { ...both, there: ['src/a.js', 'test/a.test.js'], passes: () => false }],
    ['the tests could not run', { ...both, there: ['src/a.js', 'test/a.test.js'], passes: () => null }],
    ['no test would show it', { create: ['src/a.js'], there: ['src/a.js'] }],
    [
      'a test is only to be extended',
      { create: ['src/a.js'], modify: ['t.test.js'], tests: ['t.test.js'], there: ['src/a.js', 't.test.js'] },
    ],
    [
      'something was to be deleted',
      { ...both, remove: ['old.js'], there: ['src/a.js', 'test/a.test.js', 'old.js'] },
    ],
  ])('partly: %s', (_, facts) => {
    expect(audit(facts)).toBe('PARTIAL')
  })

  test('a task that modifies sources never exists because of a test that is in the start tree', () => {
    const there = ['src/a.js', 'test/a.test.js', 'src/new.js']
    const shape = { modify: ['src/a.js'], tests: ['test/a.test.js'], there }
    expect(audit(shape)).toBe('PARTIAL')
    expect(audit({ ...shape, criteria: ['sums'], text: "test('sums')" })).toBe('PARTIAL')
    expect(audit({ ...shape, create: ['src/new.js'] })).toBe('PARTIAL')
  })

  test('a task that creates no file never exists because of a test that is in the start tree', () => {
    expect(audit({ tests: ['test/a.test.js'], there: ['test/a.test.js'] })).toBe('PARTIAL')
    expect(audit({ remove: ['old.js'], tests: ['test/a.test.js'], there: ['test/a.test.js'] })).toBe(
      'PARTIAL',
    )
  })

  test('a task exists only where the passing tests name each criterion of its author', () => {
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
    (said, status) => {
      const text = "test('lower-cases', () => eq(slug('A'), 'a'))"
      const there = ['src/a.js', 'test/a.test.js']
      expect(audit({ ...both, there, text, inferred: [said, 'test/a.test.js passes'] })).toBe(status)
    },
  )

  test('what is missing is said once, and so is what is there', () => {
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
    expect(evidence).toBe('src/a.js is there, but test/a.test.js is missing')
  })
})
