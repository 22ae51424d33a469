/** Texts, patterns and comments between the statements of a program change no verdict, whatever they hold. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aChange } from '../../../../test/helpers/a-change.ts'
import { loadTestParser } from '../../../../test/helpers/test-parser.ts'
import { tripwires } from './tripwires.ts'

const PARSER = await loadTestParser()
const SPEC = { files: { create: [], modify: [], delete: [] }, testsToAdd: [], inferred: [] }

/** What trips, without the places. */
function tripsOf(path: string, before: string | null, after: string): readonly string[] {
  const change = aChange({ [path]: [before, after] })
  const { trips, unclear } = tripwires({ change, trees: PARSER.ofChange(change), spec: SPEC })
  expect(unclear).toEqual([])
  return trips.map(({ wire, weight, text }) => `${wire} ${weight} ${text}`).sort()
}

test('a pattern with a backtick does not hide what follows it', () => {
  const hidden = "if (q) /`/.test(q)\ntest.skip('x', () => {})\nprocess.exit(0)\n"
  expect(tripsOf('a.test.js', 'run()\n', `run()\n${hidden}`)).toEqual([
    'exits-early blocks process.exit(0)',
    "test-skipped blocks test.skip('x', () => {})",
  ])
})

test('a string that became code counts as added', () => {
  const exit = 'process.exit(0)'
  expect(tripsOf('src/a.js', `const a = \`\n${exit}\n\``, `const a = \`\n\`\n${exit}\n`)).toEqual([
    `exits-early blocks ${exit}`,
  ])
})

interface Program {
  readonly path: string
  /** Statements that may stand in any order, each on lines of its own. */
  readonly statements: readonly string[]
  /** What is inserted between them. */
  readonly texts: readonly string[]
  /** What a file begins with. */
  readonly head?: string
}

const SCRIPT: Pick<Program, 'statements' | 'texts'> = {
  statements: [
    "test.skip('adds', () => {\n  expect(add(1, 2)).toBe(3)\n})",
    'process.exit(0)',
    "describe.only('cart', () => {})",
    "it('subtracts', () => {\n  expect(sub(3, 2)).toBe(1)\n})",
    'expect(total || true).toBe(true)',
    'const total = price / 2 / count',
  ],
  texts: [
    'if (q) /`/.test(q)',
    'const p1 = /[{(\'"`/]/g',
    "const t1 = `it.skip('x', () => {}) \\` ${q} process.exit(0)`",
    'const t2 = `a ${`b ${"`"} c`} d`',
    "/* it's test.only('x') ` \" */",
    "// it's `test.skip('x') (",
    'const s1 = \'say "hi" to `it.skip`\'',
    'const s2 = "it\'s process.exit(0)"',
    'tag`line\n  test.skip("x")\n`',
    'for (const c of q) if (c) /[/*]"/.exec(c)',
  ],
}

