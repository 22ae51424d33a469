/** Programs that exit before tests run, and forged test results. */
import { descendants } from '../../../languages/syntax.ts'
import type { FreshFact, FreshLine, Reading } from '../reading.ts'
import { callAround, functionsAround, isConditional, isStatement } from '../syntax/around.ts'
import { ANYWHERE, nodeWires, type LineWire, type NodeRows, type NodeWire, type Weight } from '../wire.ts'

const EXIT = { wire: 'exits-early', saw: 'exits early with success', roles: ANYWHERE } as const
const ZERO = /^(0|None|true|nil|)$/

const isWell = ({ args }: FreshFact): boolean => ZERO.test(args?.[0]?.text ?? '')

const isZero = ({ args }: FreshFact): boolean => args?.[0]?.text === '0'

/** A program may exit; an imported module may not, least of all during import. */
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

function scriptExit(fact: FreshFact, reading: Reading): Weight | null {
  if (fact.args === null) return null
  return fact.role === 'settings' ? 'blocks' : exiting({ ...fact, args: [] }, reading)
}

/** In a Python test, an exit is an exception and fails the test; only a hard exit ends the run. */
function pythonExit(fact: FreshFact, reading: Reading): Weight | null {
  const { name, role } = fact
  if (!isWell(fact)) return null
  if (role !== 'test') return exiting(fact, reading)
  if (runsOnImport(fact, reading)) return 'blocks'
  const isForked = reading.code?.facts.some(
    ({ name: other, args }) => args !== null && /(^|\.)fork$/.test(other),
  )
  return name === 'os._exit' && isForked !== true ? 'blocks' : 'note'
}

export const EXITS: readonly NodeWire[] = [
  ...nodeWires(EXIT, {
    js: {
      use: [
        [
          /^process\.(exit|abort)$|^Deno\.exit$/,
          (fact, reading) => (isWell(fact) ? scriptExit(fact, reading) : null),
        ],
        [/^process\.reallyExit$/, scriptExit],
        [
          /^process\.(on|once|addListener|prependListener)$/,
          ({ args }) => {
            const [event, handler] = args ?? []
            const isEnd = event?.is === 'text' && /^(exit|beforeExit)$/.test(event.text)
            return isEnd && /\b(exitCode|exit\s*\()/.test(handler?.text ?? '') ? 'blocks' : null
          },
        ],
      ],
      assignment: [
        [
          /^process\.exitCode$/,
          (fact, reading) => (fact.value?.text === '0' ? scriptExit({ ...fact, args: [] }, reading) : null),
        ],
      ],
    },
    python: {
      use: [
        [
          /^(os\._exit|sys\.exit|exit|quit)$/,
          (fact, reading) => (fact.args === null ? null : pythonExit(fact, reading)),
        ],
        [/^pytest\.exit$/, ({ args }) => (args === null ? null : 'blocks')],
        [
          /^SystemExit$/,
          (fact, reading) =>
            fact.place.parent?.node.kind === 'raise_statement' ? pythonExit(fact, reading) : null,
        ],
      ],
      assignment: [[/(^|\.)exitstatus$/, ({ value }) => (value?.text === '0' ? 'blocks' : null)]],
    },
  }),
  ...nodeWires(
    { ...EXIT, roles: ['test', 'source'] },
    {
      go: { use: [[/^os\.Exit$/, (fact, reading) => (isZero(fact) ? exiting(fact, reading) : null)]] },
      rust: {
        use: [
          [
            /(^|\.)process\.exit$/,
            (fact, { isEntry }) =>
              isZero(fact) ? (fact.role === 'test' ? 'blocks' : isEntry ? null : 'note') : null,
          ],
        ],
      },
      ruby: {
        use: [
          [
            /^(Kernel\.|Process\.)?exit!?$/,
            (fact, reading) => (fact.args === null && !isStatement(fact) ? null : exiting(fact, reading)),
          ],
          [
            /^at_exit$/,
            ({ place }, { code }) =>
              code !== null &&
              descendants(place.node, 'identifier', 'call').some((node) =>
                /^exit!?\b/.test(code.source(node)),
              )
                ? 'blocks'
                : null,
          ],
        ],
      },
    },
  ),
]

const FORGED = { wire: 'report-forged', saw: 'contains results of tests that did not run' } as const
const RESULTS = String.raw`(ok \d+ - \w|Ran \d+ tests? in \d|TAP version 1\d(\\n.*)?\\n1\.\.\d)`
const READS = /(^|\.)(test|match|exec|split|search|includes|startsWith|startswith)$/

/** A reporter counts tests; one with literal numbers makes them up. */
const FORGED_TEXT: NodeRows = [
  [
    new RegExp(String.raw`^([\s\S]*(\\n|\n))?${RESULTS}`),
    ({ place }, { path, code }) => {
      const reads = code !== null && READS.test(callAround(code, place) ?? '')
      return reads || /report|\btap\b/i.test(path) ? 'note' : 'blocks'
    },
  ],
]
export const FORGED_WIRES: readonly NodeWire[] = nodeWires(
  { ...FORGED, roles: ['source'] },
  Object.fromEntries(
    (['js', 'python', 'go', 'rust', 'ruby', 'shell'] as const).map((family) => [
      family,
      { text: FORGED_TEXT },
    ]),
  ),
)

/** In a function that the loader calls before any test starts. */
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
    saw: 'prints or exits before main starts',
    look: 'code',
    families: ['c'],
    roles: ['source'],
    pattern: /\b(printf|puts|putchar|fputs|fwrite|write|dprintf|syscall)\s*\((?!.*\bstderr\b)/,
    weight: (line, reading) => (isBeforeMain(line, reading) ? 'blocks' : null),
  },
]
