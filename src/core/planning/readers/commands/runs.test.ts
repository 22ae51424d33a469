import { describe, expect, test } from 'vitest'
import { expectationAfter, expectationOf, looksLikeCommand, runsInCode, runsInText } from './runs.ts'

describe('the expected result of a command', () => {
  test.each([
    ['FAIL (`vibe` not there)', 'fail'],
    ['2 tests fail with `AttributeError`', 'fail'],
    ['ModuleNotFoundError', 'fail'],
    ['compile error', 'fail'],
    ['PASS', 'pass'],
    ['All tests pass', 'pass'],
    ['0 failures', 'pass'],
    ['`claude: 1 passed, 0 failed, 0 errors`. If FAIL, stop.', 'pass'],
    ['No type errors', 'pass'],
    ['no output', 'pass'],
    ['still green', 'pass'],
    ['FAIL, then PASS once done', 'fail'],
    ['File exists', null],
    ['', null],
  ])('%s', (text, expects) => {
    expect(expectationOf(text)).toBe(expects)
  })

  test('may follow the command on its line', () => {
    expect(expectationAfter('→ PASS.')).toEqual({ expects: 'pass', expected: 'PASS.' })
    expect(expectationAfter('— expect **0 output**').expects).toBe('pass')
    expect(expectationAfter('and look at it')).toEqual({ expects: null, expected: null })
  })
})

test('a Run line yields its commands, but not those in parentheses', () => {
  const runs = runsInText(
    '`pnpm run typecheck` (or `tsc`). If no `typecheck` exists, run: `npx tsc --noEmit`',
    3,
    'run',
  )
  expect(runs.runs).toEqual([
    { line: 3, command: 'pnpm run typecheck' },
    { line: 3, command: 'npx tsc --noEmit' },
  ])
})

test('a Run line without backticks is a command too', () => {
  expect(runsInText('npm test -- a', 1, 'run').runs).toMatchObject([{ command: 'npm test -- a' }])
  expect(runsInText('npm test — expect PASS', 1, 'run')).toMatchObject({
    runs: [{ command: 'npm test' }],
    rest: '— expect PASS',
  })
  expect(runsInText('the usual checks', 1, 'run').runs).toEqual([])
})

test('a step runs only the commands its title asks for', () => {
  expect(runsInText('`bun test` → PASS', 1, 'step').runs).toHaveLength(1)
  expect(runsInText('Refuse `git push` from hooks', 1, 'step')).toMatchObject({ runs: [], removed: [] })
  expect(runsInText('If it changed: `git add -A && git commit -m "x: y"`', 1, 'step')).toMatchObject({
    runs: [],
    removed: [{ kind: 'commit' }],
    subject: 'x: y',
  })
})

test('a command with a placeholder does not count', () => {
  expect(looksLikeCommand('cd a && <the test command>')).toBe(false)
  expect(looksLikeCommand('cat <<EOF')).toBe(true)
  expect(['node', 'POST /x', 'src/a.ts', 'make', './run.sh'].map(looksLikeCommand)).toEqual([
    false,
    false,
    false,
    true,
    true,
  ])
})

test('in a transcript only lines after a prompt count', () => {
  expect(runsInCode('$ npm test\nok 1\n$ npm run lint', 4).runs).toEqual([
    { line: 5, command: 'npm test && npm run lint' },
  ])
})
