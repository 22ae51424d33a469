import { describe, expect, test } from 'vitest'
import { foundByEither, knownFindings, newFindings } from './command-output.ts'

const found = (text: string) => knownFindings({ text, folders: ['/tmp/checkout'] })
const added = (before: string, now: string) => newFindings(found(now), found(before))

const STYLISH = `
/tmp/checkout/src/a.js
  1:7   error    'x' is assigned a value but never used  no-unused-vars
  9:1   warning  Unexpected console statement            no-console

/tmp/checkout/src/b.js
  4:2   error    'y' is assigned a value but never used  no-unused-vars

✖ 3 problems (2 errors, 1 warning)
`

describe('new findings are distinguished from known ones', () => {
  test('a finding that only moved to another line is not new', () => {
    const moved = STYLISH.replace('1:7 ', '31:7').replace('9:1 ', '42:1')
    expect(added(STYLISH, moved)).toEqual([])
    expect(added('src/a.py:10: error: Incompatible types', 'src/a.py:99: error: Incompatible types')).toEqual(
      [],
    )
    expect(added('src/a.ts(3,5): error TS2322: no', 'src/a.ts(4,5): error TS2322: no')).toEqual([])
  })

  test('a second finding of the same kind in the same file is new', () => {
    const line = "  1:7   error    'x' is assigned a value but never used  no-unused-vars\n"
    const twice = STYLISH.replace(line, `${line}${line.replace('1:7', '2:7')}`).replace(
      '3 problems',
      '4 problems',
    )
    expect(added(STYLISH, twice)).toEqual([
      "src/a.js › #:# error 'x' is assigned a value but never used no-unused-vars",
      '4 problems in all, 3 at the start commit',
    ])
  })

  test('the same words under another file are new', () => {
    const other = STYLISH.replace('src/b.js', 'src/c.js')
    expect(added(STYLISH, other)).toEqual([
      'src/c.js',
      "src/c.js › #:# error 'y' is assigned a value but never used no-unused-vars",
    ])
  })

  test('fewer findings are nothing new, also where the sum comes in the singular', () => {
    const before =
      'a.py:1: error: no\nb.py:2: error: no\nFound 2 errors in 2 files (checked 9 source files)\n'
    expect(added(before, 'a.py:3: error: no\nFound 1 error in 1 file (checked 9 source files)\n')).toEqual([])
  })

  test('a tool that prints only the first few is taken by the sum it names', () => {
    expect(added('a.ts: no\nFound 35 errors.\n', 'a.ts: no\nFound 36 errors.\n')).toEqual([
      '36 errors in all, 35 at the start commit',
    ])
  })

  test('times and source that is shown around a finding tell nothing', () => {
    const before = 'a.rs:3: unused\n 3 | let a = 1;\n   |     ^\nDone in 1.25s\n'
    expect(added(before, 'a.rs:9: unused\n 9 | let a = 2;\n   |     ^^\nDone in 0.75s\n')).toEqual([])
  })
})

test('of two runs each finding counts as often as the run that found more of it', () => {
  const half = found('src/a.js: bad\n1 error\n')
  const whole = found('src/a.js: bad\nsrc/a.js: bad\nsrc/b.js: worse\n3 errors\n')
  expect(foundByEither(half, whole)).toEqual(foundByEither(whole, half))
  expect(newFindings(whole, foundByEither(half, whole))).toEqual([])
  const more = found('src/a.js: bad\nsrc/a.js: bad\nsrc/a.js: bad\n3 errors\n')
  expect(newFindings(more, foundByEither(half, whole))).toEqual(['src/a.js: bad'])
})
