/** Tests that do not run, or are retried until they pass. */
import { childBy } from '../../../languages/syntax.ts'
import type { Fact } from '../syntax/facts.ts'
import { ancestors, callAround, isConditional, isStatement } from '../syntax/around.ts'
import type { FreshFact, FreshLine, Reading } from '../reading.ts'
import {
  blockAround,
  factWires,
  hasValue,
  isCalled,
  lineWires,
  when,
  type FactRows,
  type Weight,
  type Wire,
} from '../wire.ts'

const TESTS = ['test'] as const
const SKIP = { wire: 'test-skipped', saw: 'skips a test', roles: TESTS } as const
const ONLY = { wire: 'test-only', saw: 'runs one test and skips the others', roles: TESTS } as const
const FAILS = { wire: 'test-expected-to-fail', saw: 'counts a failing test as passed', roles: TESTS } as const
const RETRY = {
  wire: 'test-retried',
  saw: 'retries a test until it passes',
  roles: ['test', 'settings'],
} as const

/** A condition may be legitimate (platform, missing tool), so it is a note for review. */
const underCondition = (fact: FreshFact): Weight => (isConditional(fact) ? 'review' : 'blocks')

/** `it.skip('x', …)` skips a test; `test.skip(isWindows, 'why')` of Playwright only where that is so. */
function skippedTest(fact: FreshFact): Weight {
  const { name, args } = fact
  const hasFunction = args?.some(({ is }) => is === 'function') === true
  if (args === null || (name === 'context.skip' && !hasFunction)) return underCondition(fact)
  if (!name.endsWith('.skip')) return 'blocks'
  const [first] = args
  const hasTitle = first === undefined || first.is === 'text' || hasFunction
  return hasTitle && first?.is !== 'function' ? 'blocks' : 'review'
}