const PROGRAMS: Readonly<Record<string, Program>> = {
  JavaScript: { path: 'a.test.js', ...SCRIPT },
  TypeScript: {
    path: 'a.test.ts',
    statements: [...SCRIPT.statements, 'const limit = <number>size'],
    texts: [...SCRIPT.texts, 'type Quote = "`" | \'"\' | `it.skip${string}`', 'let p2: RegExp = /`/'],
  },
  Python: {
    path: 'test_a.py',
    statements: [
      "@pytest.mark.skip(reason='later')\ndef test_a():\n    assert add(1, 2) == 3",
      'os._exit(0)',
      'def test_b():\n    assert True',
      'def test_c():\n    assert add(2, 2) == 4',
      'time.time = lambda: 0',
    ],
    texts: [
      '"""it\'s pytest.skip("x")\nos._exit(0) ends all\n"""',
      "t1 = r'''raw \\' @pytest.mark.skip'''",
      't2 = f"{q!r} says \'{q + "a"}\' #"',
      '# it\'s "not (',
      "t3 = rb'\\x27' + b\"'\"",
      't4 = "a \\" # b"',
    ],
  },
  Go: {
    path: 'a_test.go',
    head: 'package a\n',
    statements: [
      'func TestA(t *testing.T) {\n\tt.Skip("later")\n}',
      'func TestMain(m *testing.M) {\n\tos.Exit(0)\n}',
      'func TestB(t *testing.T) {\n\tassert.True(t, true)\n}',
      'func TestC(t *testing.T) {\n\tassert.Equal(t, 3, add(1, 2))\n}',
    ],
    texts: [
      'var t1 = `raw " t.Skip()\n os.Exit(0) \' `',
      "// it's `t.Skip()",
      '/* \' " ` os.Exit(0) */',
      "var t2 = '\"'",
      'var t3 = "\\"`\'"',
      "var t4 = '`'",
    ],
  },
  Ruby: {
    path: 'spec/a_spec.rb',
    statements: [
      "xit 'adds' do\n  expect(add(1, 2)).to eq(3)\nend",
      "it 'waits' do\n  skip\nend",
      'exit!',
      "it 'is', :focus do\n  expect(true).to be true\nend",
      "it 'subtracts' do\n  expect(sub(3, 2)).to eq(1)\nend",
    ],
    texts: [
      "t1 = <<~TEXT\n  skip\n  it's `exit!`\nTEXT",
      "t2 = <<-'RAW'\n  xit \"#{no}\n  RAW",
      't3 = %q(it\'s "quoted" (twice))',
      't4 = /[\'"`]/',
      't5 = "a #{b + \'c\' + "d"} exit!"',
      '# it\'s " skip',
      "=begin\nskip\nit's\n=end",
      "t6 = %w[a ' b]",
      "t7 = `echo 'skip'`",
    ],
  },
  shell: {
    path: 'test/a.bats',
    statements: [
      '@test "adds" {\n  skip\n  [ "$(add 1 2)" -eq 3 ]\n}',
      'npm test || true',
      'set +e',
      'pytest --deselect tests/a.py',
      '@test "subtracts" {\n  [ "$(sub 3 2)" -eq 1 ]\n}',
    ],
    texts: [
      "cat <<'EOF'\nskip\nit's npm test || true\nEOF",
      'cat <<EOF\n  say "hi" $(echo "it\'s") `date`\nEOF',
      'echo "a $(echo "b \'c\'") d"',
      "echo 'a \" b || true'",
      "# it's `npm test || true`",
      't1=${q#*\\"}',
      "t2=$'it\\'s'",
      'echo a#b',
    ],
  },
}

describe.each(Object.entries(PROGRAMS))('of %s', (_, { path, statements, texts, head = '' }) => {
  const inserted = fc.array(fc.constantFrom(...texts), { maxLength: 4 })
  const places = fc.tuple(...statements.map(() => inserted), inserted)
  const order = fc.shuffledSubarray([...statements], { minLength: 1 })

  const joined = (parts: readonly string[]): string => `${head}${parts.join('\n')}\n`
  const withTexts = (some: readonly string[], between: readonly (readonly string[])[]): string =>
    joined([
      ...some.flatMap((statement, at) => [...(between[at] ?? []), statement]),
      ...(between.at(-1) ?? []),
    ])

  test('every text alone trips nothing', () => {
    for (const text of texts) expect([text, tripsOf(path, joined([]), joined([text]))]).toEqual([text, []])
  })

  test('a file that is new', () => {
    fc.assert(
      fc.property(order, places, (some, between) => {
        expect(tripsOf(path, null, withTexts(some, between))).toEqual(tripsOf(path, null, joined(some)))
      }),
      { numRuns: 60 },
    )
  })

  test('a file that held the texts before, and one that gets them while statements stay', () => {
    fc.assert(
      fc.property(order, places, (some, between) => {
        const around = withTexts([], between)
        const after = `${around}${joined(some).slice(head.length)}`
        expect(tripsOf(path, around, after)).toEqual(tripsOf(path, joined([]), joined(some)))
        expect(tripsOf(path, joined(some), withTexts(some, between))).toEqual([])
      }),
      { numRuns: 40 },
    )
  })
})
