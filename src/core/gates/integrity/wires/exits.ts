/** Programs that exit before tests run, and forged test results. */
import { descendants } from '../../../languages/syntax.ts'
import type { FreshFact, FreshLine, Reading } from '../reading.ts'
import { callAround, functionsAround, isConditional, isStatement } from '../syntax/around.ts'
import {
  ANYWHERE,
  factWires,
  hasArgument,
  hasValue,
  isCalled,
  lineWires,
  when,
  type Weight,
  type Wire,
} from '../wire.ts'

const EXIT = { wire: 'exits-early', saw: 'exits early with success', roles: ANYWHERE } as const
const EXIT_IN_CODE = { ...EXIT, roles: ['test', 'source'] } as const
const FORGED = {
  wire: 'report-forged',
  saw: 'contains results of tests that did not run',
  roles: ['source'],
} as const

const isSuccess = hasArgument(/^(0|None|true|nil|)$/)
const isZero = hasArgument(/^0$/)
const isRaised = ({ node }: FreshFact): boolean => node.parent?.kind === 'raise_statement'

/** A program may exit; an imported module may not, least of all during import. */
function exiting(fact: FreshFact, reading: Reading): Weight | null {
  if (!isSuccess(fact)) return null
  if (fact.role === 'test') return 'blocks'
  if (reading.isEntry) return null
  return runsOnImport(fact, reading) ? 'blocks' : 'review'
}

function runsOnImport(fact: FreshFact, { family }: Reading): boolean {
  if (isConditional(fact)) return false
  const around = functionsAround(fact)
  return family === 'go' ? around.at(-1)?.text.startsWith('func init(') === true : around.length === 0
}

/** A call, or an assignment of the exit code. */
function scriptExit(fact: FreshFact, reading: Reading): Weight | null {
  if (fact.args === null && fact.kind === 'use') return null
  return fact.role === 'settings' ? 'blocks' : exiting({ ...fact, args: [] }, reading)
}

/** In a Python test, an exit is an exception and fails the test; only a hard exit ends the run. */
function pythonExit(fact: FreshFact, reading: Reading): Weight | null {
  if (!isSuccess(fact)) return null
  if (fact.role !== 'test') return exiting(fact, reading)
  if (runsOnImport(fact, reading)) return 'blocks'
  const isForked = fact.code.facts.some(({ name, args }) => args !== null && /(^|\.)fork$/.test(name))
  return fact.name === 'os._exit' && !isForked ? 'blocks' : 'review'
}

/** A handler that changes how the process exits. */
function setsExit({ args }: FreshFact): boolean {
  const [event, handler] = args ?? []
  const isEnd = event?.is === 'text' && /^(exit|beforeExit)$/.test(event.text)
  return isEnd && /\b(exitCode|exit\s*\()/.test(handler?.text ?? '')
}

/** `at_exit { exit! }` of Ruby. */
const exitsAgain = ({ node }: FreshFact): boolean =>
  descendants(node, 'identifier', 'call').some(({ text }) => /^exit!?\b/.test(text))

/** For languages in which importing a module runs nothing. */
const unlessEntry = ({ role }: FreshFact | FreshLine, { isEntry }: Reading): Weight | null =>
  role === 'test' ? 'blocks' : isEntry ? null : 'review'

/** In a function that the loader calls before any test starts. */
function isBeforeMain(line: FreshLine, reading: Reading): boolean {
  const head = reading.now
    .slice(0, line.line)
    .findLast(({ raw, code }) => /^\S/.test(raw) && code.includes('('))
  return head !== undefined && /__attribute__\s*\(\(\s*(__)?constructor/.test(head.code)
}

const RESULTS = String.raw`(ok \d+ - \w|Ran \d+ tests? in \d|TAP version 1\d(\\n.*)?\\n1\.\.\d)`
/** Code that compares a text with such results, rather than printing them. */
const READS = /(^|\.)(test|match|exec|split|search|includes|startsWith|startswith)$/
const READING_LINE = /\b(match|matches|split|startsWith|strstr|strncmp)\s*\(/
const FORGED_LINE = new RegExp(String.raw`["'](.*\\n)?${RESULTS}`)

/** A reporter counts tests; one with literal numbers makes them up. */
const forgedUnless = (isRead: boolean, { path }: Reading): Weight =>
  isRead || /report|\btap\b/i.test(path) ? 'review' : 'blocks'

export const EXITS: readonly Wire[] = [
  ...factWires(EXIT, {
    'js use': [
      [/^process\.(exit|abort)$|^Deno\.exit$/, when(isSuccess, scriptExit)],
      [/^process\.(on|once|addListener|prependListener)$/, when(setsExit, 'blocks')],
    ],
    'js assignment': [[/^process\.exitCode$/, when(hasValue(/^0$/), scriptExit)]],
    'python use': [
      [/^(os\._exit|sys\.exit|exit|quit)$/, when(isCalled, pythonExit)],
      [/^SystemExit$/, when(isRaised, pythonExit)],
    ],
    'python assignment': [[/(^|\.)exitstatus$/, when(hasValue(/^0$/), 'blocks')]],
  }),
  ...factWires(EXIT_IN_CODE, {
    'go use': [[/^os\.Exit$/, when(isZero, exiting)]],
    'rust use': [[/(^|\.)process\.exit$/, when(isZero, unlessEntry)]],
    'ruby use': [
      [/^(Kernel\.|Process\.)?exit!?$/, when((fact) => isCalled(fact) || isStatement(fact), exiting)],
      [/^at_exit$/, when(exitsAgain, 'blocks')],
    ],
  }),
  ...lineWires(EXIT_IN_CODE, {
    'java code': [[/\b(System\.exit|exitProcess|halt|Environment\.Exit)\s*\(\s*0\s*\)/, unlessEntry]],
    'c code': [
      [
        /\b(_exit|_Exit|quick_exit|std::exit|exit)\s*\(\s*(0|EXIT_SUCCESS)\s*\)/,
        (line, reading) => (isBeforeMain(line, reading) ? 'blocks' : reading.isEntry ? null : 'review'),
      ],
    ],
  }),
  ...factWires(FORGED, {
    'any text': [
      [
        new RegExp(String.raw`^([\s\S]*(\\n|\n))?${RESULTS}`),
        (fact, reading) => forgedUnless(READS.test(callAround(fact) ?? ''), reading),
      ],
    ],
  }),
  ...lineWires(FORGED, {
    'c,java text': [[FORGED_LINE, ({ code }, reading) => forgedUnless(READING_LINE.test(code), reading)]],
  }),
  ...lineWires(
    { ...FORGED, saw: 'prints or exits before main starts' },
    {
      'c code': [
        [
          /\b(printf|puts|putchar|fputs|fwrite|write|dprintf|syscall)\s*\((?!.*\bstderr\b)/,
          (line, reading) => (isBeforeMain(line, reading) ? 'blocks' : null),
        ],
      ],
    },
  ),
]
