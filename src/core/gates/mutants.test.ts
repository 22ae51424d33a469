import { describe, expect, test } from 'vitest'
import { aChange } from '../../../test/helpers/a-change.ts'
import { judgeMutants, mutantsOf, mutated } from './mutants.ts'

describe('a fault in a line', () => {
  test.each([
    ['script', 'if (a === b) {', 'if (a != b) {'],
    ['script', "if (name==='x') {", "if (name!='x') {"],
    ['script', '  const sum = a + b', '  const sum = a - b'],
    ['script', 'return total', 'return undefined'],
    ['script', "export const f = (text) => text.replace('a', 'b')", 'export const f = (text) => undefined'],
    ['script', '  cart.clear()', '  '],
    ['script', 'const limit = 7', 'const limit = 17'],
    ['python', '    return price * count', '    return price / count'],
    ['python', '    if a and b:', '    if a or b:'],
    ['c', '  return ok && ready;', '  return ok || ready;'],
    ['c', '  for (int i = 0; i < n; i++) {', '  for (int i = 0; i >= n; i++) {'],
  ] as const)('of %s: %s becomes %s', (family, from, to) => {
    expect(mutated(from, family)?.text).toBe(to)
  })

  test.each(['', '// a === b', "import { a } from 'b'", "  'a && b',", '  readonly name: string', '}'])(
    'is not put into %j',
    (line) => {
      expect(mutated(line, 'script')).toBeNull()
    },
  )

  test('is not put into a quoted text', () => {
    expect(mutated("say('a && b')", 'script')?.text).toBe('')
    expect(mutated("const name = 'true'", 'script')).toBeNull()
  })
})

test('faults are put into changed lines of sources alone, spread over the change', () => {
  const lines = Array.from({ length: 40 }, (_, at) => `const x${at} = ${at}`).join('\n')
  const change = aChange({
    'src/a.ts': ['const kept = 1\n', `const kept = 1\n${lines}\n`],
    'src/a.test.ts': [null, 'const a = 1\n'],
    'README.md': [null, 'a && b\n'],
  })
  const found = mutantsOf(change, 4)
  expect(found.map(({ path, line }) => `${path}:${line}`)).toEqual([
    'src/a.ts:2',
    'src/a.ts:12',
    'src/a.ts:22',
    'src/a.ts:32',
  ])
})

describe('tests', () => {
  const mutant = { path: 'a.ts', line: 1, text: '', what: 'a call left out' }
  const seen = (...noticed: readonly boolean[]) => noticed.map((isNoticed) => ({ mutant, isNoticed }))

  test('that notice at least half of the faults are enough', () => {
    expect(judgeMutants(seen(true, false))).toMatchObject({ isEnough: true, survivors: [mutant] })
    expect(judgeMutants(seen(true, false, false)).isEnough).toBe(false)
  })

  test('that notice none of the faults are not enough, however few were tried', () => {
    for (const noticed of [[false], [false, false]]) {
      expect(judgeMutants(seen(...noticed)).isEnough).toBe(false)
    }
    expect(judgeMutants(seen(true)).isEnough).toBe(true)
  })

  test('are not judged where no fault was tried', () => {
    expect(judgeMutants([]).isEnough).toBe(true)
    expect(judgeMutants([]).words).toBe('the tests noticed 0 of 0 faults put into the change')
  })
})
