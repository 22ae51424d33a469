/** Judges commands by what they print: SARIF reports, values with a reference, and held-out checks. */
import type { Finding, RunEvidence } from '../event-schemas/evidence.ts'
import { blocking, couldRun, judgeRun, note, worst, verdict, type Outcome } from './verdicts.ts'
import { counted } from '../../lib/text/counted.ts'
import { list, mapping, text, jsonObject, type Mapping } from './documents.ts'
import type { Reference } from '../planning/plan.ts'
import type { TestJudgement } from './tests/judge-tests.ts'
import type { Verdict } from '../event-schemas/schemas.ts'

interface SarifReport {
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
  const root = jsonObject(output.slice(start, end + 1))
  const isSarif = text(root?.['version']).startsWith('2.1') && Array.isArray(root?.['runs'])
  return isSarif ? root : null
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

type References = Readonly<Record<string, Reference>>

const MOST_TEXT = 4 * 1024 * 1024
const MOST_LINES_OF_AN_OBJECT = 10_000
/** After so many lines that only look like the start of an object, multi-line objects are no longer searched. */
const MOST_MISSES = 100

/**
 * Compares values that a command prints with reference values of the plan, which no worker can change. Missing, non-finite and
 * contradictory values do not pass; nor do those of a failed command.
 */
export function judgeValues(run: RunEvidence, stdout: string, reference: References): TestJudgement {
  const judged = judgeRun(run)
  if (judged.outcome === 'passed') return compareValues(stdout, reference)
  return { ...judged, findings: [blocking(judged.summary)] }
}

/** The findings are one per reference, in plan order. */
export function compareValues(stdout: string, reference: References): TestJudgement {
  const names = Object.keys(reference)
  if (names.length === 0) {
    const summary = 'no reference values given'
    return { outcome: 'inconclusive', summary, findings: [blocking(summary)] }
  }
  const printed = printedValues(stdout, new Set(names))
  const compared = Object.entries(reference).map(([name, expected]) =>
    compareOne(name, expected, printed.get(name) ?? []),
  )
  const outcome = worst(compared.map((one) => one.outcome))
  const reasons = compared.filter((one) => one.outcome === outcome).map((one) => one.summary)
  const isShort = outcome === 'passed' && reasons.length > 3
  return {
    outcome,
    summary: isShort ? `${reasons.length} values are within tolerance` : reasons.join('; '),
    findings: compared.map((one) => (one.outcome === 'passed' ? note(one.summary) : blocking(one.summary))),
  }
}

/** The printed value per name; null if missing, contradictory or not a finite number. */
export function measuredValues(stdout: string, names: readonly string[]): Record<string, number | null> {
  const printed = printedValues(stdout, new Set(names))
  return Object.fromEntries(
    names.map((name) => {
      const [only = null, ...more] = new Set((printed.get(name) ?? []).map(numberIn))
      return [name, more.length === 0 && Number.isFinite(only) ? only : null]
    }),
  )
}

function compareOne(
  name: string,
  expected: Reference,
  printed: readonly string[],
): Omit<TestJudgement, 'findings'> {
  const wanted = `the reference is ${expected.value}${formatTolerance(expected)}`
  const texts = [...new Set(printed)]
  const numbers = [...new Set(texts.map(numberIn))]
  const [text = ''] = texts
  const [actual] = numbers
  if (actual === undefined) return { outcome: 'failed', summary: `${name} was not printed; ${wanted}` }
  if (numbers.length > 1) {
    const shown = texts.slice(0, 3).join(', ')
    return { outcome: 'inconclusive', summary: `${name} was printed with different values: ${shown}` }
  }
  if (actual === null)
    return { outcome: 'inconclusive', summary: `${name} is not a number: ${text.slice(0, 60)}` }
  if (!Number.isFinite(actual))
    return { outcome: 'failed', summary: `${name} is ${text.slice(0, 60)}; ${wanted}` }
  const off = Math.abs(actual - expected.value)
  return isWithin(actual, expected)
    ? { outcome: 'passed', summary: `${name} is ${actual}; ${wanted}` }
    : { outcome: 'failed', summary: `${name} is ${actual}, off by ${short(off)}; ${wanted}` }
}

/** One of the tolerances is enough; without any, the value must be equal. */
export function isWithin(actual: number, { value, abs = 0, rel = 0 }: Reference): boolean {
  const allowed = Math.max(abs, rel * Math.abs(value))
  const off = Math.abs(actual - value)
  if (allowed === 0) return off === 0
  // Allows for rounding of both numbers: 0.4 is within 0.1 of 0.3.
  const rounding = Number.EPSILON * Math.max(Math.abs(actual), Math.abs(value))
  return off <= allowed + rounding
}

function formatTolerance({ abs, rel }: Reference): string {
  const parts = [abs === undefined ? '' : `± ${abs}`, rel === undefined ? '' : `± ${rel} of it`]
  const text = parts.filter((one) => one !== '').join(' or ')
  return text === '' ? '' : ` ${text}`
}

const short = (value: number): string => String(Number(value.toPrecision(4)))

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?$/
const INFINITE = /^([+-]?)inf(?:inity)?$/i

/** Accepts NaN and infinity; null if the text is not a number. */
function numberIn(text: string): number | null {
  if (/^[+-]?nan(?:\([^)]*\))?$/i.test(text)) return Number.NaN
  const infinite = INFINITE.exec(text)
  if (infinite !== null) return infinite[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  // Fortran writes 1.0D-6.
  return NUMBER.test(text) ? Number(text.replace(/[dD]/, 'e')) : null
}

/** The printed values per requested name, in order, from JSON objects and lines `name = value` or `name: value`. */
function printedValues(stdout: string, names: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  const keep = (name: string, texts: readonly string[]): void => {
    const known = found.get(name) ?? []
    if (texts.length > 0 && known.length < 1000) found.set(name, [...known, ...texts])
  }
  const keepAll = (root: object): void => {
    for (const name of names) keep(name, valuesIn(root, name))
  }
  const text = stdout.slice(-MOST_TEXT).trim()
  const whole = objectIn(text)
  if (whole !== null) {
    keepAll(whole)
    return found
  }
  const lines = text.split('\n')
  let misses = 0
  for (let at = 0; at < lines.length; at++) {
    const line = (lines[at] ?? '').trim()
    const mayBegin = line.startsWith('{') && misses < MOST_MISSES
    const block = mayBegin ? objectAt(lines, at) : null
    if (block !== null) {
      keepAll(block.value)
      at = block.last
      continue
    }
    if (mayBegin) misses++
    for (const name of names) keep(name, valueAfter(line, name))
  }
  return found
}

function valueAfter(line: string, name: string): readonly string[] {
  if (!line.startsWith(name)) return []
  const value = /^\s*[=:]\s*(.*)$/.exec(line.slice(name.length))?.[1]
  return value === undefined ? [] : [value.trim()]
}

/** An object on one line, or one that starts here and ends with a `}` at the start of a line. */
function objectAt(
  lines: readonly string[],
  first: number,
): { readonly value: object; readonly last: number } | null {
  const single = objectIn((lines[first] ?? '').trim())
  if (single !== null) return { value: single, last: first }
  const end = Math.min(lines.length, first + MOST_LINES_OF_AN_OBJECT)
  for (let last = first + 1; last < end; last++) {
    if (!(lines[last] ?? '').startsWith('}')) continue
    const value = objectIn(
      lines
        .slice(first, last + 1)
        .join('\n')
        .trim(),
    )
    return value === null ? null : { value, last }
  }
  return null
}

const objectIn = (text: string): object | null =>
  text.startsWith('{') && text.endsWith('}') ? (jsonObject(text) ?? jsonObject(quotedSpecials(text))) : null

/** Some languages print NaN and Infinity, which JSON does not have. */
function quotedSpecials(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|(-?(?:NaN|Infinity))/g, (all: string, special: string | undefined) =>
    special === undefined ? all : `"${special}"`,
  )
}

