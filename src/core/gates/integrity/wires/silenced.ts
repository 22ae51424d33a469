/** Disabled linters, type checks and coverage. */
import type { Fact } from '../syntax/facts.ts'
import {
  ANYWHERE,
  hasValue,
  when,
  hasArgument,
  type Wire,
  wires,
  type Weight,
  blocks,
  review,
} from '../wire.ts'
import type { FreshFact, FreshLine } from '../reading.ts'

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
  ...wires(NO_LINT, {
    'rust decorator': [[/^allow$/, when(allowsAll, 'blocks')]],
    'any comment': blocks(
      /^[\s*]*(eslint-disable\s*($|--|\*)|eslint-disable-(next-)?line\s*$|oxlint-disable\s*($|--|\*)|oxlint-disable-(next-)?line\s*$|tslint:disable\s*$|biome-ignore-all\s+lint\s*:|jshint ignore|standard:disable|flake8:\s*noqa|ruff:\s*noqa\s*$|noqa\s*$|pylint:\s*(skip-file|disable=all)|nolint\s*($|\/\/)|NOLINT\s*$|NOLINTBEGIN\s*$|rubocop:disable\s+all|shellcheck disable=all|swiftlint:disable all)/i,
    ),
    'java,c line': blocks(
      /@SuppressWarnings\s*\(\s*"all"|@Suppress\s*\(\s*"ALL"|#pragma\s+GCC\s+system_header|#pragma\s+warning\s*\(?\s*(disable\s*$|push,\s*0)/,
    ),
  }),
  ...wires(NO_RULE_HERE, {
    'rust decorator': [[/^allow$/, when((fact) => !allowsAll(fact), 'review')]],
    'any comment': review(
      /^[\s*]*((es|ox)lint-disable(-next-line|-line)?\s+[@\w]|(es|ox)lint-disable-(next-)?line\s+--|biome-ignore\s|deno-lint-ignore|noqa:\s*\w|ruff:\s*noqa:|pylint:\s*disable=(?!all\b)|nolint:\s*\w|NOLINT(NEXTLINE)?\(|NOLINTNEXTLINE\s*$|rubocop:disable\s+(?!all\b)|shellcheck\s+disable=(?!all\b)|clang-format off|prettier-ignore|nosec\b|nosemgrep)/i,
    ),
    'java,c line': review(
      /@SuppressWarnings\s*\((?!\s*"all")|@Suppress\s*\((?!\s*"ALL")|#pragma\s+(GCC|clang)\s+diagnostic\s+ignored|#pragma\s+warning\s*\(\s*disable\s*:/,
    ),
  }),
  ...wires(NO_RULE, {
    'js entry': [[/./, when(hasValue(/^(\[\s*['"])?(off|allow)(['"]|$)/), 'review')]],
  }),
  ...wires(NO_TYPES, {
    'js,python comment': blocks(
      /^[\s*]*(@ts-nocheck\b|@ts-ignore\W*$|@flow\s+off|type:\s*ignore\s*$|mypy:\s*ignore-errors|pyright:\s*(ignore\s*$|basic\b|strict\s*=\s*false)|pyre-ignore-all)/,
    ),
  }),
  ...wires(NO_TYPES_HERE, {
    'js,python comment': review(
      /^[\s*]*(@ts-expect-error\b|@ts-ignore\W+\w|type:\s*ignore\s*[[#]|pyright:\s*ignore\s*\[|pyre-(ignore|fixme)\b)/,
    ),
  }),
  ...wires(
    { ...NO_TYPES, roles: ['settings'] },
    {
      'json line': blocks(
        /"(strict|noImplicitAny|strictNullChecks|checkJs|noEmitOnError|strictFunctionTypes)"\s*:\s*false/,
      ),
      'config line': blocks(
        /^\s*(ignore_errors\s*=\s*true|(strict|disallow_untyped_defs|check_untyped_defs)\s*=\s*false|typeCheckingMode\s*=\s*"off")/i,
      ),
    },
  ),
  ...wires(COVER, {
    'any comment': [
      [
        /^[\s*]*((istanbul|c8|v8)\s+ignore\s+(file|start)|node:coverage\s+disable|LCOV_EXCL_START|GCOVR_EXCL_START|:nocov:)/,
        ({ comment }) => (/ignore\s+file/.test(comment) ? 'blocks' : 'review'),
      ],
      ...review(
        /^[\s*]*((istanbul|c8|v8)\s+ignore\s+(next|if|else|\d)|node:coverage\s+ignore|pragma:\s*no\s*(cover|branch)|LCOV_EXCL_LINE|GCOVR_EXCL_LINE)/,
      ),
    ],
  }),
]

/** Commands that always succeed. */

const DEFUSED = { wire: 'check-defused', roles: ANYWHERE } as const
const ALWAYS = { ...DEFUSED, saw: 'makes a command always succeed' } as const
const CONTINUES = { ...DEFUSED, saw: 'continues after a failure' } as const
const FEWER = { ...DEFUSED, saw: 'passes without tests, or with fewer', roles: ['settings', 'test'] } as const
const EXCLUDED = { ...DEFUSED, saw: 'excludes files from a check', roles: ['settings'] } as const

const CHECKS =
  /\b(tests?|lint|check|spec|tsc|vitest|jest|mocha|ava|pytest|tox|nox|mypy|pyright|ruff|flake8|eslint|oxlint|biome|cargo|clippy|ctest|gtest|coverage|verify|typecheck|rspec|rubocop|gradlew?|mvn|phpunit|go (test|vet)|staticcheck|golangci)\b/i
/** Flags that make a test runner pass too easily. */
const FLAGS =
  /--pass-?with-?no-?tests|--exit-zero\b|--forceExit\b|--deselect\b|-k\s*['"\\]*not\b|-DskipTests|-Dmaven\.test\.skip|--no-verify\b|--ignore[= ]\S*tests?\b|--skip[= ]\S|--test-skip-pattern|\s-x\s+test\b|--update-?snapshots?\b|--snapshot-update\b/i
const EXCLUDES =
  /^(testPathIgnorePatterns|testIgnore|modulePathIgnorePatterns|ignorePatterns|norecursedirs|per-file-ignores|exclude|ignores)$/

/** `npm test || true`. */
function orTrue({ name, args, node, code, role }: FreshFact): Weight | null {
  if (name === 'exit' && args?.[0]?.text !== '0') return null
  const own = node.parent?.kind === 'redirected_statement' ? node.parent : node
  const list = own.parent
  const before = list?.kind === 'list' ? list.children[list.children.indexOf(own) - 1] : undefined
  if (list === null || before?.kind !== '||') return null
  const checked = code.tree.text.slice(list.start, before.start)
  const isAsserted = role === 'test' && /^\s*(\[|assert|refute|test\s)/.test(checked)
  return isAsserted || CHECKS.test(checked) ? 'blocks' : null
}

const PASSES = /(^|\.)(passWithNoTests|dangerouslyIgnoreUnhandledErrors|testMatch)$/

const ifItChecks = ({ text }: FreshLine): Weight => (CHECKS.test(text) ? 'blocks' : 'review')
const FEWER_LINES = new RegExp(
  String.raw`${FLAGS.source}|\b(passWithNoTests|dangerouslyIgnoreUnhandledErrors)['"]?\s*[:=]\s*true|\btestMatch['"]?\s*:\s*\[\s*\]`,
  'i',
)

export const DISABLED_CHECKS: readonly Wire[] = [
  ...wires(ALWAYS, {
    'shell use': [[/^(true|:|exit|echo|\/bin\/true)$/, orTrue]],
    'json,config line': [
      [/\|\|\s*(true|:|exit 0|echo\b|\/bin\/true)|;\s*(true|exit 0)\s*["']?,?\s*$|^\t-\s*\S/, ifItChecks],
    ],
  }),
  ...wires(CONTINUES, {
    'shell use': [[/^set$/, when(hasArgument(/^\+e$/), 'review')]],
  }),
  ...wires(FEWER, {
    'shell use': [[/./, when(({ node }) => FLAGS.test(node.text), 'blocks')]],
    'js entry': [[PASSES, when(hasValue(/^(true|\[\s*\])$/), 'blocks')]],
    'json,config line': blocks(FEWER_LINES),
  }),
  ...wires(EXCLUDED, {
    'js entry': review(EXCLUDES),
  }),
  ...wires(
    { ...CONTINUES, roles: ['settings'] },
    {
      'config line': blocks(
        /^\s*(?:-\s+)?(continue-on-error|allow_failure|ignore_errors|ignoreFailures)\s*[:=]\s*true/i,
        /^\s*(?:-\s+)?if:\s*(false|\$\{\{\s*false\s*\}\})\s*$/i,
      ),
    },
  ),
]
