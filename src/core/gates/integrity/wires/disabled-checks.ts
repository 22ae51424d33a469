/** Commands that always succeed. */
import type { FreshFact, FreshLine } from '../reading.ts'
import {
  ANYWHERE,
  factWires,
  hasArgument,
  hasValue,
  lineWires,
  when,
  type Weight,
  type Wire,
} from '../wire.ts'

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
  ...factWires(ALWAYS, {
    'shell use': [[/^(true|:|exit|echo|\/bin\/true)$/, orTrue]],
  }),
  ...factWires(CONTINUES, {
    'shell use': [[/^set$/, when(hasArgument(/^\+e$/), 'review')]],
  }),
  ...factWires(FEWER, {
    'shell use': [[/./, when(({ node }) => FLAGS.test(node.text), 'blocks')]],
    'js entry': [[PASSES, when(hasValue(/^(true|\[\s*\])$/), 'blocks')]],
  }),
  ...factWires(EXCLUDED, { 'js entry': [[EXCLUDES, 'review']] }),
  ...lineWires(ALWAYS, {
    'json,config text': [
      [/\|\|\s*(true|:|exit 0|echo\b|\/bin\/true)|;\s*(true|exit 0)\s*["']?,?\s*$|^\t-\s*\S/, ifItChecks],
    ],
  }),
  ...lineWires(
    { ...CONTINUES, roles: ['settings'] },
    {
      'config text': [
        [
          /^\s*(?:-\s+)?(continue-on-error|allow_failure|ignore_errors|ignoreFailures)\s*[:=]\s*true/i,
          'blocks',
        ],
        [/^\s*(?:-\s+)?if:\s*(false|\$\{\{\s*false\s*\}\})\s*$/i, 'blocks'],
      ],
    },
  ),
  ...lineWires(FEWER, {
    'json,config text': [[FEWER_LINES, 'blocks']],
  }),
]
