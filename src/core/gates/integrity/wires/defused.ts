/** Commands that succeed whatever they find, and programs that end before anybody can look. */
import type { FreshLine, Reading } from '../reading.ts'
import { ANYWHERE, CODE, type LineWire, type Weight } from '../wire.ts'

const DEFUSED = { wire: 'check-defused', look: 'text' } as const
const CHECKS =
  /\b(tests?|lint|check|spec|tsc|vitest|jest|mocha|ava|pytest|tox|nox|mypy|pyright|ruff|flake8|eslint|oxlint|biome|cargo|clippy|ctest|gtest|coverage|verify|typecheck|rspec|rubocop|gradlew?|mvn|phpunit|go (test|vet)|staticcheck|golangci)\b/i

const ifItChecks = ({ text }: FreshLine, { family }: Reading): Weight | null => {
  if (CHECKS.test(text)) return 'blocks'
  return family === 'shell' ? null : 'note'
}

export const DEFUSED_WIRES: readonly LineWire[] = [
  {
    ...DEFUSED,
    saw: 'lets a command succeed whatever it finds',
    families: ['json', 'config', 'shell'],
    roles: ANYWHERE,
    pattern: /\|\|\s*(true|:|exit 0|echo\b|\/bin\/true)|;\s*(true|exit 0)\s*["']?,?\s*$|^\t-\s*\S/,
    weight: ifItChecks,
  },
  {
    ...DEFUSED,
    saw: 'goes on after a failure',
    families: ['config'],
    roles: ['settings'],
    pattern:
      /^\s*(?:-\s+)?(continue-on-error|allow_failure|ignore_errors|ignoreFailures)\s*[:=]\s*true|^\s*(?:-\s+)?if:\s*(false|\$\{\{\s*false\s*\}\})\s*$/i,
    weight: 'blocks',
  },
  {
    ...DEFUSED,
    saw: 'goes on after a failure',
    families: ['java'],
    roles: ['settings'],
    pattern: /\bignoreFailures\s*=\s*true|\btestFailureIgnore\b|\bonlyIf\s*\{\s*false/,
    weight: 'blocks',
  },
  {
    ...DEFUSED,
    saw: 'goes on after a failure',
    families: ['shell'],
    roles: ANYWHERE,
    pattern: /^\s*set\s+\+e\b|^\s*trap\s+['"]?exit 0/,
    weight: 'note',
  },
  {
    ...DEFUSED,
    saw: 'passes without tests, or with fewer',
    families: ['json', 'config', 'shell', 'js', 'java'],
    roles: ['settings', 'test'],
    pattern:
      /--pass-?with-?no-?tests|\bpassWithNoTests['"]?\s*[:=]\s*true|--exit-zero\b|--forceExit\b|--deselect\b|-k\s*['"\\]*not\b|-DskipTests|-Dmaven\.test\.skip|--no-verify\b|--ignore[= ]\S*tests?\b|\btestMatch['"]?\s*:\s*\[\s*\]|--skip[= ]\S|--test-skip-pattern|\s-x\s+test\b|--update-?snapshots?\b|--snapshot-update\b|dangerouslyIgnoreUnhandledErrors['"]?\s*[:=]\s*true/i,
    weight: 'blocks',
  },
  {
    ...DEFUSED,
    saw: 'leaves files out of a check',
    families: ['json', 'config', 'js'],
    roles: ['settings'],
    pattern:
      /\b(testPathIgnorePatterns|testIgnore|modulePathIgnorePatterns|ignorePatterns|norecursedirs|per-file-ignores|exclude|ignores)['"]?\s*[:=]/,
    weight: 'note',
  },
]

const FORGED = {
  wire: 'report-forged',
  saw: 'holds results of tests that did not run',
  look: 'text',
} as const

/** A program that reports tests counts them; one that holds the numbers already makes them up. */
export const FORGED_WIRES: readonly LineWire[] = [
  {
    ...FORGED,
    families: CODE,
    roles: ['source'],
    pattern: /["'`](.*\\n)?(ok \d+ - \w|Ran \d+ tests? in \d|TAP version 1\d(\\n.*)?\\n1\.\.\d)/,
    weight: ({ code }, { path }) =>
      /report|\btap\b/i.test(path) || /\b(test|match|exec|split|search|includes|startsWith)\s*\(/.test(code)
        ? 'note'
        : 'blocks',
  },
  {
    ...FORGED,
    saw: 'prints or leaves before main begins',
    families: ['c'],
    roles: ['source'],
    look: 'code',
    pattern: /\b(printf|puts|putchar|fputs|fwrite|write|dprintf|syscall)\s*\((?!.*\bstderr\b)/,
    weight: (line, reading) => (isBeforeMain(line, reading) ? 'blocks' : null),
  },
]

const EXIT = { wire: 'exits-early', saw: 'ends the process as if all were well', look: 'code' } as const

/** A program that people start may end; a module that others import may not, least of all while it is imported. */
function exiting(line: FreshLine, reading: Reading): Weight | null {
  if (line.role === 'test') return reading.family === 'c' ? 'note' : 'blocks'
  if (reading.isEntry) return null
  return isAtTop(line, reading) ? 'blocks' : 'note'
}

/** Runs as soon as the file is imported. */
function isAtTop(line: FreshLine, reading: Reading): boolean {
  if (reading.family === 'python' || reading.family === 'ruby') return /^\S/.test(line.raw)
  if (reading.family !== 'go') return line.depth === 0
  const above = reading.now.slice(0, line.line).findLast(({ code }) => code.startsWith('func '))
  return above?.code.startsWith('func init()') === true
}

/** In a function that the loader calls: nothing that is to be tested has begun by then. */
function isBeforeMain(line: FreshLine, reading: Reading): boolean {
  const head = reading.now
    .slice(0, line.line)
    .findLast(({ raw, code }) => /^\S/.test(raw) && code.includes('('))
  return head !== undefined && /__attribute__\s*\(\(\s*(__)?constructor/.test(head.code)
}

export const EXITS: readonly LineWire[] = [
  {
    ...EXIT,
    families: ['js'],
    roles: ['test', 'source', 'settings'],
    pattern:
      /\bprocess\.(exit\s*\(\s*0?\s*\)|reallyExit\s*\(|abort\s*\(\s*\))|\bDeno\.exit\s*\(\s*0?\s*\)|\bprocess\.exitCode\s*=\s*0\b/,
    weight: (line, reading) => (line.role === 'settings' ? 'blocks' : exiting(line, reading)),
  },
  {
    ...EXIT,
    families: ['js'],
    roles: ['test', 'source', 'settings'],
    look: 'text',
    pattern: /\bprocess\.(on|once|addListener)\(\s*['"](exit|beforeExit)['"].*\b(exitCode|exit\s*\()/,
    weight: 'blocks',
  },
  {
    ...EXIT,
    families: ['python'],
    roles: ['test', 'source', 'settings'],
    pattern:
      /\bos\._exit\s*\(\s*0?\s*\)|\bsys\.exit\s*\(\s*(0|None)?\s*\)|^\s*(exit|quit)\s*\(\s*0?\s*\)|\bpytest\.exit\s*\(|\braise\s+SystemExit\s*(\(\s*0?\s*\))?\s*$|\bexitstatus\s*=\s*0/,
    weight: (line, reading) => {
      if (/exitstatus|pytest\.exit/.test(line.code)) return 'blocks'
      if (line.role !== 'test') return exiting(line, reading)
      if (isAtTop(line, reading)) return 'blocks'
      // Within a test, an exit is an exception and fails it; only the hard one passes for the end of all tests.
      const isForked = reading.now.some(({ code }) => /\bfork\s*\(/.test(code))
      return line.code.includes('os._exit') && !isForked ? 'blocks' : 'note'
    },
  },
  {
    ...EXIT,
    families: ['go'],
    roles: ['test', 'source'],
    pattern: /\bos\.Exit\s*\(\s*0\s*\)/,
    weight: exiting,
  },
  {
    ...EXIT,
    families: ['rust'],
    roles: ['test', 'source'],
    pattern: /\bprocess::exit\s*\(\s*0\s*\)/,
    weight: (line, reading) => (line.role === 'test' ? 'blocks' : reading.isEntry ? null : 'note'),
  },
  {
    ...EXIT,
    families: ['java'],
    roles: ['test', 'source'],
    pattern:
      /\bSystem\.exit\s*\(\s*0\s*\)|\bexitProcess\s*\(\s*0\s*\)|\bhalt\s*\(\s*0\s*\)|\bEnvironment\.Exit\s*\(\s*0\s*\)/,
    weight: (line, reading) => (line.role === 'test' ? 'blocks' : reading.isEntry ? null : 'note'),
  },
  {
    ...EXIT,
    families: ['c'],
    roles: ['test', 'source'],
    pattern: /\b(_exit|_Exit|quick_exit|std::exit|exit)\s*\(\s*(0|EXIT_SUCCESS)\s*\)/,
    weight: (line, reading) => (isBeforeMain(line, reading) ? 'blocks' : reading.isEntry ? null : 'note'),
  },
  {
    ...EXIT,
    families: ['ruby'],
    roles: ['test', 'source'],
    pattern: /^\s*exit!?(\s*\(?\s*(0|true)\s*\)?)?\s*$|\bat_exit\b.*\bexit\b/,
    weight: exiting,
  },
]
