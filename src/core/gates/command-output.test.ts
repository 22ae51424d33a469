import { expect, test } from 'vitest'
import { keyLines, mainErrorLine } from './command-output.ts'

test('lines about a failure and the last lines are quoted', () => {
  const talk = Array.from({ length: 1000 }, (_, n) => `step ${n}`)
  const text = [...talk, 'TypeError: x is undefined', ...talk, 'done', 'exit 1', ''].join('\n')
  expect(keyLines(text)).toEqual([
    'TypeError: x is undefined',
    'step 997',
    'step 998',
    'step 999',
    'done',
    'exit 1',
  ])
})

test('it is never more than twenty lines, none of them endless', () => {
  const lines = keyLines(`error ${'x'.repeat(5_000)}\n`.repeat(5_000))
  expect(lines.length).toBe(20)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(250)
})

test('the one line that is quoted names what is missing, not the script that a package manager announces', () => {
  expect(mainErrorLine(['> shop@1.0.0 lint', '> eslint .', 'sh: 1: eslint: not found'])).toBe(
    'sh: 1: eslint: not found',
  )
  expect(mainErrorLine(['$ eslint .', 'Oops: something', 'Error: Cannot find module x'])).toBe(
    'Error: Cannot find module x',
  )
  expect(mainErrorLine(['> shop@1.0.0 lint', 'src/a.js:1 error bad'])).toBe('src/a.js:1 error bad')
  expect(mainErrorLine(['> only announced'])).toBe('')
})
