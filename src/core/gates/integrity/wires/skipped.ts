/** Tests that do not run, or run until they pass. */
import type { FreshLine, Reading } from '../reading.ts'
import { blockAround, type LineWire, type Weight } from '../wire.ts'

const TESTS = ['test'] as const
const SKIP = { wire: 'test-skipped', saw: 'skips a test', roles: TESTS, look: 'code' } as const
const ONLY = {
  wire: 'test-only',
  saw: 'runs one test and leaves the others out',
  roles: TESTS,
  look: 'code',
} as const
const FAILS = {
  wire: 'test-expected-to-fail',
  saw: 'counts a failing test as passed',
  roles: TESTS,
  look: 'code',
} as const
const RETRY = { wire: 'test-retried', saw: 'runs a test again until it passes', look: 'code' } as const

/** Under a condition it may be right: another platform, a missing tool. A person looks. */
function underCondition(line: FreshLine, reading: Reading): Weight {
  if (/\b(if|unless|when)\b/.test(line.code)) return 'note'
  const around = blockAround(reading, line.line)?.code.trim() ?? ''
  return /^\W*(else|if|elif|unless|except|rescue|catch|match|case|switch)\b|\b(if|else|catch)\b.*[{:]$/.test(
    around,
  )
    ? 'note'
    : 'blocks'
}

export const SKIPPED: readonly LineWire[] = [
  {
    ...SKIP,
    families: ['js'],
    pattern:
      /\b(it|test|describe|suite|context|bench)(\.\w+)*\.skip\s*(\(\s*(['"`)]|$)|[.`])|(?<![.\w$])(xit|xtest|xdescribe|xcontext)\s*[(.`]|\b(it|test|describe|suite)\s*\(.*\b(skip:\s*(true|'|"|`)|todo:\s*true)/,
    weight: 'blocks',
  },
  {
    ...SKIP,
    families: ['js'],
    pattern: /\b(t|ctx|context|this|test|testContext)\.(skip|pending)\s*\(|^\s*pending\s*\(/,
    weight: (line, reading) =>
      /\b(test|context)\.skip/.test(line.code) ? null : underCondition(line, reading),
  },
  {
    ...SKIP,
    families: ['js'],
    pattern:
      /\.(skipIf|runIf)\s*\(|\b(it|test|describe)\.skip\s*\(\s*[^'"`)\s]|\b(it|test|describe|suite)\s*\(.*\bskip:\s*[!\w(]|^\s*skip:\s*true,?$|\b(it|test)\.todo\s*\(/,
    weight: ({ code }) => (/\bskip:\s*(false|undefined|\d)/.test(code) ? null : 'note'),
  },
  {
    ...SKIP,
    families: ['python'],
    pattern:
      /@(pytest\.)?mark\.skip\b(?!if)|@(unittest\.)?skip\s*\(|^\s*pytestmark\s*=.*\bskip\b(?!if)|\bcollect_ignore(_glob)?\b|^\s*__test__\s*=\s*False/,
    weight: 'blocks',
  },
  {
    ...SKIP,
    families: ['python'],
    pattern: /\bpytest\.skip\s*\(|\bself\.skipTest\s*\(|\braise\s+(unittest\.)?SkipTest\b/,
    weight: underCondition,
  },
  {
    ...SKIP,
    families: ['python'],
    pattern: /\bmark\.skipif\b|\bskip(If|Unless)\s*\(|\bimportorskip\s*\(/,
    weight: 'note',
  },
  { ...SKIP, families: ['go'], pattern: /\b[tbf]\.(Skip|Skipf|SkipNow)\s*\(/, weight: underCondition },
  { ...SKIP, families: ['rust'], pattern: /#\[\s*ignore\b/, weight: 'blocks' },
  { ...SKIP, families: ['rust'], pattern: /#\[\s*cfg_attr\(.*\bignore\b/, weight: 'note' },
  {
    ...SKIP,
    families: ['java'],
    pattern: /@(Disabled|Ignore)\b(?!On|If)|\benabled\s*=\s*false|\[(Ignore|Skip)\b|\bSkip\s*=/,
    weight: 'blocks',
  },
  {
    ...SKIP,
    families: ['java'],
    pattern: /@(Disabled|Enabled)(On|If)\w*|\bassume(True|False|That|Not)\w*\s*\(/,
    weight: 'note',
  },
  {
    ...SKIP,
    families: ['c'],
    pattern: /\bDISABLED_\w+|\bboost::unit_test::disabled\b|\bdoctest::skip\s*\(/,
    weight: 'blocks',
  },
  {
    ...SKIP,
    families: ['c'],
    pattern: /\bGTEST_SKIP\s*\(|\bQSKIP\s*\(|^\s*SKIP\s*\(/,
    weight: underCondition,
  },
  {
    ...SKIP,
    families: ['ruby'],
    pattern: /^\s*(xit|xdescribe|xcontext|xspecify)\b|,\s*(skip|pending):\s*(true|''|"")/,
    weight: 'blocks',
  },
  { ...SKIP, families: ['ruby'], pattern: /^\s*(skip|pending)\b(?!\s*=)/, weight: underCondition },
  { ...SKIP, families: ['shell'], pattern: /^\s*skip(\s|$)/, weight: underCondition },
  {
    ...ONLY,
    families: ['js'],
    pattern:
      /\b(it|test|describe|suite|context|bench)(\.\w+)*\.only\s*[(`.]|(?<![.\w$])(fit|fdescribe|fcontext)\s*\(\s*['"`]|\b(it|test|describe|suite)\s*\(.*\bonly:\s*true/,
    weight: 'blocks',
  },
  {
    ...ONLY,
    families: ['ruby'],
    pattern: /^\s*(fit|fdescribe|fcontext)\b|,\s*(:focus\b|focus:\s*true)/,
    weight: 'blocks',
  },
  {
    ...FAILS,
    families: ['js'],
    pattern: /\b(it|test)(\.\w+)*\.(fails|failing)\s*[(.`]|\b(expectFailure|failing):\s*true/,
    weight: 'blocks',
  },
  {
    ...FAILS,
    families: ['python'],
    pattern: /\bmark\.xfail\b|\bpytest\.xfail\s*\(|\bexpectedFailure\b/,
    weight: 'blocks',
  },
  { ...FAILS, families: ['rust'], pattern: /#\[\s*should_panic\s*\]/, weight: 'note' },
  {
    ...RETRY,
    families: ['js'],
    roles: ['test', 'settings'],
    pattern: /\bjest\.retryTimes\s*\(|\bthis\.retries\s*\(\s*[1-9]/,
    weight: 'blocks',
  },
  // In a test, `retry` may be what the tested code is asked for.
  {
    ...RETRY,
    families: ['js', 'json'],
    roles: ['test', 'settings'],
    look: 'text',
    pattern: /\bretr(y|ies)['"]?\s*:\s*[1-9]/,
    weight: ({ role }) => (role === 'settings' ? 'blocks' : 'note'),
  },
  {
    ...RETRY,
    families: ['python', 'java', 'config', 'json', 'shell'],
    roles: ['test', 'settings'],
    look: 'text',
    pattern:
      /\bmark\.flaky\b|--reruns\b|\breruns\s*=\s*[1-9]|@(RetryingTest|RepeatedIfExceptionsTest)\b|--retries[ =][1-9]|--retry[ =][1-9]|rerunFailingTestsCount/,
    weight: 'blocks',
  },
]
