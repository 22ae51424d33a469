/** Assertions that hold whatever the code does. */
import type { Reading } from '../reading.ts'
import { codeBelow, tripAt, type FileWire, type LineWire } from '../wire.ts'

const VACUOUS = {
  wire: 'vacuous-assertion',
  saw: 'asserts what is always so',
  roles: ['test'],
  look: 'text',
} as const
/** A value that is plainly itself. */
const SELF = String.raw`(true|false|null|nil|None|True|\d+|'[^']*'|"[^"]*")`
const NAME = String.raw`([A-Za-z_$][\w.$]*)`

const same = (before: string, between: string, after: string, value: string): RegExp =>
  new RegExp(String.raw`${before}\s*${value}\s*${between}\s*\1\s*${after}`)

export const VACUOUS_WIRES: readonly LineWire[] = [
  {
    ...VACUOUS,
    wire: 'source-read',
    saw: 'reads a source where it could run it',
    families: ['js', 'python'],
    pattern:
      /\breadFile(?:Sync)?\(.*(?<!test)\.[cm]?[jt]sx?['"`]|\b(?:open|Path)\(\s*f?['"][^'"]*(?<!_test)\.py['"]/,
    weight: 'note',
  },
  {
    ...VACUOUS,
    families: ['js'],
    pattern: new RegExp(
      [
        String.raw`\bassert(?:\.ok|\.strict)?\(\s*(?:true|1|!0)\s*[,)]`,
        String.raw`\bexpect\(\s*(?:true|1|!0)\s*\)\.(?:toBeTruthy|toBeDefined|to\.be\.true)`,
        String.raw`\b(?:expect|assert)\b.*\|\|\s*true\s*[),]`,
        String.raw`\b(?:expect|assert)\b.*\.catch\(\s*(?:\(\s*\w*\s*\)|\w+)\s*=>\s*(?:\{\s*\}|undefined|null)`,
      ].join('|'),
    ),
    weight: 'blocks',
  },
  ...[SELF, NAME].flatMap((value): readonly LineWire[] => [
    {
      ...VACUOUS,
      families: ['js'],
      pattern: same(
        String.raw`\bexpect\(`,
        String.raw`\)\.(?:toBe|toEqual|toStrictEqual|to\.(?:deep\.)?equal|to\.eql)\(`,
        String.raw`\)`,
        value,
      ),
      weight: 'blocks',
    },
    {
      ...VACUOUS,
      families: ['js'],
      pattern: same(String.raw`\bassert\.(?:strict\.)?\w*[eE]qual\(`, ',', '[,)]', value),
      weight: 'blocks',
    },
  ]),
  {
    ...VACUOUS,
    families: ['python'],
    pattern:
      /^\s*assert[\s(]{1,9}(True|1|not False)[\s)]{0,9}(,|$)|\bassertTrue\(\s*True\s*[,)]|^\s*assert\b.*\bor\s+True\b/,
    weight: 'blocks',
  },
  {
    ...VACUOUS,
    families: ['python'],
    pattern: same(String.raw`^\s*assert`, '==', String.raw`(?:,|$)`, SELF),
    weight: 'blocks',
  },
  {
    ...VACUOUS,
    families: ['python'],
    pattern: same(String.raw`\bassertEqual\(`, ',', '[,)]', SELF),
    weight: 'blocks',
  },
  // Where equality is the type's own, a value may be compared with itself to test that.
  {
    ...VACUOUS,
    families: ['python'],
    pattern: same(String.raw`^\s*assert`, '==', String.raw`(?:,|$)`, NAME),
    weight: 'note',
  },
  {
    ...VACUOUS,
    families: ['python'],
    pattern: same(String.raw`\bassertEqual\(`, ',', '[,)]', NAME),
    weight: 'note',
  },
  {
    ...VACUOUS,
    families: ['go'],
    pattern: /\b(assert|require)\.(True\(\s*t,\s*true|False\(\s*t,\s*false)\b/,
    weight: 'blocks',
  },
  {
    ...VACUOUS,
    families: ['go'],
    pattern: same(String.raw`\b(?:assert|require)\.Equal\(\s*t,`, ',', '[,)]', NAME),
    weight: 'blocks',
  },
  { ...VACUOUS, families: ['rust'], pattern: /\bassert!\(\s*true\s*[,)]/, weight: 'blocks' },
  {
    ...VACUOUS,
    families: ['rust'],
    pattern: same(String.raw`\bassert_eq!\(`, ',', '[,)]', SELF),
    weight: 'blocks',
  },
  {
    ...VACUOUS,
    families: ['rust'],
    pattern: same(String.raw`\bassert_eq!\(`, ',', '[,)]', NAME),
    weight: 'note',
  },
  {
    ...VACUOUS,
    families: ['c'],
    pattern:
      /\b(EXPECT|ASSERT)_TRUE\(\s*(true|1)\s*\)|\b(REQUIRE|CHECK|BOOST_TEST|BOOST_CHECK|assert)\(\s*(true|1)\s*\)/,
    weight: 'blocks',
  },
  {
    ...VACUOUS,
    families: ['c'],
    pattern: same(String.raw`\b(?:EXPECT|ASSERT)_EQ\(`, ',', String.raw`\)`, SELF),
    weight: 'blocks',
  },
  {
    ...VACUOUS,
    families: ['java'],
    pattern: /\bassertTrue\(\s*true\s*[,)]|\bassertThat\(\s*true\s*\)\.isTrue/,
    weight: 'blocks',
  },
  {
    ...VACUOUS,
    families: ['java'],
    pattern: same(String.raw`\bassertEquals\(`, ',', '[,)]', SELF),
    weight: 'blocks',
  },
  {
    ...VACUOUS,
    families: ['java'],
    pattern: same(String.raw`\bassertEquals\(`, ',', '[,)]', NAME),
    weight: 'note',
  },
  {
    ...VACUOUS,
    families: ['ruby'],
    pattern: /\bexpect\(\s*true\s*\)\.to\s+(be|eq)\b|^\s*assert\s*\(?\s*true\b/,
    weight: 'blocks',
  },
]

/** Whatever fails, an assertion too, is what the test waits for. */
const WAITS_FOR_ANY: Partial<Record<Reading['family'], RegExp>> = {
  python:
    /\b(?:assertRaises|pytest\.raises|raises)\(\s*\(?(?:Exception|BaseException|AssertionError)\b[^)]*\)?\s*\)\s*(?:as\s+\w+\s*)?:\s*(.*)$/,
  js: /\b(?:assert\.(?:strict\.)?(?:throws|rejects)|t\.throws(?:Async)?|expect)\(\s*(?:async\s*)?\(\s*\)\s*=>\s*\{?\s*(.*)$/,
}
/** An assertion of a runner or a library; a function of the project that is called `assert` may be tested. */
const INSIDE: Partial<Record<Reading['family'], RegExp>> = {
  python: /^\s*(?:self\.assert\w+\(|assert\s)/,
  js: /^\s*(?:return\s+|await\s+)?(?:assert\.\w+\(|expect\([^)]*\)*\.)/,
}

/** `assertRaises(Exception)` around an assertion, `throws(() => assert.equal(…))`: it is green because something is wrong. */
export const assertionMustFail: FileWire = (reading) => {
  const [waits, inside] = [WAITS_FOR_ANY[reading.family], INSIDE[reading.family]]
  if (waits === undefined || inside === undefined) return []
  return reading.added.flatMap((line) => {
    if (line.role !== 'test') return []
    const rest = waits.exec(line.code)?.[1]
    if (rest === undefined) return []
    const first = rest.trim() === '' ? (codeBelow(reading, line.line)?.code ?? '') : rest
    if (!inside.test(first)) return []
    const said = {
      wire: 'assertion-must-fail',
      saw: 'passes when an assertion fails',
      weight: 'blocks',
    } as const
    return [tripAt(reading, line, said)]
  })
}
