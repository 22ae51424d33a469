/** What looks like code and is none must not change a verdict, wherever it stands. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aChange } from '../../../../test/helpers/a-change.ts'
import { loadTestParser } from '../../../../test/helpers/test-parser.ts'
import { parseYamlText } from '../../../lib/files/yaml-text.ts'
import { contractGate } from './contract-gate.ts'

const parser = await loadTestParser('ts', 'js', 'py', 'go', 'rs', 'hpp')

interface Subject {
  readonly path: string
  readonly head: string
  /** By the name that each declares. `BODY` stands where a body may hold anything. */
  readonly declarations: Readonly<Record<string, string>>
  /** Statements that declare nothing public. */
  readonly between: readonly string[]
  /** Statements within a body. */
  readonly inBody: readonly string[]
}

const SCRIPT_TEXTS = [
  'if (x) /[{]/.test(x)',
  'if (q) /`/.test(q)',
  'x = y / 2 / /[/"\'`{]/.exec(z)',
  "const t0 = `'\"${`}${'`'}`}{`",
  'const t1 = `\nexport function fake() {\n`',
  '// export const fake = "\'`{',
  '/* export const fake = 1 } \' " ` */',
  `call('"', "'", \`'"\`, '\\'', "\\"")`,
  'while (x) /\\/\\*/.test(x)',
  'label: for (const a of /}/.exec(b)) break label',
]

const SUBJECTS: Readonly<Record<string, Subject>> = {
  TypeScript: {
    path: 'src/a.ts',
    head: '',
    declarations: {
      a: 'export const a = 1',
      b: 'export function b(c: string): string {\nBODY\n}',
      D: 'export class D {\n  e() {\nBODY\n  }\n}',
      F: 'export interface F { g: \'}\' | "{" }',
      H: 'export type H = `${string}{`',
      i: 'export const i = (j: number) => {\nBODY\n}',
    },
    between: SCRIPT_TEXTS,
    inBody: SCRIPT_TEXTS,
  },
  JavaScript: {
    path: 'src/a.js',
    head: '',
    declarations: {
      a: 'exports.a = 1',
      b: 'exports.b = function (c) {\nBODY\n}',
      d: 'export const d = async (e) => {\nBODY\n}',
    },
    between: [...SCRIPT_TEXTS, "const markup = <p title='}'>Don't {b} `</p>"],
    inBody: SCRIPT_TEXTS,
  },
  Python: {
    path: 'src/a.py',
    head: '',
    declarations: {
      a: 'a: int = 1',
      b: 'def b(c: str) -> str:\n    BODY\n    return c',
      D: 'class D:\n    def e(self):\n        BODY\n        return 1',
    },
    between: [
      '# def fake(): """',
      "print('\"', \"'\", r'\\'  # )')",
      '"""\ndef fake(): pass\n\'\'\'\n"""',
      "print(f'{x[\"a\"]}' rb'\\\\' '''\n\"\"\"\nclass Fake: pass\n''')",
      "print('(' '[' '{')",
    ],
    inBody: ["x = '\"' + \"'''\"", "y = r'\\d{'  # ('", "z = f'{a!r:{b}}}}'"],
  },
  Go: {
    path: 'shop/a.go',
    head: 'package shop\n',
    declarations: {
      A: 'const A = 1',
      B: 'func B(c string) error {\nBODY\n}',
      D: 'type D struct {\n\tE int `json:"{"`\n}',
    },
    between: [
      '// func Fake() {',
      '/* func Fake() { " ` */',
      'var x = `\nfunc Fake() {\n"`',
      "var y = []rune{'\"', '\\'', '`', '{'}",
      'var z = "`{\\"" + `"`',
    ],
    inBody: ['_ = `}`', "_ = '}'", '_ = "\\"}" // `'],
  },
  Rust: {
    path: 'src/lib.rs',
    head: '',
    declarations: {
      a: 'pub const a: u8 = 1;',
      b: "pub fn b<'c>(d: &'c str) -> &'c str {\nBODY\nd\n}",
      D: 'pub struct D { pub e: char }',
    },
    between: [
      '// pub fn fake() {',
      '/* /* pub fn fake() { */ " \' */',
      'const X0: &str = r#"pub fn "fake"() {"#;',
      "const X1: char = '\"';",
      'const X2: &[u8] = br##""# }"##;',
      "const X3: [char; 3] = ['{', '\\'', '}'];",
    ],
    inBody: ['let _ = r#"}"#;', "let _ = '}';", 'let _ = "\\"}"; /* { */'],
  },
}

function judge(path: string, before: string, after: string) {
  return contractGate({
    spec: { interfaces: [], breakingChange: false },
    change: aChange({ [path]: [before, after] }),
    tree: { has: (asked) => asked === path, text: (asked) => (asked === path ? after : null) },
    allPaths: () => [path],
    parsed: parser.parsed,
    parseDocument: parseYamlText,
  })
}

/** The declarations in their order, with drawn statements around and in them. */
function source({ head, declarations, between, inBody }: Subject) {
  const names = Object.keys(declarations)
  const some = fc.array(fc.constantFrom(...between), { maxLength: 3 })
  const body = fc.constantFrom(...inBody)
  return fc
    .tuple(
      fc.array(some, { minLength: names.length + 1, maxLength: names.length + 1 }),
      fc.array(body, { minLength: names.length, maxLength: names.length }),
    )
    .map(([gaps, bodies]) => (without: string | null = null): string => {
      const parts = names.flatMap((name, at) => [
        ...(gaps[at] ?? []),
        ...(name === without ? [] : [(declarations[name] ?? '').replace('BODY', () => bodies[at] ?? '')]),
      ])
      return `${head}${[...parts, ...(gaps.at(-1) ?? [])].join('\n')}\n`
    })
}

describe.each(Object.entries(SUBJECTS))('%s', (_language, subject) => {
  const { path, declarations } = subject

  test('texts, comments and regular expressions break nothing, wherever they are put in', () => {
    fc.assert(
      fc.property(source(subject), source(subject), (before, after) => {
        // The same text twice is no change, which the gate does not judge.
        fc.pre(before() !== after())
        const verdict = judge(path, before(), after())
        expect([verdict.outcome, verdict.summary]).toEqual(['passed', expect.any(String)])
      }),
      { numRuns: 40 },
    )
  })

  test('a declaration that goes was removed, whatever stands around it', () => {
    const name = fc.constantFrom(...Object.keys(declarations))
    fc.assert(
      fc.property(source(subject), source(subject), name, (before, after, gone) => {
        const verdict = judge(path, before(), after(gone))
        expect([verdict.outcome, verdict.summary]).toEqual([
          'failed',
          expect.stringMatching(new RegExp(`^${gone} was removed;`)),
        ])
      }),
      { numRuns: 40 },
    )
  })
})
