import { describe, expect, test } from 'vitest'
import { aChange } from '../../../../test/helpers/a-change.ts'
import { canaryOf, canarySeen, fits, templatesFor } from './canary.ts'
import { namedReport } from '../../test-reports/report.ts'

const MARK = 'tab12'

describe('a canary', () => {
  test.each([
    ['test/a.test.mjs', 'node', 'test/tab120.test.mjs'],
    ['a_spec.ts', 'vitest', 'tab120_spec.ts'],
    ['tests/test_cart.py', 'pytest', 'tests/test_tab120.py'],
    ['cart_test.py', 'unittest', 'tab120_test.py'],
    ['test-a.js', 'node', 'test-tab120.js'],
  ] as const)('of %s for %s is found as %s', (path, runner, expected) => {
    expect(canaryOf({ path, text: '' }, runner, MARK)?.path).toBe(expected)
  })

  test('is not appended to files that the runner ignores', () => {
    expect(canaryOf({ path: 'test/helper.mjs', text: '' }, 'node', MARK)).toBeNull()
    expect(canaryOf({ path: 'conftest.py', text: '' }, 'pytest', MARK)).toBeNull()
    expect(canaryOf({ path: 'a.test.ts', text: '' }, 'pytest', MARK)).toBeNull()
  })

  test('loads what its seed loads, in the way its seed does', () => {
    const text = (path: string, seed: string) => canaryOf({ path, text: seed }, 'node', MARK)?.text ?? ''
    expect(text('a.test.js', "import './a.js'\n")).toMatch(/^import '.\/a.js'[^]*import .* from 'node:test'/)
    expect(text('a.test.js', "require('./a.js')\n")).toMatch(/^require[^]*require\('node:test'\)/)
  })
})

describe('the result of a canary', () => {
  const ways = ['toBe', 'toEqual', 'toThrow', 'throw']
  const reported = (outcomes: readonly ('failed' | 'passed' | 'skipped')[], code = 1) =>
    canarySeen(
      {
        ending: { kind: 'exited', code },
        report: namedReport(
          'vitest',
          outcomes.map((outcome, at) => ({ name: `${MARK} ${ways[at]}`, file: `${MARK}0.test.ts`, outcome })),
        ),
      },
      { runner: 'vitest', mark: MARK, files: 1 },
    ).kind

  test('is fails if every test was reported as failed', () => {
    expect(reported(['failed', 'failed', 'failed', 'failed'])).toBe('fails')
  })

  test('is blind if one passed, one is missing or the run exited with 0', () => {
    expect(reported(['failed', 'failed', 'passed', 'failed'])).toBe('blind')
    expect(reported(['failed', 'failed', 'failed'])).toBe('blind')
    expect(reported(['failed', 'failed', 'failed', 'failed'], 0)).toBe('blind')
    expect(reported(['passed', 'passed', 'passed', 'passed'], 0)).toBe('blind')
  })

  test('is unknown if it was skipped, as the file may be that it was copied from', () => {
    expect(reported(['skipped', 'skipped', 'skipped', 'skipped'], 0)).toBe('unknown')
    expect(reported(['failed', 'failed', 'skipped', 'skipped'])).toBe('unknown')
    expect(reported(['passed', 'skipped', 'skipped', 'skipped'], 0)).toBe('blind')
  })

  test('is unknown if it did not run', () => {
    expect(reported([])).toBe('unknown')
    expect(reported([], 0)).toBe('unknown')
    const broken = namedReport('vitest', [
      { name: 'the file could not be run', file: `${MARK}0.test.ts`, outcome: 'failed' },
    ])
    const ended = { ending: { kind: 'exited', code: 1 }, report: broken } as const
    expect(canarySeen(ended, { runner: 'vitest', mark: MARK, files: 1 }).kind).toBe('unknown')
  })
})

test('an existing and a new test are copied, preferring those that mention the change', () => {
  const texts: Readonly<Record<string, string>> = {
    'test/a.test.ts': 'other',
    'test/b.test.ts': "import '../src/cart.ts'",
    'test/c.test.ts': 'new',
    'src/cart.ts': '',
    'test/helper.ts': 'cart',
  }
  const change = aChange({ 'src/cart.ts': ['', 'x'], 'test/c.test.ts': [null, 'new'] })
  const seeds = templatesFor({
    change,
    files: new Set(Object.keys(texts)),
    isFit: (path) => fits(path, 'vitest'),
    read: (path) => texts[path] ?? null,
  })
  expect(seeds.map(({ path }) => path)).toEqual(['test/b.test.ts', 'test/c.test.ts'])
})
