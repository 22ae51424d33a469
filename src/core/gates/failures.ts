/**
 * Names what did not pass, so that two runs of a gate on different bases can be compared: a person's override holds for the
 * same failures, whatever else landed. Counts and line numbers are left out, because they change with every landing.
 */
import type { Finding } from '../event-schemas/evidence.ts'
import { tellingLines } from './key-lines.ts'
import { knownFindings } from './known-findings.ts'

/** How a finding begins that names a test. */
export const FAILING_TEST = /^(?:fails|still fails, as on the base|passed on the base, now failed): /
const TEST_COUNT = /\d+ of \d+ tests passed(?:, \d+ skipped)?(?:; |, but )?/g
const FATAL_NOUNS: ReadonlySet<string> = new Set(['error', 'failure'])

/** The blocking findings or, without any, the summary. */
export function failuresIn(summary: string, findings: readonly Finding[]): readonly string[] {
  const blocks = findings.filter(({ weight }) => weight === 'blocks')
  return blocks.length === 0 ? [summary.replaceAll(TEST_COUNT, '')] : withOrdinals(blocks)
}

/** A test fails once, however many runs show it; of other equal findings, each counts. */
function withOrdinals(blocks: readonly Finding[]): readonly string[] {
  const times = new Map<string, number>()
  const names = blocks.map(({ text, file }) => {
    if (FAILING_TEST.test(text)) return text.replace(FAILING_TEST, 'fails: ')
    const name = file === null ? text : `${file}: ${text}`
    const time = (times.get(name) ?? 0) + 1
    times.set(name, time)
    return time === 1 ? name : `${name} (${time})`
  })
  return [...new Set(names)]
}

/** What a tool without a report printed about its errors; empty if it printed nothing of the kind. */
export function failuresPrinted(text: string, folders: readonly string[]): readonly string[] {
  const { lines, totals } = knownFindings({ text: tellingLines(text).join('\n'), folders })
  const printed = Object.entries(lines).flatMap(([line, count]) =>
    Array.from({ length: count }, (_, at) => (at === 0 ? line : `${line} (${at + 1})`)),
  )
  const counted = Object.entries(totals).filter(([noun]) => FATAL_NOUNS.has(noun))
  return [...printed, ...counted.map(([noun, count]) => `${count} ${noun}s in all`)]
}
