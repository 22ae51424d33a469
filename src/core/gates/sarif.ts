/** Reads SARIF 2.1 reports of linters and scanners. */
import type { Finding, RunEvidence } from '../event-schemas/evidence.ts'
import { blocking, couldRun, judgeRun, note, type Outcome } from './verdicts.ts'
import { counted } from '../../lib/text/counted.ts'
import { list, mapping, text, type Mapping } from './documents.ts'

export interface SarifReport {
  /** Errors block; the rest is for review. */
  readonly findings: readonly Finding[]
  readonly errors: number
  /** The tool reports that its run did not complete. */
  readonly isUnfinished: boolean
}

const MOST_RESULTS = 10_000

/** Null if the text is not SARIF. Paths are made relative to `folders`, the paths of the checkout. */
export function readSarif(output: string, folders: readonly string[]): SarifReport | null {
  const root = sarifIn(output)
  if (root === null) return null
  const runs = list(root['runs']).map(mapping)
  const results = runs.flatMap((run) => resultsOf(run, folders)).slice(0, MOST_RESULTS)
  const isUnfinished = runs.some((run) =>
    list(run['invocations']).some((one) => mapping(one)['executionSuccessful'] === false),
  )
  return {
    findings: results,
    errors: results.filter(({ weight }) => weight === 'blocks').length,
    isUnfinished,
  }
}

/** Judges a command by its exit code and, if it prints one, its SARIF report: reported errors fail it even if it exits with 0. */
export function judgeReported(
  run: RunEvidence,
  stdout: string,
  folders: readonly string[],
): { readonly outcome: Outcome; readonly summary: string; readonly findings: readonly Finding[] } {
  const { outcome, summary } = judgeRun(run)
  const report = couldRun(run.ending) ? readSarif(stdout, folders) : null
  if (report === null) return { outcome, summary, findings: [] }
  const { findings, errors, isUnfinished } = report
  const full = `${summary}; its report has ${counted(errors, 'error')}`
  if (outcome === 'passed' && errors > 0) return { outcome: 'failed', summary: full, findings }
  if (outcome === 'passed' && isUnfinished) {
    return {
      outcome: 'inconclusive',
      summary: `${summary}; its report says that the run did not complete`,
      findings,
    }
  }
  return { outcome, summary: full, findings }
}

/** Skips text that some tools print before the report. */
function sarifIn(output: string): Mapping | null {
  if (!output.includes('"runs"')) return null
  const start = /^\{/m.exec(output)?.index ?? -1
  const end = output.lastIndexOf('}')
  if (start === -1 || end < start) return null
  try {
    const root = mapping(JSON.parse(output.slice(start, end + 1)))
    return text(root['version']).startsWith('2.1') && Array.isArray(root['runs']) ? root : null
  } catch {
    // Not SARIF.
    return null
  }
}

function resultsOf(run: Mapping, folders: readonly string[]): readonly Finding[] {
  const tool = mapping(mapping(run['tool'])['driver'])
  const rules = list(tool['rules']).map(mapping)
  const levels = new Map(
    rules.map((rule) => [text(rule['id']), text(mapping(rule['defaultConfiguration'])['level'])] as const),
  )
  return list(run['results']).flatMap((value): readonly Finding[] => {
    const result = mapping(value)
    const kind = text(result['kind'])
    if (kind !== '' && kind !== 'fail' && kind !== 'open' && kind !== 'review') return []
    if (isSuppressed(result)) return []
    const index = result['ruleIndex']
    const rule = text(result['ruleId']) || text(typeof index === 'number' ? rules[index]?.['id'] : '')
    const level = text(result['level']) || levels.get(rule) || 'warning'
    if (level === 'none' || text(result['baselineState']) === 'absent') return []
    const isError = level === 'error' && text(result['baselineState']) !== 'unchanged'
    const message = mapping(result['message'])
    const described = [rule, text(message['text']) || text(message['markdown'])]
      .filter((word) => word !== '')
      .join(': ')
    const place = placeOf(result, folders)
    const shown = described === '' ? 'a finding without a message' : described
    return [isError ? blocking(shown, place.file, place.line) : note(shown, place.file, place.line)]
  })
}

/** Whether every suppression of the result is accepted. */
function isSuppressed(result: Mapping): boolean {
  const all = list(result['suppressions']).map(mapping)
  return (
    all.length > 0 && all.every((one) => text(one['status']) === '' || text(one['status']) === 'accepted')
  )
}

function placeOf(
  result: Mapping,
  folders: readonly string[],
): { readonly file: string | null; readonly line: number | null } {
  const location = mapping(mapping(list(result['locations'])[0])['physicalLocation'])
  const uri = text(mapping(location['artifactLocation'])['uri'])
  const line = mapping(location['region'])['startLine']
  return {
    file: uri === '' ? null : relative(uri, folders),
    line: typeof line === 'number' && line >= 1 ? Math.floor(line) : null,
  }
}

function relative(uri: string, folders: readonly string[]): string {
  const path = decoded(uri.replace(/^file:\/\/(?:localhost)?/, ''))
  const folder = folders.find((one) => path.startsWith(`${one}/`))
  return (folder === undefined ? path : path.slice(folder.length + 1))
    .replace(/^\.\//, '')
    .replace(/\p{Cc}/gu, '')
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri)
  } catch {
    return uri
  }
}
