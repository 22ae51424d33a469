import { expect, test } from 'vitest'
import { foldersNear, nearbyFiles } from './nearby-files.ts'

const task = (modify: readonly string[], testsToAdd: readonly string[] = []) => ({
  files: { create: [], modify, delete: [] },
  testsToAdd,
})

test('the folders of the named files come first, then those where their tests may be', () => {
  const folders = foldersNear(task(['src/shop/cart/total.ts']))
  expect(folders[0]).toBe('src/shop/cart')
  expect(folders).toEqual(
    expect.arrayContaining(['src/shop/cart/__tests__', 'test/shop/cart', 'test/shop', 'test', 'tests']),
  )
})

test('patterns and paths outside the repository have no folder', () => {
  expect(foldersNear(task(['../other/a.ts', '/etc/passwd', 'src/*.ts']))).toEqual([])
})

test('key paths are sources of the same kind beside the named files', () => {
  const found = [
    'src/cart/tax.ts',
    'src/cart/total.ts',
    'src/cart/tax.test.ts',
    'src/cart/logo.svg',
    'test/x.ts',
  ]
  expect(nearbyFiles(task(['src/cart/total.ts']), found).keyPaths).toEqual([
    { name: null, path: 'src/cart/tax.ts' },
  ])
})

test('no more than eight paths are named', () => {
  const found = Array.from({ length: 20 }, (_, at) => `src/file-${at}.ts`)
  expect(nearbyFiles(task(['src/total.ts']), found).keyPaths).toHaveLength(8)
})

test('the nearest existing test is the pattern to follow', () => {
  const found = ['test/far.test.ts', 'test/cart/tax.test.ts']
  expect(nearbyFiles(task(['src/cart/total.ts']), found).patternToFollow).toBe('test/cart/tax.test.ts')
  expect(nearbyFiles(task(['src/cart/total.ts']), [...found, 'src/cart/a.test.ts']).patternToFollow).toBe(
    'src/cart/a.test.ts',
  )
})

test('a test that the task names or that is in another language is no pattern', () => {
  const found = ['src/total.test.ts', 'test/test_total.py']
  const nearby = nearbyFiles(task(['src/total.ts'], ['src/total.test.ts']), found)
  expect(nearby).toEqual({ keyPaths: [], patternToFollow: null })
})
