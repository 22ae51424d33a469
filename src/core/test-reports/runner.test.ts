import { describe, expect, test } from 'vitest'
import { nameFilterArguments, reportArguments, runnerOf, runnerStep, scriptIn } from './runner.ts'

const adding = (command: string, script: string | null = null, isHooked = false) => {
  const runner = runnerOf({ test: command, script, isHooked })
  return runner === null ? null : `${runner.name}: ${String(runner.adding(['-x']))}`
}

test.each<[string, string | null, string | null]>([
  ['node --test', null, 'node: node --test -x'],
  ['/usr/bin/node --import tsx --test test/', null, 'node: /usr/bin/node --import tsx --test -x test/'],
  ['npx vitest run src', null, 'vitest: npx vitest run -x src'],
  ['uv run pytest -q tests', null, 'pytest: uv run pytest -x -q tests'],
  ['python3 -m pytest', null, 'pytest: python3 -m pytest -x'],
  ['python3 -m unittest discover -s tests', null, 'unittest: python3 -m unittest discover -x -s tests'],
  ['npm run build && npx jest', null, 'jest: npm run build && npx jest -x'],
  ['npm test', 'vitest run', 'vitest: npm test -- -x'],
  ['npm test -- a.test.ts', 'vitest run', 'vitest: npm test -- a.test.ts -x'],
  ['pnpm run unit', 'jest', 'jest: pnpm run unit -x'],
  ['npm test', 'node --test', 'node: node --test -x'],
  ['npm test', 'tsc && node --test', null],
  ['npm test', 'c8 node --test', null],
  ['npm test', 'cross-env A=1 node --test', null],
  ['npm test', 'A=1 node --test', 'node: A=1 node --test -x'],
  ['pnpm test', 'vitest run', 'vitest: pnpm run test -x'],
  ['pnpm test', 'pnpm lint && pnpm vitest run', 'vitest: pnpm run test -x'],
  ['npm test', 'nyc mocha', 'mocha: npm test -- -x'],
  ['npm test', 'c8 --100 mocha test', 'mocha: npm test -- -x'],
  ['npm test', 'cross-env NODE_ENV=test jest', 'jest: npm test -- -x'],
  ['PYTHONPATH=src python3 -m pytest -v', null, 'pytest: PYTHONPATH=src python3 -m pytest -x -v'],
  ['A=$(rm x) pytest', null, null],
  ['npm test', null, null],
  ['node --test | tee log', null, null],
  ['node --test || true', null, null],
  ['vitest', null, null],
  ['make test', null, null],
])('%s (%s) takes words as %s', (command, script, expected) => {
  expect(adding(command, script)).toBe(expected)
})

test('a list stays a list', () => {
  const runner = runnerOf({ test: ['/usr/bin/node', '--test', 'a.mjs'], script: null })
  expect(runner?.adding(['-x'])).toEqual(['/usr/bin/node', '--test', '-x', 'a.mjs'])
  expect(runnerOf({ test: ['sh', '-c', 'node --test'], script: null })).toBeNull()
})

test('the command of a script is not run by itself where more runs around it', () => {
  expect(adding('npm test', 'node --test', true)).toBeNull()
  expect(adding('npm test', 'vitest run', true)).toBe('vitest: npm test -- -x')
})

test('a script is recognized by its name', () => {
  expect([scriptIn('npm run test:unit'), scriptIn('yarn test'), scriptIn('node --test')]).toEqual([
    'test:unit',
    'test',
    null,
  ])
})

describe('the report path of a runner', () => {
  test('is added to what it shows', () => {
    expect(reportArguments({ name: 'node', given: [] }, '/r')).toEqual([
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      '--test-reporter=tap',
      '--test-reporter-destination=/r',
    ])
    expect(reportArguments({ name: 'vitest', given: ['--reporter=dot'] }, '/r')).toEqual([
      '--reporter=json',
      '--outputFile.json=/r',
    ])
    expect(reportArguments({ name: 'pytest', given: ['-q'] }, '/r')).toEqual(['--junitxml=/r'])
  })

  test('is left alone where the user says so already, or the runner cannot', () => {
    expect(reportArguments({ name: 'node', given: ['--test-reporter-destination=x'] }, '/r')).toBeNull()
    expect(reportArguments({ name: 'jest', given: ['--json'] }, '/r')).toBeNull()
    expect(reportArguments({ name: 'pytest', given: ['--junitxml=x'] }, '/r')).toBeNull()
    expect(reportArguments({ name: 'unittest', given: [] }, '/r')).toBeNull()
  })
})

test('tests are picked by a part of their name', () => {
  expect(nameFilterArguments('node', ['a'])).toEqual(['--test-name-pattern=a'])
  expect(nameFilterArguments('unittest', ['a'])).toEqual(['-k', 'a'])
})

test.each<[string, string | null, string | null]>([
  ['npm test', 'tsc && eslint . && mocha --exit', 'npx mocha --exit'],
  ['pnpm test', 'pnpm lint && pnpm vitest run', 'pnpm vitest run'],
  ['pnpm test', 'pnpm lint && vitest run --coverage', 'pnpm exec vitest run --coverage'],
  ['yarn run unit', 'tsc && A=1 jest', 'A=1 yarn jest'],
  ['bun test', 'tsc && cross-env A=1 vitest run', 'A=1 bunx vitest run'],
  ['npm test', 'tsc && c8 --100 mocha test', 'npx mocha test'],
  ['npm test', 'tsc && node --test "dist/*.js"', 'node --test "dist/*.js"'],
  ['npm run build && npx jest', null, 'npx jest'],
  ['npm test', 'vitest run', null],
  ['npm test', 'cd app && vitest run', null],
  ['. venv/bin/activate && pytest', null, null],
  ['npm test', 'vitest run && tsc', null],
  ['npm test -- a', 'tsc && vitest run', null],
  ['npm test', 'sh -c "tsc && vitest run a"', null],
  ['npm run build && npm test', null, null],
  ['make test', null, null],
])('of %s (%s) the runner alone is %s', (command, script, expected) => {
  expect(runnerStep({ test: command, script })).toBe(expected)
})

test('the runner alone is without the hooks of its script', () => {
  expect(runnerStep({ test: 'npm test', script: 'mocha', isHooked: true })).toBe('npx mocha')
})
