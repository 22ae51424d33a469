/** Disabled linters, type checks and coverage. */
import type { Fact } from '../syntax/facts.ts'
import { ANYWHERE, CODE, nodeWires, type LineWire, type NodeWire } from '../wire.ts'

const LINT = { wire: 'lint-disabled', roles: ANYWHERE } as const
const WHOLE = 'disables a linter without naming a rule'
const ONE = 'disables a lint rule in one place'
const RULE = 'disables a lint rule everywhere'
const TYPES = {
  wire: 'types-unchecked',
  saw: 'disables type checking without a reason',
  roles: ANYWHERE,
} as const
const COVER = { wire: 'coverage-excluded', saw: 'excludes code from coverage', roles: ANYWHERE } as const

const ALL_LINTS = /^(warnings|clippy::all|clippy::pedantic)$/

const allowsAll = ({ args }: Fact): boolean => args?.some(({ text }) => ALL_LINTS.test(text)) === true

export const SILENCED: readonly NodeWire[] = [
  ...nodeWires(
    { ...LINT, saw: WHOLE },
    { rust: { decorator: [[/^allow$/, (fact) => (allowsAll(fact) ? 'blocks' : null)]] } },
  ),
  ...nodeWires(
    { ...LINT, saw: ONE },
    { rust: { decorator: [[/^allow$/, (fact) => (allowsAll(fact) ? null : 'note')]] } },
  ),
  ...nodeWires(
    { ...LINT, saw: RULE, roles: ['settings'] },
    {
      js: {
        entry: [
          [/./, ({ value }) => (/^(\[\s*['"])?(off|allow)(['"]|$)/.test(value?.text ?? '') ? 'note' : null)],
        ],
      },
    },
  ),
  ...nodeWires(
    { ...COVER, roles: ['settings'] },
    {
      js: {
        entry: [
          [/^coveragePathIgnorePatterns$/, 'note'],
          [/^coverage$/, ({ value }) => (/\bexclude\b/.test(value?.text ?? '') ? 'note' : null)],
        ],
      },
    },
  ),
]

/** Directives are comments; the rest has no tree. */
export const SILENCED_LINES: readonly LineWire[] = [
  {
    ...LINT,
    look: 'comment',
    saw: WHOLE,
    families: CODE,
    // A directive starts its comment; prose about one does not.
    pattern:
      /^[\s*]*(eslint-disable\s*($|--|\*)|eslint-disable-(next-)?line\s*$|oxlint-disable\s*($|--|\*)|oxlint-disable-(next-)?line\s*$|tslint:disable\s*$|biome-ignore-all\s+lint\s*:|jshint ignore|standard:disable|flake8:\s*noqa|ruff:\s*noqa\s*$|noqa\s*$|pylint:\s*(skip-file|disable=all)|nolint\s*($|\/\/)|NOLINT\s*$|NOLINTBEGIN\s*$|rubocop:disable\s+all|shellcheck disable=all|swiftlint:disable all)/i,
    weight: 'blocks',
  },
  {
    ...LINT,
    look: 'comment',
    saw: ONE,
    families: CODE,
    pattern:
      /^[\s*]*((es|ox)lint-disable(-next-line|-line)?\s+[@\w]|(es|ox)lint-disable-(next-)?line\s+--|biome-ignore\s|deno-lint-ignore|noqa:\s*\w|ruff:\s*noqa:|pylint:\s*disable=(?!all\b)|nolint:\s*\w|NOLINT(NEXTLINE)?\(|NOLINTNEXTLINE\s*$|rubocop:disable\s+(?!all\b)|shellcheck\s+disable=(?!all\b)|clang-format off|prettier-ignore|nosec\b|nosemgrep)/i,
    weight: 'note',
  },
  {
    ...LINT,
    saw: WHOLE,
    families: ['java', 'c'],
    look: 'text',
    pattern:
      /@SuppressWarnings\s*\(\s*"all"|@Suppress\s*\(\s*"ALL"|#pragma\s+GCC\s+system_header|#pragma\s+warning\s*\(?\s*(disable\s*$|push,\s*0)/,
    weight: 'blocks',
  },
  {
    ...LINT,
    saw: ONE,
    families: ['java', 'c'],
    look: 'text',
    pattern:
      /@SuppressWarnings\s*\((?!\s*"all")|@Suppress\s*\((?!\s*"ALL")|#pragma\s+(GCC|clang)\s+diagnostic\s+ignored|#pragma\s+warning\s*\(\s*disable\s*:/,
    weight: 'note',
  },
  {
    ...TYPES,
    families: ['js', 'python'],
    look: 'comment',
    pattern:
      /^[\s*]*(@ts-nocheck\b|@ts-ignore\W*$|@flow\s+off|type:\s*ignore\s*$|mypy:\s*ignore-errors|pyright:\s*(ignore\s*$|basic\b|strict\s*=\s*false)|pyre-ignore-all)/,
    weight: 'blocks',
  },
  {
    ...TYPES,
    saw: 'skips type checking in one place',
    families: ['js', 'python'],
    look: 'comment',
    pattern:
      /^[\s*]*(@ts-expect-error\b|@ts-ignore\W+\w|type:\s*ignore\s*[[#]|pyright:\s*ignore\s*\[|pyre-(ignore|fixme)\b)/,
    weight: 'note',
  },
  {
    ...TYPES,
    families: ['json'],
    roles: ['settings'],
    look: 'text',
    pattern:
      /"(strict|noImplicitAny|strictNullChecks|checkJs|noEmitOnError|strictFunctionTypes)"\s*:\s*false/,
    weight: 'blocks',
  },
  {
    ...TYPES,
    families: ['config'],
    roles: ['settings'],
    look: 'text',
    pattern:
      /^\s*(ignore_errors\s*=\s*true|(strict|disallow_untyped_defs|check_untyped_defs)\s*=\s*false|typeCheckingMode\s*=\s*"off")/i,
    weight: 'blocks',
  },
  {
    ...LINT,
    saw: RULE,
    families: ['json', 'config'],
    roles: ['settings'],
    look: 'text',
    pattern: /['"\w]\s{0,9}:[\s[]{0,9}['"](off|allow)['"]|^\s*(extend-)?ignore\s*=\s*\S|Enabled:\s*false/,
    weight: 'note',
  },
  {
    ...COVER,
    families: CODE,
    look: 'comment',
    pattern:
      /^[\s*]*((istanbul|c8|v8)\s+ignore\s+(file|start)|node:coverage\s+disable|LCOV_EXCL_START|GCOVR_EXCL_START|:nocov:)/,
    weight: ({ comment }) => (/ignore\s+file/.test(comment) ? 'blocks' : 'note'),
  },
  {
    ...COVER,
    families: CODE,
    look: 'comment',
    pattern:
      /^[\s*]*((istanbul|c8|v8)\s+ignore\s+(next|if|else|\d)|node:coverage\s+ignore|pragma:\s*no\s*(cover|branch)|LCOV_EXCL_LINE|GCOVR_EXCL_LINE)/,
    weight: 'note',
  },
  {
    ...COVER,
    families: ['json', 'config'],
    roles: ['settings'],
    look: 'text',
    pattern: /coveragePathIgnorePatterns|^\s*omit\s*=|exclude_(lines|also)\s*=|coverage\S*\s*:.*\bexclude\b/,
    weight: 'note',
  },
]
