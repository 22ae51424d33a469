/** Commands that always succeed. */
import type { FreshFact, FreshLine, Reading } from '../reading.ts'
import { ANYWHERE, nodeWires, type LineWire, type NodeRows, type NodeWire, type Weight } from '../wire.ts'

const DEFUSED = { wire: 'check-defused' } as const
const WHATEVER = 'makes a command always succeed'
const GOES_ON = 'continues after a failure'
const FEWER = 'passes without tests, or with fewer'
const LEFT_OUT = 'excludes files from a check'

const CHECKS =
  /\b(tests?|lint|check|spec|tsc|vitest|jest|mocha|ava|pytest|tox|nox|mypy|pyright|ruff|flake8|eslint|oxlint|biome|cargo|clippy|ctest|gtest|coverage|verify|typecheck|rspec|rubocop|gradlew?|mvn|phpunit|go (test|vet)|staticcheck|golangci)\b/i
/** Flags that make a test runner pass too easily. */
const FLAGS =
  /--pass-?with-?no-?tests|--exit-zero\b|--forceExit\b|--deselect\b|-k\s*['"\\]*not\b|-DskipTests|-Dmaven\.test\.skip|--no-verify\b|--ignore[= ]\S*tests?\b|--skip[= ]\S|--test-skip-pattern|\s-x\s+test\b|--update-?snapshots?\b|--snapshot-update\b/i
const EXCLUDES =
  'testPathIgnorePatterns|testIgnore|modulePathIgnorePatterns|ignorePatterns|norecursedirs|per-file-ignores|exclude|ignores'

/** `npm test || true`. */
function orTrue({ name, args, place, role }: FreshFact, { code }: Reading): Weight | null {
  if (name === 'exit' && args?.[0]?.text !== '0') return null
  const own = place.parent?.node.kind === 'redirected_statement' ? place.parent : place
  const list = own.parent?.node
  const before = list?.kind === 'list' ? list.children[list.children.indexOf(own.node) - 1] : undefined
  if (code === null || list === undefined || before?.kind !== '||') return null
  const checked = code.tree.text.slice(list.start, before.start)
  const isAsserted = role === 'test' && /^\s*(\[|assert|refute|test\s)/.test(checked)
  return isAsserted || CHECKS.test(checked) ? 'blocks' : null
}

/** `npm test; true` on one line. */
function thenTrue({ name, args, place, line }: FreshFact, { now }: Reading): Weight | null {
  if (name === 'exit' && args?.[0]?.text !== '0') return null
  const before = now[line - 1]?.text ?? ''
  const isLast = /;\s*(true|exit 0)\s*["']?\s*$/.test(before) && place.node.line === line
  return isLast && CHECKS.test(before) ? 'blocks' : null
}

const EXCLUDED: NodeRows = [[new RegExp(`^(${EXCLUDES})$`), 'note']]
const PASSING: NodeRows = [
  [
    /(^|\.)(passWithNoTests|dangerouslyIgnoreUnhandledErrors|testMatch)$/,
    ({ value }) => (/^(true|\[\s*\])$/.test(value?.text ?? '') ? 'blocks' : null),
  ],
]

export const DEFUSED_WIRES: readonly NodeWire[] = [
  ...nodeWires(
    { ...DEFUSED, saw: WHATEVER, roles: ANYWHERE },
    {
      shell: {
        use: [
          [/^(true|:|exit|echo|\/bin\/true)$/, orTrue],
          [/^(true|exit)$/, thenTrue],
        ],
      },
    },
  ),
  ...nodeWires(
    { ...DEFUSED, saw: GOES_ON, roles: ANYWHERE },
    {
      shell: {
        use: [
          [/^set$/, ({ args }) => (args?.[0]?.text === '+e' ? 'note' : null)],
          [/^trap$/, ({ args }) => (args?.[0]?.text.startsWith('exit 0') ? 'note' : null)],
        ],
      },
    },
  ),
  ...nodeWires(
    { ...DEFUSED, saw: FEWER, roles: ['settings', 'test'] },
    {
      shell: {
        use: [
          [
            /./,
            ({ place }, { code }) => (code !== null && FLAGS.test(code.source(place.node)) ? 'blocks' : null),
          ],
        ],
      },
      js: { text: [[FLAGS, 'blocks']], entry: PASSING, assignment: PASSING },
    },
  ),
  ...nodeWires(
    { ...DEFUSED, saw: LEFT_OUT, roles: ['settings'] },
    { js: { entry: EXCLUDED, assignment: EXCLUDED } },
  ),
]

const ifItChecks = ({ text }: FreshLine, { family }: Reading): Weight | null =>
  CHECKS.test(text) ? 'blocks' : family === 'shell' ? null : 'note'

export const DEFUSED_LINES: readonly LineWire[] = [
  {
    ...DEFUSED,
    look: 'text',
    saw: WHATEVER,
    families: ['json', 'config'],
    roles: ANYWHERE,
    pattern: /\|\|\s*(true|:|exit 0|echo\b|\/bin\/true)|;\s*(true|exit 0)\s*["']?,?\s*$|^\t-\s*\S/,
    weight: ifItChecks,
  },
  {
    ...DEFUSED,
    look: 'text',
    saw: GOES_ON,
    families: ['config'],
    roles: ['settings'],
    pattern:
      /^\s*(?:-\s+)?(continue-on-error|allow_failure|ignore_errors|ignoreFailures)\s*[:=]\s*true|^\s*(?:-\s+)?if:\s*(false|\$\{\{\s*false\s*\}\})\s*$/i,
    weight: 'blocks',
  },
  {
    ...DEFUSED,
    look: 'text',
    saw: GOES_ON,
    families: ['java'],
    roles: ['settings'],
    pattern: /\bignoreFailures\s*=\s*true|\btestFailureIgnore\b|\bonlyIf\s*\{\s*false/,
    weight: 'blocks',
  },
  {
    ...DEFUSED,
    look: 'text',
    saw: FEWER,
    families: ['json', 'config', 'java'],
    roles: ['settings', 'test'],
    pattern: new RegExp(
      String.raw`${FLAGS.source}|\b(passWithNoTests|dangerouslyIgnoreUnhandledErrors)['"]?\s*[:=]\s*true|\btestMatch['"]?\s*:\s*\[\s*\]`,
      'i',
    ),
    weight: 'blocks',
  },
  {
    ...DEFUSED,
    look: 'text',
    saw: LEFT_OUT,
    families: ['json', 'config'],
    roles: ['settings'],
    pattern: new RegExp(String.raw`\b(${EXCLUDES})['"]?\s*[:=]`),
    weight: 'note',
  },
]
