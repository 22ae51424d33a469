/** Disabled linters, type checks and coverage. */
import type { Fact } from '../syntax/facts.ts'
import { ANYWHERE, factWires, hasValue, lineWires, when, type Wire } from '../wire.ts'

const LINT = { wire: 'lint-disabled', roles: ANYWHERE } as const
const NO_LINT = { ...LINT, saw: 'disables a linter without naming a rule' } as const
const NO_RULE_HERE = { ...LINT, saw: 'disables a lint rule in one place' } as const
const NO_RULE = { ...LINT, saw: 'disables a lint rule everywhere', roles: ['settings'] } as const
const TYPES = { wire: 'types-unchecked', roles: ANYWHERE } as const
const NO_TYPES = { ...TYPES, saw: 'disables type checking without a reason' } as const
const NO_TYPES_HERE = { ...TYPES, saw: 'skips type checking in one place' } as const
const COVER = { wire: 'coverage-excluded', saw: 'excludes code from coverage', roles: ANYWHERE } as const

const allowsAll = ({ args }: Fact): boolean =>
  args?.some(({ text }) => /^(warnings|clippy::all|clippy::pedantic)$/.test(text)) === true

/** Directives are comments; a directive starts its comment, prose about one does not. */
export const SILENCED: readonly Wire[] = [
  ...factWires(NO_LINT, { 'rust decorator': [[/^allow$/, when(allowsAll, 'blocks')]] }),
  ...factWires(NO_RULE_HERE, { 'rust decorator': [[/^allow$/, when((fact) => !allowsAll(fact), 'review')]] }),
  ...factWires(NO_RULE, {
    'js entry': [[/./, when(hasValue(/^(\[\s*['"])?(off|allow)(['"]|$)/), 'review')]],
  }),
  ...lineWires(NO_LINT, {
    'any comment': [
      [
        /^[\s*]*(eslint-disable\s*($|--|\*)|eslint-disable-(next-)?line\s*$|oxlint-disable\s*($|--|\*)|oxlint-disable-(next-)?line\s*$|tslint:disable\s*$|biome-ignore-all\s+lint\s*:|jshint ignore|standard:disable|flake8:\s*noqa|ruff:\s*noqa\s*$|noqa\s*$|pylint:\s*(skip-file|disable=all)|nolint\s*($|\/\/)|NOLINT\s*$|NOLINTBEGIN\s*$|rubocop:disable\s+all|shellcheck disable=all|swiftlint:disable all)/i,
        'blocks',
      ],
    ],
    'java,c text': [
      [
        /@SuppressWarnings\s*\(\s*"all"|@Suppress\s*\(\s*"ALL"|#pragma\s+GCC\s+system_header|#pragma\s+warning\s*\(?\s*(disable\s*$|push,\s*0)/,
        'blocks',
      ],
    ],
  }),
  ...lineWires(NO_RULE_HERE, {
    'any comment': [
      [
        /^[\s*]*((es|ox)lint-disable(-next-line|-line)?\s+[@\w]|(es|ox)lint-disable-(next-)?line\s+--|biome-ignore\s|deno-lint-ignore|noqa:\s*\w|ruff:\s*noqa:|pylint:\s*disable=(?!all\b)|nolint:\s*\w|NOLINT(NEXTLINE)?\(|NOLINTNEXTLINE\s*$|rubocop:disable\s+(?!all\b)|shellcheck\s+disable=(?!all\b)|clang-format off|prettier-ignore|nosec\b|nosemgrep)/i,
        'review',
      ],
    ],
    'java,c text': [
      [
        /@SuppressWarnings\s*\((?!\s*"all")|@Suppress\s*\((?!\s*"ALL")|#pragma\s+(GCC|clang)\s+diagnostic\s+ignored|#pragma\s+warning\s*\(\s*disable\s*:/,
        'review',
      ],
    ],
  }),
  ...lineWires(NO_TYPES, {
    'js,python comment': [
      [
        /^[\s*]*(@ts-nocheck\b|@ts-ignore\W*$|@flow\s+off|type:\s*ignore\s*$|mypy:\s*ignore-errors|pyright:\s*(ignore\s*$|basic\b|strict\s*=\s*false)|pyre-ignore-all)/,
        'blocks',
      ],
    ],
  }),
  ...lineWires(NO_TYPES_HERE, {
    'js,python comment': [
      [
        /^[\s*]*(@ts-expect-error\b|@ts-ignore\W+\w|type:\s*ignore\s*[[#]|pyright:\s*ignore\s*\[|pyre-(ignore|fixme)\b)/,
        'review',
      ],
    ],
  }),
  ...lineWires(
    { ...NO_TYPES, roles: ['settings'] },
    {
      'json text': [
        [
          /"(strict|noImplicitAny|strictNullChecks|checkJs|noEmitOnError|strictFunctionTypes)"\s*:\s*false/,
          'blocks',
        ],
      ],
      'config text': [
        [
          /^\s*(ignore_errors\s*=\s*true|(strict|disallow_untyped_defs|check_untyped_defs)\s*=\s*false|typeCheckingMode\s*=\s*"off")/i,
          'blocks',
        ],
      ],
    },
  ),
  ...lineWires(COVER, {
    'any comment': [
      [
        /^[\s*]*((istanbul|c8|v8)\s+ignore\s+(file|start)|node:coverage\s+disable|LCOV_EXCL_START|GCOVR_EXCL_START|:nocov:)/,
        ({ comment }) => (/ignore\s+file/.test(comment) ? 'blocks' : 'review'),
      ],
      [
        /^[\s*]*((istanbul|c8|v8)\s+ignore\s+(next|if|else|\d)|node:coverage\s+ignore|pragma:\s*no\s*(cover|branch)|LCOV_EXCL_LINE|GCOVR_EXCL_LINE)/,
        'review',
      ],
    ],
  }),
]
