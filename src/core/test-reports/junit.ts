/** Reads JUnit XML. */
import { namedReport, reportedTest, type ReportedTest, type TestOutcome, type TestReport } from './report.ts'
import { readXmlTags, type XmlTag } from './xml.ts'

type OpenTag = Extract<XmlTag, { kind: 'open' }>

export function readJUnit(text: string): TestReport | null {
  const start = text.search(/<testsuites?[\s>/]/)
  if (start === -1) return null
  // The text before the first suite is the declaration or other output; a document type is rejected there too.
  const head = text.slice(0, start)
  if (/<!(DOCTYPE|ENTITY)/i.test(head)) return namedReport('junit', [], ['it declares a document type'])
  const read = readXmlTags(withoutTail(text.slice(start)))
  if (!read.ok) return namedReport('junit', [], [read.why])
  return collect(read.tags)
}

/** Drops output after the report. */
function withoutTail(text: string): string {
  const close = text.startsWith('<testsuites') ? '</testsuites>' : null
  const end = close === null ? text.lastIndexOf('</testsuite>') : text.lastIndexOf(close)
  return end === -1 ? text : text.slice(0, end + (close ?? '</testsuite>').length)
}

function collect(tags: readonly XmlTag[]): TestReport {
  const tests: ReportedTest[] = []
  const suites: string[] = []
  let open: { readonly tag: OpenTag; outcome: TestOutcome } | null = null
  for (const tag of tags) {
    if (tag.kind === 'close') {
      if (tag.name === 'testcase' && open !== null) {
        tests.push(testOf(open.tag, open.outcome))
        open = null
      }
      if (tag.name === 'testsuite') suites.pop()
    } else if (tag.name === 'testcase') {
      if (tag.isEmpty) tests.push(testOf(tag, statusOf(tag)))
      else open = { tag, outcome: statusOf(tag) }
    } else if (tag.name === 'testsuite') {
      if (!tag.isEmpty) suites.push(tag.attributes['name'] ?? 'suite')
    } else if (open !== null) {
      open.outcome = worse(open.outcome, outcomeIn(tag))
    } else if (outcomeIn(tag) === 'failed') {
      tests.push(reportedTest(suites.at(-1) ?? 'suite', 'failed'))
    }
  }
  const cut = open === null && suites.length === 0 ? [] : ['the report is incomplete']
  return namedReport('junit', tests, cut)
}

function testOf({ attributes }: OpenTag, outcome: TestOutcome): ReportedTest {
  const { name = '', classname = '', file } = attributes
  const full =
    classname === '' || classname === name || classname === 'test' ? name : `${classname} > ${name}`
  return reportedTest(full, outcome, file === undefined || file === '' ? null : file)
}

function statusOf({ attributes }: OpenTag): TestOutcome {
  const status = attributes['status']?.toLowerCase() ?? ''
  if (status === 'fail' || status === 'failed' || status === 'error') return 'failed'
  return /^(notrun|disabled|skipped|ignored)$/.test(status) ? 'skipped' : 'passed'
}

function outcomeIn(tag: OpenTag): TestOutcome {
  switch (tag.name) {
    case 'failure':
    case 'error':
    case 'rerunFailure':
    case 'rerunError':
      return 'failed'
    case 'skipped':
    case 'disabled':
      return tag.attributes['type'] === 'todo' ? 'todo' : 'skipped'
    default:
      return 'passed'
  }
}

const WEIGHT: Readonly<Record<TestOutcome, number>> = { passed: 0, todo: 1, skipped: 2, failed: 3 }

function worse(one: TestOutcome, other: TestOutcome): TestOutcome {
  return WEIGHT[other] > WEIGHT[one] ? other : one
}
