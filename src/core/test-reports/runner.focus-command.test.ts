import { expect, test } from 'vitest'
import { focusCommand, isStepOf } from './runner.ts'

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

test('tests of Go run by package', () => {
  const paths = ['mux/a_test.go', 'mux/b_test.go', 'c_test.go']
  expect(focus('go test -v -timeout 30s ./...', null, paths)).toBe('go test -v -timeout 30s ./mux ./')
  expect(focus('go test ./...', null, ['testdata/a.txt'])).toBeNull()
  expect(focus('go vet ./... && go test ./...', null, paths)).toBeNull()
})

test('a command is a step of a chain only where nothing in the chain can hide its failure', () => {
  const build = 'cmake -S . -B build && cmake --build build'
  expect(isStepOf(build, `${build} && ctest --test-dir build`)).toBe(true)
  expect(isStepOf('npm run lint', 'npm run build && npm run lint && tap')).toBe(true)
  expect(isStepOf('npm run lint', 'npm run lint:css && tap')).toBe(false)
  expect(isStepOf('npm run lint', 'npm run lint; tap')).toBe(false)
  expect(isStepOf('npm run lint', 'true || x && npm run lint && tap')).toBe(false)
  expect(isStepOf('npm run lint', 'npm run lint && tap || true')).toBe(false)
})
