/** Detects the report format of a test run and reads it. Unknown formats have no counts. */
import { readCargo, readCTest, readDotnet, readGo, readGTest, readMeson, readSurefire } from './compiled.ts'
import { readJest, readMocha, readVitest, readPytest, readUnittest } from './script-reports.ts'
import {
  linesOf,
  namedReport,
  reportedTest,
  type ReportReader,
  type TestReport,
  type ReportedTest,
  type TestOutcome,
} from './report.ts'
import { readSummary } from './summaries.ts'
import { readNodeSpec, readTap } from './tap.ts'

/** Longer reports are cut. Outputs are shorter: their middle was dropped before. */
const MAX_REPORT_CHARS = 64 * 1024 * 1024

/** Unambiguous formats come first. */
const READERS: readonly ReportReader[] = [
  readTap,
  readNodeSpec,
  readVitest,
  readJest,
  readCargo,
  readCTest,
  readMeson,
  readGTest,
  readSurefire,
  readDotnet,
  readGo,
  readPytest,
  readUnittest,
  readMocha,
  readSummary,
]

/** How to read the result of a test command, as configured. */
export type ReportHint =
  | { readonly kind: 'auto' }
  | { readonly kind: 'tap' }
  /** Only the exit code counts; `isAccepted`: by the answer of a person whom the plan asked. */
  | { readonly kind: 'exit'; readonly isAccepted?: true }
  | { readonly kind: 'junit'; readonly path: string }

export function reportHintOf(setting: string | undefined): ReportHint {
  if (setting === 'tap' || setting === 'exit') return { kind: setting }
  return setting?.startsWith('junit:') === true
    ? { kind: 'junit', path: setting.slice('junit:'.length) }
    : { kind: 'auto' }
}

/** Null if the format is unknown. For `junit`, `text` is the report file. */
export function detectReport(text: string, hint: ReportHint): TestReport | null {
  const bounded = text.length > MAX_REPORT_CHARS ? text.slice(-MAX_REPORT_CHARS) : text
  switch (hint.kind) {
    case 'exit':
      return null
    case 'tap':
      return readTap(linesOf(bounded))
    case 'junit':
      return readJUnit(bounded)
    case 'auto': {
      if (/^\s{0,99}<(\?xml|testsuite)/.test(bounded)) return readJUnit(bounded)
      const lines = linesOf(bounded)
      for (const read of READERS) {
        const report = read(lines, bounded)
        if (report !== null) return report
      }
      return readJUnit(bounded)
    }
  }
}

/** Reads JUnit XML by its tags, in one pass; a document type is refused, because it could declare entities. */
interface OpenTag {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

const MAX_TAGS = 500_000
/** A comment, a section or a tag; one that does not end goes to the end of the text, so that the time stays linear. */
const TAG =
  /<!--[^]*?(?:-->|$)|<!\[CDATA\[[^]*?(?:\]\]>|$)|<\?[^]*?(?:\?>|$)|<(?<close>\/?)(?<name>[A-Za-z_][\w:.-]*)(?<rest>[^"'<>]*(?:(?:"[^"]*"|'[^']*')[^"'<>]*)*)>/g

function readJUnit(text: string): TestReport | null {
  const start = text.search(/<testsuites?[\s>/]/)
  if (start === -1) return null
  const body = withoutTail(text.slice(start))
  // The text before the first suite is the declaration or other output.
  if (/<!(DOCTYPE|ENTITY)/i.test(text.slice(0, start)) || /<!(DOCTYPE|ENTITY)/i.test(body.replace(TEXTS, '')))
    return namedReport('junit', [], ['it declares a document type'])
  return collect(body)
}

/** Parts of a document whose content is not markup. */
const TEXTS = /<!--[^]*?(?:-->|$)|<!\[CDATA\[[^]*?(?:\]\]>|$)/g

/** Drops output after the report. */
function withoutTail(text: string): string {
  const close = text.startsWith('<testsuites') ? '</testsuites>' : '</testsuite>'
  const end = text.lastIndexOf(close)
  return end === -1 ? text : text.slice(0, end + close.length)
}

function collect(text: string): TestReport {
  const tests: ReportedTest[] = []
  const suites: string[] = []
  let open: { readonly tag: OpenTag; outcome: TestOutcome } | null = null
  let tags = 0
  for (const { groups } of text.matchAll(TAG)) {
    const { close = '', name = '', rest = '' } = groups ?? {}
    if (name === '') continue
    if (++tags > MAX_TAGS) return namedReport('junit', [], [`it has more than ${MAX_TAGS} tags`])
    const tag = { name, attributes: attributesOf(rest) }
    const isEmpty = rest.endsWith('/')
    if (close !== '') {
      if (name === 'testcase' && open !== null) {
        tests.push(testOf(open.tag, open.outcome))
        open = null
      }
      if (name === 'testsuite') suites.pop()
    } else if (name === 'testcase') {
      if (isEmpty) tests.push(testOf(tag, statusOf(tag)))
      else open = { tag, outcome: statusOf(tag) }
    } else if (name === 'testsuite') {
      if (!isEmpty) suites.push(tag.attributes['name'] ?? 'suite')
    } else if (open !== null) {
      open.outcome = worse(open.outcome, outcomeIn(tag))
    } else if (outcomeIn(tag) === 'failed') {
      tests.push(reportedTest(suites.at(-1) ?? 'suite', 'failed'))
    }
  }
  const cut = open === null && suites.length === 0 && tags > 0 ? [] : ['the report is incomplete']
  return namedReport('junit', tests, cut)
}

function testOf({ attributes }: OpenTag, outcome: TestOutcome): ReportedTest {
  const { name = '', classname = '', file = '' } = attributes
  const full =
    classname === '' || classname === name || classname === 'test' ? name : `${classname} > ${name}`
  return reportedTest(full, outcome, file === '' ? null : file)
}

function statusOf({ attributes }: OpenTag): TestOutcome {
  const status = attributes['status']?.toLowerCase() ?? ''
  if (status === 'fail' || status === 'failed' || status === 'error') return 'failed'
  return /^(notrun|disabled|skipped|ignored)$/.test(status) ? 'skipped' : 'passed'
}

function outcomeIn({ name, attributes }: OpenTag): TestOutcome {
  if (/^(failure|error|rerunFailure|rerunError)$/.test(name)) return 'failed'
  if (!/^(skipped|disabled)$/.test(name)) return 'passed'
  return attributes['type'] === 'todo' ? 'todo' : 'skipped'
}

const WORST_FIRST: readonly TestOutcome[] = ['failed', 'skipped', 'todo', 'passed']
const worse = (...both: readonly TestOutcome[]): TestOutcome =>
  WORST_FIRST.find((outcome) => both.includes(outcome)) ?? 'passed'

/** The lookbehind keeps it linear: no match is tried within a name. */
const ATTRIBUTE = /(?<![\w:.-])([A-Za-z_][\w:.-]*)\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)')/g

const attributesOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(ATTRIBUTE)].map(([, name = '', double, single]) => [
      name,
      decoded(double ?? single ?? ''),
    ]),
  )

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** Unknown entities stay as written; control characters become blanks. */
const decoded = (value: string): string =>
  value.replace(
    /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|([a-z]{2,4}));/g,
    (whole, dec?: string, hex?: string, name = '') => {
      if (dec === undefined && hex === undefined) return ENTITIES[name] ?? whole
      const code = dec === undefined ? Number.parseInt(hex ?? '', 16) : Number(dec)
      const isValid = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
      return (isValid ? String.fromCodePoint(code) : ' ').replace(/\p{Cc}/u, ' ')
    },
  )
