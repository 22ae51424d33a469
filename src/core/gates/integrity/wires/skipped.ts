/** Tests that do not run, or are retried until they pass. */
import { childBy } from '../../../languages/syntax.ts'
import type { Fact } from '../syntax/facts.ts'
import { ancestors, callAround, isConditional, isStatement } from '../syntax/around.ts'
import type { FreshFact, FreshLine, Reading } from '../reading.ts'
import { blockAround, nodeWires, type LineWire, type NodeRows, type NodeWire, type Weight } from '../wire.ts'

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
const underCondition = (fact: FreshFact, { code }: Reading): Weight =>
  code !== null && isConditional(code, fact) ? 'note' : 'blocks'

/** `it.skip('x', …)` skips a test; `test.skip(isWindows, 'why')` of Playwright only where that is so. */
function skipCall({ name, args }: Fact): Weight {
  if (!name.endsWith('.skip')) return 'blocks'
  const [first, ...rest] = args ?? []
  const hasTitle = first === undefined || first.is === 'text' || rest.some(({ is }) => is === 'function')
  return hasTitle && first?.is !== 'function' ? 'blocks' : 'note'
}

/** `test('x', ({ skip }) => skip())` of Vitest. */
function ofContext(fact: FreshFact, reading: Reading): Weight | null {
  const { code } = reading
  const isGiven = ancestors(fact.place).some(({ node }) => {
    const given = childBy(node, 'parameters')
    return code !== null && given !== null && /[{,]\s*skip\b/.test(code.source(given))
  })
  return fact.args !== null && isGiven ? underCondition(fact, reading) : null
}

/** An option of a test, not of other objects. */
function optionWeight({ value, place }: FreshFact, { code }: Reading): Weight | null {
  if (code === null || value === null) return null
  const call = callAround(code, place)
  const isTest =
    call !== null &&
    /^(RSpec\.)?(it|test|describe|suite|context|specify|feature|scenario|example)(\.\w+)*$/.test(call)
  if (/^(false|undefined|nil|\d+)$/.test(value.text) && value.is !== 'text') return null
  const isPlain = value.text === 'true' || value.is === 'text'
  if (isTest) return isPlain ? 'blocks' : 'note'
  return call === null && value.text === 'true' ? 'note' : null
}

/** `skipIf(true)` and `runIf(false)` are not conditions. */
function ifCertain(fact: FreshFact, reading: Reading): Weight {
  const { name, args } = fact
  const never = /(runIf|Unless)$/.test(name) ? /^(false|False|0|!1)$/ : /^(true|True|1|!0)$/
  const [first] = args ?? []
  const isCertain = first !== undefined && first.is !== 'text' && never.test(first.text)
  return isCertain ? underCondition(fact, reading) : 'note'
}

const isTrue = ({ value }: Fact): boolean => value?.text === 'true' && value.is !== 'text'

/** Marks of pytest and unittest appear before a function, in a list or among parameters. */
const PYTHON_SKIPS: NodeRows = [
  [/^(pytest\.)?mark\.skip$/, 'blocks'],
  [/(^|\.)mark\.skipif$|^(unittest\.)?skip(If|Unless)$/, ifCertain],
  [/(^|\.)importorskip$/, 'note'],
]
const PYTHON_FAILS: NodeRows = [
  [/(^|\.)mark\.xfail$|^pytest\.xfail$|^(unittest\.)?expectedFailure$/, 'blocks'],
]
const FLAKY: NodeRows = [[/(^|\.)mark\.flaky$/, 'blocks']]
const OPTIONS: NodeRows = [
  [/^skip$/, optionWeight],
  [/^(todo|pending)$/, (fact, reading) => (optionWeight(fact, reading) === 'blocks' ? 'blocks' : null)],
]
const FOCUS: NodeRows = [
  [
    /^(only|focus)$/,
    (fact, reading) => (isTrue(fact) && optionWeight(fact, reading) === 'blocks' ? 'blocks' : null),
  ],
]
const ifCounted = ({ value }: Fact): Weight | null => (/^[1-9]/.test(value?.text ?? '') ? 'blocks' : null)

export const SKIPPED: readonly NodeWire[] = [
  ...nodeWires(SKIP, {
    js: {
      use: [
        [
          /^(it|test|describe|suite|context|bench)(\.\w+)*\.skip(\.\w+)*$/,
          (fact, reading) => {
            if (fact.args === null) return underCondition(fact, reading)
            const isContext = fact.name === 'context.skip' && !fact.args.some(({ is }) => is === 'function')
            return isContext ? underCondition(fact, reading) : skipCall(fact)
          },
        ],
        [/^(xit|xtest|xdescribe|xcontext|xspecify)(\.\w+)*$/, 'blocks'],
        [
          /^(t|ctx|this|testContext)\.(skip|pending|todo)$|^pending$/,
          (fact, reading) => (fact.args === null ? null : underCondition(fact, reading)),
        ],
        [/^skip$/, ofContext],
        [/\.(skipIf|runIf)$/, ifCertain],
        [/^(it|test|describe|suite)\.todo$/, 'note'],
      ],
      entry: OPTIONS,
    },
    python: {
      decorator: [...PYTHON_SKIPS, [/^(unittest\.)?skip$/, 'blocks']],
      use: [
        ...PYTHON_SKIPS,
        [/^collect_ignore(_glob)?$/, 'blocks'],
        [/^pytest\.skip$|^(self|cls)\.skipTest$/, underCondition],
        [
          /^(unittest\.)?SkipTest$/,
          (fact, reading) =>
            fact.place.parent?.node.kind === 'raise_statement' ? underCondition(fact, reading) : null,
        ],
      ],
      assignment: [
        [/^collect_ignore(_glob)?$/, 'blocks'],
        [/(^|\.)__test__$/, ({ value }) => (value?.text === 'False' ? 'blocks' : null)],
      ],
    },
    go: { use: [[/^[tbf]\.(Skip|Skipf|SkipNow)$/, underCondition]] },
    rust: {
      decorator: [
        [/^ignore$/, 'blocks'],
        [/^cfg_attr$/, ({ args }) => (args?.some(({ text }) => /^ignore\b/.test(text)) ? 'note' : null)],
      ],
    },
    ruby: {
      use: [
        [/^(xit|xdescribe|xcontext|xspecify)$/, 'blocks'],
        [
          /^(skip|pending)$/,
          (fact, reading) =>
            fact.args === null && !isStatement(fact) ? null : underCondition(fact, reading),
        ],
      ],
      entry: OPTIONS,
    },
    shell: { use: [[/^skip$/, underCondition]] },
  }),
  ...nodeWires(ONLY, {
    js: {
      use: [
        [/^(it|test|describe|suite|context|bench)(\.\w+)*\.only(\.\w+)*$/, 'blocks'],
        [/^(fit|fdescribe|fcontext)(\.\w+)*$/, ({ args }) => (args?.[0]?.is === 'text' ? 'blocks' : null)],
      ],
      entry: FOCUS,
    },
    ruby: {
      use: [
        [/^(fit|fdescribe|fcontext)$/, 'blocks'],
        [
          /^(it|describe|context|specify|feature|scenario|RSpec\.describe)$/,
          ({ args }) => (args?.some(({ text }) => text === ':focus') ? 'blocks' : null),
        ],
      ],
      entry: FOCUS,
    },
  }),
  ...nodeWires(FAILS, {
    js: {
      use: [[/^(it|test)(\.\w+)*\.(fails|failing)(\.\w+)*$/, 'blocks']],
      entry: [[/^(expectFailure|failing|fails)$/, (fact) => (isTrue(fact) ? 'blocks' : null)]],
    },
    python: { use: PYTHON_FAILS, decorator: PYTHON_FAILS },
    rust: { decorator: [[/^should_panic$/, ({ args }) => (args === null ? 'note' : null)]] },
  }),
  ...nodeWires(RETRY, {
    js: {
      use: [
        [
          /^jest\.retryTimes$|^this\.retries$/,
          ({ args }) => (/^[1-9]/.test(args?.[0]?.text ?? '1') ? 'blocks' : null),
        ],
      ],
      // In a test, `retry` may be an option of the tested code.
      entry: [
        [
          /^retr(y|ies)$/,
          (fact) => (ifCounted(fact) === null ? null : fact.role === 'settings' ? 'blocks' : 'note'),
        ],
      ],
    },
    python: {
      use: FLAKY,
      decorator: FLAKY,
      entry: [[/^reruns$/, ifCounted]],
      assignment: [[/^reruns$/, ifCounted]],
      text: [[/(^|\s)--(reruns|retries|retry)([ =]|$)/, 'blocks']],
    },
    shell: {
      use: [
        [
          /./,
          ({ place }, { code }) =>
            code !== null && /--(reruns\b|retr(y|ies)[ =][1-9])/.test(code.source(place.node))
              ? 'blocks'
              : null,
        ],
      ],
    },
  }),
]

/** Without a tree, indentation shows the enclosing block. */
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
