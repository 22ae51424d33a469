import { describe, expect, test } from 'vitest'
import { runSteps, testCandidates } from './test-candidates.ts'

const candidates = (files: Record<string, string>) =>
  testCandidates({ files: new Set(Object.keys(files)), read: (path) => files[path] ?? null })
const pkg = (scripts: object, more: object = {}) => ({ 'package.json': JSON.stringify({ scripts, ...more }) })

describe('other commands for tests', () => {
  test.each([
    ['pnpm lint && pnpm vitest run --coverage', 'npx vitest run --coverage'],
    ['vitest', 'npx vitest run'],
    ['vitest --coverage', 'npx vitest run --coverage'],
    ['unbuild && vitest --run', 'npx vitest run'],
    ['npm run build && npx mocha', 'npx mocha'],
    ['tsc && node --test dist/', 'node --test dist/'],
  ])('are the runner at the end of the test script: %s', (script, expected) => {
    expect(candidates(pkg({ test: script }))[0]).toBe(expected)
  })

  test('are other scripts after the test script', () => {
    const scripts = { check: 'jest --ci', 'test:ci': 'c8 mocha', 'test:unit': 'mocha unit', test: 'make all' }
    expect(candidates(pkg(scripts))).toEqual(['npx mocha unit', 'npx jest --ci'])
  })

  test('are the steps of the workflows', () => {
    const workflow = `jobs:\n  a:\n    steps:\n      - run: npm ci\n      - run: npm run suite\n      - run: |\n          make -j2\n          make check\n`
    const files = { ...pkg({ test: 'gulp', suite: 'mocha --exit' }), '.github/workflows/ci.yml': workflow }
    expect(candidates(files)).toEqual(['npx mocha --exit', 'make check'])
  })

  test('are what the language has, last', () => {
    expect(candidates({ 'go.mod': '', Makefile: 'test:\n\ttrue\n' })).not.toContain('go test ./...')
    expect(candidates(pkg({ test: 'gulp' }, { devDependencies: { vitest: '3' } }))).toEqual([
      'npx vitest run',
    ])
  })

  test('leave out the detected one', () => {
    expect(candidates(pkg({}, { devDependencies: { vitest: '3' } }))).toEqual([])
  })
})

test('the run steps of a workflow are its commands, without those that are filled in when it runs', () => {
  const github = [
    'steps:',
    '  - uses: actions/checkout@v4',
    '  - name: Test',
    '    run: "npm test"',
    '  - run: |',
    '      pip install tox',
    '',
    '      tox -e py',
    '    env:',
    '      CI: 1',
    '  - run: npm test -- ${{ matrix.os }}',
  ]
  expect(runSteps(github.join('\n'))).toEqual(['npm test', 'pip install tox', 'tox -e py'])
  expect(runSteps('unit:\n  script:\n    - make\n    - make check\n  image: x\n')).toEqual([
    'make',
    'make check',
  ])
})
