/** Tests that do not run, or run until they pass. */
import type { Fact } from '../syntax/facts.ts'
import { callAround, isConditional } from '../syntax/around.ts'
import type { FreshFact, FreshLine, Reading } from '../reading.ts'
import { blockAround, type LineWire, type NodeWire, type Weight } from '../wire.ts'

const TESTS = ['test'] as const
const SKIP = { wire: 'test-skipped', saw: 'skips a test', roles: TESTS } as const
const ONLY = { wire: 'test-only', saw: 'runs one test and leaves the others out', roles: TESTS } as const
const FAILS = { wire: 'test-expected-to-fail', saw: 'counts a failing test as passed', roles: TESTS } as const
const RETRY = {
  wire: 'test-retried',
  saw: 'runs a test again until it passes',
  roles: ['test', 'settings'],
} as const

/** Under a condition it may be right: another platform, a missing tool. A person looks. */
const underCondition = (fact: FreshFact, { code }: Reading): Weight =>
  code !== null && isConditional(code, fact) ? 'note' : 'blocks'

/** `it.skip('x', …)` skips a test; `test.skip(isWindows, 'why')` of Playwright only where that is so. */
function skipCall({ args }: Fact): Weight {
  const [first, ...rest] = args ?? []
  const hasTitle = first === undefined || first.is === 'text' || rest.some(({ is }) => is === 'function')
  return hasTitle && first?.is !== 'function' ? 'blocks' : 'note'
}

/** An option of a test; in other objects the same word means something else. */
function optionWeight({ value, place }: FreshFact, { code }: Reading): Weight | null {
  if (code === null || value === null) return null
  const call = callAround(code, place)
  const isTest =
    call !== null && /^(it|test|describe|suite|context|specify|feature|scenario|example)(\.\w+)*$/.test(call)
  if (/^(false|undefined|nil|\d+)$/.test(value.text) && value.is !== 'text') return null
  const isPlain = value.text === 'true' || value.is === 'text'
  if (isTest) return isPlain ? 'blocks' : 'note'
  return call === null && value.text === 'true' ? 'note' : null
}

const isTrue = ({ value }: Fact): boolean => value?.text === 'true' && value.is !== 'text'