/** `run.energy` is in `{ "run": { "energy": 1 } }`. Its depth is bounded by the name. */
function valuesIn(root: object, name: string): readonly string[] {
  return Object.entries(root).flatMap(([key, value]: [string, unknown]): readonly string[] => {
    if (typeof value !== 'object' || value === null)
      return key === name ? [typeof value === 'string' ? value.trim() : String(value)] : []
    return name.startsWith(`${key}.`) ? valuesIn(value, name.slice(key.length + 1)) : []
  })
}

/**
 * The verdict on held-out checks. It hides their commands and output, because workers see verdicts. `runs` in plan order. The
 * full output stays in the evidence store, for people.
 */
export function heldOutVerdict(runs: readonly RunEvidence[]): Verdict {
  const hidden = runs.map((run, place): RunEvidence => ({
    ...run,
    command: `held-out check ${place + 1}`,
    keyLines: [],
  }))
  const judged = hidden.map((run) => ({ ...judgeRun(run), at: run.command }))
  const outcome = worst(judged.map((one) => one.outcome))
  const bad = judged.filter((one) => one.outcome !== 'passed')
  const summary =
    bad.length === 0
      ? `${judged.length} of ${judged.length} held-out checks passed`
      : `${bad.length} of ${judged.length} held-out checks did not pass`
  const findings = bad.map(({ at }) =>
    blocking(`${at} did not pass: the work does not meet its acceptance criteria in every case`),
  )
  return verdict('held_out', outcome, summary, { runs: hidden, findings })
}
