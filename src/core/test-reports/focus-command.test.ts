import { expect, test } from 'vitest'
import { focusCommand } from './focus-command.ts'

const focus = (test: string | string[], script: string | null = null, paths = ['test/a.test.js']) =>
  focusCommand({ test, paths, script })

test.each<[string, string | null, string | null]>([
  ['node --test', null, 'node --test test/a.test.js'],
  ['node --test test/', null, 'node --test test/a.test.js'],
  ['npx vitest run', null, 'npx vitest run test/a.test.js'],
  ['uv run pytest -v', null, 'uv run pytest -v test/a.test.js'],
  ['./node_modules/.bin/jest', null, './node_modules/.bin/jest test/a.test.js'],
  ['cd app && bin/pytest -q tests', null, 'cd app && bin/pytest -q test/a.test.js'],
  ['pytest tests -q', null, 'pytest -q test/a.test.js'],
  ['npm test', 'vitest run', 'npm test -- test/a.test.js'],
  ['npm test', 'node --test "test/**/*.js"', 'node --test test/a.test.js'],
  ['pnpm test', 'jest', 'pnpm run test test/a.test.js'],
  ['npm test', 'npm run build && vitest run', 'npm test -- test/a.test.js'],
  ['npx ava --tap', null, 'npx ava --tap test/a.test.js'],
  ['npx c8 ava --tap', null, null],
  ['npm test', 'vitest run && npm run lint', null],
  ['npm test', null, null],
  ['cargo test', null, null],
  ['make test', null, null],
])('%s (%s) → %s', (command, script, expected) => {
  expect(focus(command, script)).toBe(expected)
})

test('a list stays a list, and odd paths are quoted', () => {
  expect(focus(['/usr/bin/node', '--test'])).toEqual(['/usr/bin/node', '--test', 'test/a.test.js'])
  expect(focus('node --test', null, ["test/it's $(x).js", '-e'])).toBe(
    "node --test 'test/it'\\''s $(x).js' ./-e",
  )
})
