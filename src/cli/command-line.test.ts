import { expect, test } from 'vitest'
import { takeGlobalFlags } from './command-line.ts'

test('takes the flags from anywhere on the line', () => {
  expect(takeGlobalFlags(['--json', 'plan', 'a.md', '--no-color'])).toEqual({
    flags: { json: true, noInput: false, noColour: true },
    rest: ['plan', 'a.md'],
  })
  expect(takeGlobalFlags(['plan', '--no-input', '-']).flags.noInput).toBe(true)
})

test('leaves what comes after -- alone', () => {
  expect(takeGlobalFlags(['plan', '--', '--json'])).toEqual({
    flags: { json: false, noInput: false, noColour: false },
    rest: ['plan', '--', '--json'],
  })
})