export const SKIPPED: readonly NodeWire[] = [
  {
    ...SKIP,
    families: ['js'],
    on: ['use'],
    name: /^(it|test|describe|suite|context|bench)(\.\w+)*\.skip(\.\w+)*$/,
    weight: (fact, reading) => {
      if (fact.args === null) return underCondition(fact, reading)
      const isContext = /^context\.skip$/.test(fact.name) && !fact.args.some(({ is }) => is === 'function')
      return isContext ? underCondition(fact, reading) : skipCall(fact)
    },
  },
  {
    ...SKIP,
    families: ['js'],
    on: ['use'],
    name: /^(xit|xtest|xdescribe|xcontext|xspecify)(\.\w+)*$/,
    weight: 'blocks',
  },
  {
    ...SKIP,
    families: ['js'],
    on: ['use'],
    name: /^(t|ctx|this|testContext)\.(skip|pending)$|^pending$/,
    weight: (fact, reading) => (fact.args === null ? null : underCondition(fact, reading)),
  },
  {
    ...SKIP,
    families: ['js'],
    on: ['use'],
    name: /\.(skipIf|runIf)$|^(it|test|describe|suite)\.todo$/,
    weight: 'note',
  },
  { ...SKIP, families: ['js', 'ruby'], on: ['entry'], name: /^skip$/, weight: optionWeight },
  {
    ...SKIP,
    families: ['js', 'ruby'],
    on: ['entry'],
    name: /^(todo|pending)$/,
    weight: (fact, reading) => (optionWeight(fact, reading) === 'blocks' ? 'blocks' : null),
  },
  {
    ...SKIP,
    families: ['python'],
    on: ['decorator', 'use'],
    name: /^(pytest\.)?mark\.skip$|^(unittest\.)?skip$|^collect_ignore(_glob)?$/,
    weight: ({ kind, name }) => (kind === 'use' && name === 'skip' ? null : 'blocks'),
  },
  {
    ...SKIP,
    families: ['python'],
    on: ['assignment'],
    name: /^collect_ignore(_glob)?$|(^|\.)__test__$/,
    weight: ({ name, value }) => (name.endsWith('__test__') && value?.text !== 'False' ? null : 'blocks'),
  },
  {
    ...SKIP,
    families: ['python'],
    on: ['use'],
    name: /^pytest\.skip$|^(self|cls)\.skipTest$|^(unittest\.)?SkipTest$/,
    weight: (fact, reading) =>
      fact.name.endsWith('SkipTest') && fact.place.parent?.node.kind !== 'raise_statement'
        ? null
        : underCondition(fact, reading),
  },
  {
    ...SKIP,
    families: ['python'],
    on: ['decorator', 'use'],
    name: /(^|\.)mark\.skipif$|^(unittest\.)?skip(If|Unless)$|(^|\.)importorskip$/,
    weight: 'note',
  },
  { ...SKIP, families: ['go'], on: ['use'], name: /^[tbf]\.(Skip|Skipf|SkipNow)$/, weight: underCondition },
  { ...SKIP, families: ['rust'], on: ['decorator'], name: /^ignore$/, weight: 'blocks' },
  {
    ...SKIP,
    families: ['rust'],
    on: ['decorator'],
    name: /^cfg_attr$/,
    weight: ({ args }) => (args?.some(({ text }) => /^ignore\b/.test(text)) === true ? 'note' : null),
  },
  { ...SKIP, families: ['ruby'], on: ['use'], name: /^(xit|xdescribe|xcontext|xspecify)$/, weight: 'blocks' },
  { ...SKIP, families: ['ruby'], on: ['use'], name: /^(skip|pending)$/, weight: underCondition },
  { ...SKIP, families: ['shell'], on: ['use'], name: /^skip$/, weight: underCondition },
  {
    ...ONLY,
    families: ['js'],
    on: ['use'],
    name: /^(it|test|describe|suite|context|bench)(\.\w+)*\.only(\.\w+)*$/,
    weight: 'blocks',
  },
  {
    ...ONLY,
    families: ['js'],
    on: ['use'],
    name: /^(fit|fdescribe|fcontext)(\.\w+)*$/,
    weight: ({ args }) => (args?.[0]?.is === 'text' ? 'blocks' : null),
  },
  {
    ...ONLY,
    families: ['js', 'ruby'],
    on: ['entry'],
    name: /^(only|focus)$/,
    weight: (fact, reading) => (isTrue(fact) && optionWeight(fact, reading) === 'blocks' ? 'blocks' : null),
  },
  { ...ONLY, families: ['ruby'], on: ['use'], name: /^(fit|fdescribe|fcontext)$/, weight: 'blocks' },
  {
    ...ONLY,
    families: ['ruby'],
    on: ['use'],
    name: /^(it|describe|context|specify|feature|scenario|RSpec\.describe)$/,
    weight: ({ args }) => (args?.some(({ text }) => text === ':focus') === true ? 'blocks' : null),
  },
  {
    ...FAILS,
    families: ['js'],
    on: ['use'],
    name: /^(it|test)(\.\w+)*\.(fails|failing)(\.\w+)*$/,
    weight: 'blocks',
  },
  {
    ...FAILS,
    families: ['js'],
    on: ['entry'],
    name: /^(expectFailure|failing|fails)$/,
    weight: (fact) => (isTrue(fact) ? 'blocks' : null),
  },
  {
    ...FAILS,
    families: ['python'],
    on: ['decorator', 'use'],
    name: /(^|\.)mark\.xfail$|^pytest\.xfail$|^(unittest\.)?expectedFailure$/,
    weight: 'blocks',
  },
  {
    ...FAILS,
    families: ['rust'],
    on: ['decorator'],
    name: /^should_panic$/,
    weight: ({ args }) => (args === null ? 'note' : null),
  },
  {
    ...RETRY,
    families: ['js'],
    on: ['use'],
    name: /^jest\.retryTimes$|^this\.retries$/,
    weight: ({ args }) => (/^[1-9]/.test(args?.[0]?.text ?? '1') ? 'blocks' : null),
  },
  // In a test, `retry` may be what the tested code is asked for.
  {
    ...RETRY,
    families: ['js'],
    on: ['entry'],
    name: /^retr(y|ies)$/,
    weight: ({ role, value }) =>
      /^[1-9]/.test(value?.text ?? '') ? (role === 'settings' ? 'blocks' : 'note') : null,
  },
  {
    ...RETRY,
    families: ['python'],
    on: ['use', 'decorator'],
    name: /(^|\.)mark\.flaky$/,
    weight: 'blocks',
  },
  {
    ...RETRY,
    families: ['python'],
    on: ['entry', 'assignment'],
    name: /^reruns$/,
    weight: ({ value }) => (/^[1-9]/.test(value?.text ?? '') ? 'blocks' : null),
  },
  {
    ...RETRY,
    families: ['python'],
    on: ['text'],
    name: /(^|\s)--(reruns|retries|retry)([ =]|$)/,
    weight: 'blocks',
  },
  {
    ...RETRY,
    families: ['shell'],
    on: ['use'],
    name: /./,
    weight: ({ place }, { code }) =>
      code !== null && /--(reruns\b|retr(y|ies)[ =][1-9])/.test(code.source(place.node)) ? 'blocks' : null,
  },
]

