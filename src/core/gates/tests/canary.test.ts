import { describe, expect, test } from 'vitest'
import { aChange } from '../../../../test/helpers/a-change.ts'
import { canarySeen, filesForCanaries, fits, withCanary } from './canary.ts'
import { namedReport } from '../../test-reports/report.ts'

const MARK = 'tab12'

describe('a canary', () => {
  test('is not appended to files that the runner ignores', () => {
    expect(fits('test/helper.mjs', 'node')).toBe(false)
    expect(fits('conftest.py', 'pytest')).toBe(false)
    expect(fits('a.test.ts', 'pytest')).toBe(false)
  })

  test('loads its tools in the way its file does', () => {
    const text = (path: string, seed: string) => withCanary({ path, text: seed }, 'node', MARK).text
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
          outcomes.map((outcome, at) => ({ name: `${MARK} ${ways[at]}`, file: 'a.test.ts', outcome })),
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

  test('is unknown if it was skipped, as the file may be that it stands in', () => {
    expect(reported(['skipped', 'skipped', 'skipped', 'skipped'], 0)).toBe('unknown')
    expect(reported(['failed', 'failed', 'skipped', 'skipped'])).toBe('unknown')
    expect(reported(['passed', 'skipped', 'skipped', 'skipped'], 0)).toBe('blind')
  })

  test('is unknown if it did not run', () => {
    expect(reported([])).toBe('unknown')
    expect(reported([], 0)).toBe('unknown')
    const broken = namedReport('vitest', [
      { name: 'the file could not be run', file: 'a.test.ts', outcome: 'failed' },
    ])
    const ended = { ending: { kind: 'exited', code: 1 }, report: broken } as const
    expect(canarySeen(ended, { runner: 'vitest', mark: MARK, files: 1 }).kind).toBe('unknown')
  })
})

test('an existing and a new test get canaries, preferring those that mention the change', () => {
  const texts: Readonly<Record<string, string>> = {
    'test/a.test.ts': 'other',
    'test/b.test.ts': "import '../src/cart.ts'",
    'test/c.test.ts': 'new',
    'src/cart.ts': '',
    'test/helper.ts': 'cart',
  }
  const change = aChange({ 'src/cart.ts': ['', 'x'], 'test/c.test.ts': [null, 'new'] })
  const seeds = filesForCanaries({
    change,
    files: new Set(Object.keys(texts)),
    isFit: (path) => fits(path, 'vitest'),
    read: (path) => texts[path] ?? null,
  })
  expect(seeds.map(({ path }) => path)).toEqual(['test/b.test.ts', 'test/c.test.ts'])
})
