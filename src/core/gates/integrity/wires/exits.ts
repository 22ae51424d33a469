/** Programs that end before anything can be found out, and results of tests that did not run. */
import { descendants } from '../../../languages/syntax.ts'
import type { FreshFact, FreshLine, Reading } from '../reading.ts'
import { callAround, functionsAround, isConditional } from '../syntax/around.ts'
import { ANYWHERE, type LineWire, type NodeWire, type Weight } from '../wire.ts'

const EXIT = { wire: 'exits-early', saw: 'ends the process as if all were well' } as const
const ZERO = /^(0|None|true|nil|)$/

const isWell = ({ args }: FreshFact): boolean => ZERO.test(args?.[0]?.text ?? '')

/** A program that people start may end; a module that others import may not, least of all while it is imported. */
function exiting(fact: FreshFact, reading: Reading): Weight | null {
  if (!isWell(fact)) return null
  if (fact.role === 'test') return 'blocks'
  if (reading.isEntry) return null
  return runsOnImport(fact, reading) ? 'blocks' : 'note'
}

function runsOnImport(fact: FreshFact, { code, family }: Reading): boolean {
  if (code === null || isConditional(code, fact)) return false
  const around = functionsAround(code, fact.place)
  if (family !== 'go') return around.length === 0
  const [outer] = around.slice(-1)
  return outer !== undefined && code.source(outer).startsWith('func init(')
}

/** Within a test of Python an exit is an exception and fails it; only the hard one passes for the end of all tests. */
function pythonExit(fact: FreshFact, reading: Reading): Weight | null {
  const { name, role } = fact
  if (name === 'pytest.exit') return 'blocks'
  if (!isWell(fact)) return null
  if (role !== 'test') return exiting(fact, reading)
  if (runsOnImport(fact, reading)) return 'blocks'
  const isForked = reading.code?.facts.some(
    ({ name: other, args }) => args !== null && /(^|\.)fork$/.test(other),
  )
  return name === 'os._exit' && isForked !== true ? 'blocks' : 'note'
}