/** `test('x', ({ skip }) => skip())` of Vitest. */
const isOfContext = ({ args, node }: FreshFact): boolean =>
  args !== null && ancestors(node).some((one) => /[{,]\s*skip\b/.test(childBy(one, 'parameters')?.text ?? ''))

/** An option of a test, not of other objects. */
function optionWeight(fact: FreshFact): Weight | null {
  const { value } = fact
  if (value === null) return null
  const call = callAround(fact)
  const isTest =
    call !== null &&
    /^(RSpec\.)?(it|test|describe|suite|context|specify|feature|scenario|example)(\.\w+)*$/.test(call)
  if (/^(false|undefined|nil|\d+)$/.test(value.text) && value.is !== 'text') return null
  const isPlain = value.text === 'true' || value.is === 'text'
  if (isTest) return isPlain ? 'blocks' : 'review'
  return call === null && value.text === 'true' ? 'review' : null
}

/** `skipIf(true)` and `runIf(false)` are not conditions. */
function ifCertain(fact: FreshFact): Weight {
  const { name, args } = fact
  const never = /(runIf|Unless)$/.test(name) ? /^(false|False|0|!1)$/ : /^(true|True|1|!0)$/
  const [first] = args ?? []
  const isCertain = first !== undefined && first.is !== 'text' && never.test(first.text)
  return isCertain ? underCondition(fact) : 'review'
}

const isTrue = ({ value }: Fact): boolean => value?.text === 'true' && value.is !== 'text'
const isCounted = hasValue(/^[1-9]/)
const isTestOption = (fact: FreshFact): boolean => optionWeight(fact) === 'blocks'

const OPTIONS: FactRows = [
  [/^skip$/, optionWeight],
  [/^(todo|pending)$/, when(isTestOption, 'blocks')],
]

/** Without a tree, indentation shows the enclosing block. */
function inCondition(line: FreshLine, reading: Reading): Weight {
  if (/\b(if|unless|when)\b/.test(line.code)) return 'review'
  const around = blockAround(reading, line.line)?.code.trim() ?? ''
  return /^\W*(else|if|catch|case|switch)\b|\b(if|else|catch)\b.*[{:]$/.test(around) ? 'review' : 'blocks'
}

export const SKIPPED: readonly Wire[] = [
  ...factWires(SKIP, {
    'js use': [
      [/^(it|test|describe|suite|context|bench)(\.\w+)*\.skip(\.\w+)*$/, skippedTest],
      [/^(xit|xtest|xdescribe|xcontext|xspecify)(\.\w+)*$/, 'blocks'],
      [/^(t|ctx|this|testContext)\.(skip|pending|todo)$|^pending$/, when(isCalled, underCondition)],
      [/^skip$/, when(isOfContext, underCondition)],
      [/\.(skipIf|runIf)$/, ifCertain],
      [/^(it|test|describe|suite)\.todo$/, 'review'],
    ],
    'js,ruby entry': OPTIONS,
    'python decorator': [[/^(unittest\.)?skip$/, 'blocks']],
    'python use': [
      // Marks of pytest and unittest appear before a function, in a list or among parameters.
      [/^(pytest\.)?mark\.skip$/, 'blocks'],
      [/(^|\.)mark\.skipif$|^(unittest\.)?skip(If|Unless)$/, ifCertain],
      [/^pytest\.skip$|^(self|cls)\.skipTest$/, underCondition],
    ],
    'go use': [[/^[tbf]\.(Skip|Skipf|SkipNow)$/, underCondition]],
    'rust decorator': [[/^ignore$/, 'blocks']],
    'ruby use': [
      [/^(xit|xdescribe|xcontext|xspecify)$/, 'blocks'],
      [/^(skip|pending)$/, when((fact) => isCalled(fact) || isStatement(fact), underCondition)],
    ],
    'shell use': [[/^skip$/, underCondition]],
  }),
  ...lineWires(SKIP, {
    'java code': [
      [/@(Disabled|Ignore)\b(?!On|If)|\benabled\s*=\s*false|\[(Ignore|Skip)\b|\bSkip\s*=/, 'blocks'],
      [/@(Disabled|Enabled)(On|If)\w*|\bassume(True|False|That|Not)\w*\s*\(/, 'review'],
    ],
    'c code': [
      [/\bDISABLED_\w+|\bboost::unit_test::disabled\b|\bdoctest::skip\s*\(/, 'blocks'],
      [/\bGTEST_SKIP\s*\(|\bQSKIP\s*\(|^\s*SKIP\s*\(/, inCondition],
    ],
  }),
  ...factWires(ONLY, {
    'js use': [
      [/^(it|test|describe|suite|context|bench)(\.\w+)*\.only(\.\w+)*$/, 'blocks'],
      [/^(fit|fdescribe|fcontext)(\.\w+)*$/, when(({ args }) => args?.[0]?.is === 'text', 'blocks')],
    ],
    'ruby use': [
      [
        /^(it|describe|context|specify|feature|scenario|RSpec\.describe)$/,
        when(({ args }) => args?.some(({ text }) => text === ':focus') === true, 'blocks'),
      ],
    ],
  }),
  ...factWires(FAILS, {
    'js use': [[/^(it|test)(\.\w+)*\.(fails|failing)(\.\w+)*$/, 'blocks']],
    'js entry': [[/^(expectFailure|failing|fails)$/, when(isTrue, 'blocks')]],
    'python use': [[/(^|\.)mark\.xfail$|^pytest\.xfail$|^(unittest\.)?expectedFailure$/, 'blocks']],
    'rust decorator': [[/^should_panic$/, when(({ args }) => args === null, 'review')]],
  }),
  ...factWires(RETRY, {
    'js use': [
      [
        /^jest\.retryTimes$|^this\.retries$/,
        ({ args }) => (/^[1-9]/.test(args?.[0]?.text ?? '1') ? 'blocks' : null),
      ],
    ],
    // In a test, `retry` may be an option of the tested code.
    'js entry': [
      [/^retr(y|ies)$/, when(isCounted, ({ role }) => (role === 'settings' ? 'blocks' : 'review'))],
    ],
    'python use': [[/(^|\.)mark\.flaky$/, 'blocks']],
    'python entry': [[/^reruns$/, when(isCounted, 'blocks')]],
  }),
]
