import { describe, expect, test } from 'vitest'
import { impactedSuites, notReported } from './impacted-suites.ts'

const treeOf = (texts: Readonly<Record<string, string>>) => ({
  files: new Set(Object.keys(texts)),
  read: (path: string) => texts[path] ?? null,
})
const suitesOf = (changed: string[], texts: Readonly<Record<string, string>>) =>
  impactedSuites(changed, treeOf(texts))

describe('impacted suites are found', () => {
  test('in TypeScript through other files, .js names, folders and aliases', () => {
    const texts = {
      'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
      'src/money.ts': 'export const cents = 1',
      'src/cart/index.ts': "export { cents } from '../money.js'",
      'src/cart.test.ts': "import { cents } from './cart'",
      'test/shop.test.ts': "const { cents } = await import('@/money')",
      'test/other.test.ts': "import 'node:fs'",
    }
    expect(suitesOf(['src/money.ts'], texts)).toEqual({
      kind: 'some',
      suites: ['src/cart.test.ts', 'test/shop.test.ts'],
    })
    expect(suitesOf(['test/other.test.ts', 'README.md'], texts)).toEqual({
      kind: 'some',
      suites: ['test/other.test.ts'],
    })
  })

  test('in Python through packages and neighbours', () => {
    const texts = {
      'shop/__init__.py': '',
      'shop/money.py': 'CENTS = 1',
      'shop/cart.py': 'from .money import CENTS',
      'tests/test_cart.py': 'from shop import cart',
      'tests/test_other.py': 'import os',
    }
    expect(suitesOf(['shop/money.py'], texts)).toEqual({ kind: 'some', suites: ['tests/test_cart.py'] })
  })

  test('in Python through an import list over several lines', () => {
    const texts = {
      'shop/__init__.py': '',
      'shop/money.py': 'CENTS = 1',
      'shop/cart.py': 'from . import (  # ours\n    other,\n    money,  # cents\n)',
      'tests/test_cart.py': 'import os, \\\n    shop.cart',
    }
    expect(suitesOf(['shop/money.py'], texts)).toEqual({ kind: 'some', suites: ['tests/test_cart.py'] })
  })

  test('in Go by package', () => {
    const texts = {
      'go.mod': 'module example.org/shop\n',
      'money/money.go': 'package money',
      'money/money_test.go': 'package money',
      'cart/cart.go': 'package cart\nimport (\n\t"fmt"\n\t"example.org/shop/money"\n)',
      'cart/cart_test.go': 'package cart',
      'user/user_test.go': 'package user',
    }
    expect(suitesOf(['money/money.go'], texts)).toEqual({
      kind: 'some',
      suites: ['cart/cart_test.go', 'money/money_test.go'],
    })
  })

  test('where they still import a deleted file', () => {
    const texts = { 'src/a.test.ts': "import { a } from './a.ts'" }
    expect(suitesOf(['src/a.ts'], texts)).toEqual({ kind: 'some', suites: ['src/a.test.ts'] })
  })

  test('to be all suites where imports do not show them', () => {
    expect(suitesOf(['package.json'], {})).toMatchObject({ kind: 'all' })
    expect(suitesOf(['src/a.rs'], {})).toEqual({
      kind: 'all',
      why: 'imports do not show which suites use src/a.rs',
    })
  })
})

test('a suite counts as missing only from a report that names every file', () => {
  const suites = ['test/a.test.ts', 'test/b.test.ts']
  const ran = (...files: (string | null)[]) => files.map((file) => ({ name: 'it', file }))
  expect(notReported(suites, ran('test/a.test.ts'))).toEqual(['test/b.test.ts'])
  expect(notReported(suites, ran('/x/test/a.test.ts', 'test/b.test.ts'))).toEqual([])
  expect(notReported(suites, ran('test/a.test.ts', null))).toBeNull()
  expect(notReported(suites, null)).toBeNull()
  expect(notReported(['a/test_b.py'], [{ name: 'a/test_a.py::test_it', file: null }])).toEqual([
    'a/test_b.py',
  ])
})