/** What a line with no tree stands under is told by how far it is indented. */
function inCondition(line: FreshLine, reading: Reading): Weight {
  if (/\b(if|unless|when)\b/.test(line.code)) return 'note'
  const around = blockAround(reading, line.line)?.code.trim() ?? ''
  return /^\W*(else|if|catch|case|switch)\b|\b(if|else|catch)\b.*[{:]$/.test(around) ? 'note' : 'blocks'
}

export const SKIPPED_LINES: readonly LineWire[] = [
  {
    ...SKIP,
    families: ['java'],
    look: 'code',
    pattern: /@(Disabled|Ignore)\b(?!On|If)|\benabled\s*=\s*false|\[(Ignore|Skip)\b|\bSkip\s*=/,
    weight: 'blocks',
  },
  {
    ...SKIP,
    families: ['java'],
    look: 'code',
    pattern: /@(Disabled|Enabled)(On|If)\w*|\bassume(True|False|That|Not)\w*\s*\(/,
    weight: 'note',
  },
  {
    ...SKIP,
    families: ['c'],
    look: 'code',
    pattern: /\bDISABLED_\w+|\bboost::unit_test::disabled\b|\bdoctest::skip\s*\(/,
    weight: 'blocks',
  },
  {
    ...SKIP,
    families: ['c'],
    look: 'code',
    pattern: /\bGTEST_SKIP\s*\(|\bQSKIP\s*\(|^\s*SKIP\s*\(/,
    weight: inCondition,
  },
  {
    ...RETRY,
    families: ['json'],
    look: 'text',
    pattern: /\bretr(y|ies)['"]?\s*:\s*[1-9]/,
    weight: ({ role }) => (role === 'settings' ? 'blocks' : 'note'),
  },
  {
    ...RETRY,
    families: ['java', 'config', 'json'],
    look: 'text',
    pattern:
      /--reruns\b|\breruns\s*=\s*[1-9]|@(RetryingTest|RepeatedIfExceptionsTest)\b|--retries[ =][1-9]|--retry[ =][1-9]|rerunFailingTestsCount/,
    weight: 'blocks',
  },
]