export const EXITS: readonly NodeWire[] = [
  {
    ...EXIT,
    families: ['js'],
    roles: ANYWHERE,
    on: ['use'],
    name: /^process\.(exit|reallyExit|abort)$|^Deno\.exit$/,
    weight: (fact, reading) => {
      if (fact.args === null || (!isWell(fact) && !fact.name.endsWith('reallyExit'))) return null
      return fact.role === 'settings' ? 'blocks' : exiting({ ...fact, args: [] }, reading)
    },
  },
  {
    ...EXIT,
    families: ['js'],
    roles: ANYWHERE,
    on: ['assignment'],
    name: /^process\.exitCode$/,
    weight: (fact, reading) => {
      if (fact.value?.text !== '0') return null
      return fact.role === 'settings' ? 'blocks' : exiting(fact, reading)
    },
  },
  {
    ...EXIT,
    families: ['js'],
    roles: ANYWHERE,
    on: ['use'],
    name: /^process\.(on|once|addListener|prependListener)$/,
    weight: ({ args }) => {
      const [event, handler] = args ?? []
      const isEnd = event?.is === 'text' && /^(exit|beforeExit)$/.test(event.text)
      return isEnd && /\b(exitCode|exit\s*\()/.test(handler?.text ?? '') ? 'blocks' : null
    },
  },
  {
    ...EXIT,
    families: ['python'],
    roles: ANYWHERE,
    on: ['use'],
    name: /^(os\._exit|sys\.exit|exit|quit|pytest\.exit)$/,
    weight: (fact, reading) => (fact.args === null ? null : pythonExit(fact, reading)),
  },
  {
    ...EXIT,
    families: ['python'],
    roles: ANYWHERE,
    on: ['use'],
    name: /^SystemExit$/,
    weight: (fact, reading) =>
      fact.place.parent?.node.kind === 'raise_statement' ? pythonExit(fact, reading) : null,
  },
  {
    ...EXIT,
    families: ['python'],
    roles: ANYWHERE,
    on: ['assignment'],
    name: /(^|\.)exitstatus$/,
    weight: ({ value }) => (value?.text === '0' ? 'blocks' : null),
  },
  {
    ...EXIT,
    families: ['go'],
    roles: ['test', 'source'],
    on: ['use'],
    name: /^os\.Exit$/,
    weight: (fact, reading) => (fact.args?.[0]?.text === '0' ? exiting(fact, reading) : null),
  },
  {
    ...EXIT,
    families: ['rust'],
    roles: ['test', 'source'],
    on: ['use'],
    name: /(^|\.)process\.exit$/,
    weight: ({ args, role }, { isEntry }) =>
      args?.[0]?.text === '0' ? (role === 'test' ? 'blocks' : isEntry ? null : 'note') : null,
  },
  {
    ...EXIT,
    families: ['ruby'],
    roles: ['test', 'source'],
    on: ['use'],
    name: /^(Kernel\.|Process\.)?exit!?$/,
    weight: (fact, reading) =>
      reading.code !== null && callAround(reading.code, fact.place) === 'at_exit'
        ? 'blocks'
        : exiting(fact, reading),
  },
  {
    ...EXIT,
    families: ['ruby'],
    roles: ['test', 'source'],
    on: ['use'],
    name: /^at_exit$/,
    weight: ({ place }, { code }) =>
      code !== null &&
      descendants(place.node, 'identifier', 'call').some((node) => /^exit!?\b/.test(code.source(node)))
        ? 'blocks'
        : null,
  },
]

const FORGED = { wire: 'report-forged', saw: 'holds results of tests that did not run' } as const
const RESULTS = String.raw`(ok \d+ - \w|Ran \d+ tests? in \d|TAP version 1\d(\\n.*)?\\n1\.\.\d)`
const READS = /(^|\.)(test|match|exec|split|search|includes|startsWith|startswith)$/

/** A program that reports tests counts them; one that holds the numbers already makes them up. */
export const FORGED_WIRES: readonly NodeWire[] = [
  {
    ...FORGED,
    families: ['js', 'python', 'go', 'rust', 'ruby', 'shell'],
    roles: ['source'],
    on: ['text'],
    name: new RegExp(String.raw`^([\s\S]*(\\n|\n))?${RESULTS}`),
    weight: ({ place }, { path, code }) => {
      const reads = code !== null && READS.test(callAround(code, place) ?? '')
      return reads || /report|\btap\b/i.test(path) ? 'note' : 'blocks'
    },
  },
]

/** In a function that the loader calls: nothing that is to be tested has begun by then. */
function isBeforeMain(line: FreshLine, reading: Reading): boolean {
  const head = reading.now
    .slice(0, line.line)
    .findLast(({ raw, code }) => /^\S/.test(raw) && code.includes('('))
  return head !== undefined && /__attribute__\s*\(\(\s*(__)?constructor/.test(head.code)
}

export const EXIT_LINES: readonly LineWire[] = [
  {
    ...EXIT,
    look: 'code',
    families: ['java'],
    roles: ['test', 'source'],
    pattern:
      /\bSystem\.exit\s*\(\s*0\s*\)|\bexitProcess\s*\(\s*0\s*\)|\bhalt\s*\(\s*0\s*\)|\bEnvironment\.Exit\s*\(\s*0\s*\)/,
    weight: (line, reading) => (line.role === 'test' ? 'blocks' : reading.isEntry ? null : 'note'),
  },
  {
    ...EXIT,
    look: 'code',
    families: ['c'],
    roles: ['test', 'source'],
    pattern: /\b(_exit|_Exit|quick_exit|std::exit|exit)\s*\(\s*(0|EXIT_SUCCESS)\s*\)/,
    weight: (line, reading) => (isBeforeMain(line, reading) ? 'blocks' : reading.isEntry ? null : 'note'),
  },
  {
    ...FORGED,
    look: 'text',
    families: ['c', 'java'],
    roles: ['source'],
    pattern: new RegExp(String.raw`["'](.*\\n)?${RESULTS}`),
    weight: ({ code }, { path }) =>
      /report|\btap\b/i.test(path) || /\b(match|matches|split|startsWith|strstr|strncmp)\s*\(/.test(code)
        ? 'note'
        : 'blocks',
  },
  {
    ...FORGED,
    saw: 'prints or leaves before main begins',
    look: 'code',
    families: ['c'],
    roles: ['source'],
    pattern: /\b(printf|puts|putchar|fputs|fwrite|write|dprintf|syscall)\s*\((?!.*\bstderr\b)/,
    weight: (line, reading) => (isBeforeMain(line, reading) ? 'blocks' : null),
  },
]
