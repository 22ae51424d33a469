/**
 * Compares values that a command prints with reference values of the plan, which no worker can change. Missing, non-finite
 * and contradictory values do not pass.
 */
import type { Finding, RunEvidence } from '../../event-schemas/evidence.ts'
import type { Reference } from '../../planning/plan.ts'
import { blocking, judgeRun, note, worst } from '../verdicts.ts'

export type References = Readonly<Record<string, Reference>>

export interface Comparison {
  readonly outcome: 'passed' | 'failed' | 'inconclusive'
  /** A one-line explanation. */
  readonly words: string
  /** One per reference, in plan order. */
  readonly findings: readonly Finding[]
}

const MOST_TEXT = 4 * 1024 * 1024
const DEEPEST = 8
const MOST_NAMES = 50_000
const MOST_LINES_OF_AN_OBJECT = 10_000
/** After so many lines that only look like the start of an object, multi-line objects are no longer searched. */
const MOST_MISSES = 100

/** Compares the values of a run with the references. Values of a failed command do not count. */
export function judgeValues(run: RunEvidence, stdout: string, reference: References): Comparison {
  const { outcome, words } = judgeRun(run)
  if (outcome !== 'passed') {
    const judged = outcome === 'failed' ? 'failed' : 'inconclusive'
    return { outcome: judged, words, findings: [blocking(words)] }
  }
  return compareValues(stdout, reference)
}

export function compareValues(stdout: string, reference: References): Comparison {
  const names = Object.keys(reference)
  if (names.length === 0) {
    const words = 'no reference values given'
    return { outcome: 'inconclusive', words, findings: [blocking(words)] }
  }
  const printed = printedValues(stdout, new Set(names))
  const compared = Object.entries(reference).map(([name, expected]) =>
    compareOne(name, expected, printed.get(name) ?? []),
  )
  const outcome = worst(compared.map((one) => one.outcome))
  const telling = compared.filter((one) => one.outcome === outcome).map((one) => one.words)
  const isGreen = outcome === 'passed'
  return {
    outcome: isGreen || outcome === 'failed' ? outcome : 'inconclusive',
    words:
      isGreen && telling.length > 3 ? `${telling.length} values are within tolerance` : telling.join('; '),
    findings: compared.map((one) => (one.outcome === 'passed' ? note(one.words) : blocking(one.words))),
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

interface Compared {
  readonly outcome: 'passed' | 'failed' | 'inconclusive'
  readonly words: string
}

function compareOne(name: string, expected: Reference, printed: readonly string[]): Compared {
  const wanted = `the reference is ${expected.value}${formatTolerance(expected)}`
  const texts = [...new Set(printed)]
  const numbers = [...new Set(texts.map(numberIn))]
  const [text = ''] = texts
  const [actual] = numbers
  if (actual === undefined) return { outcome: 'failed', words: `${name} was not printed; ${wanted}` }
  if (numbers.length > 1) {
    const shown = texts.slice(0, 3).join(', ')
    return { outcome: 'inconclusive', words: `${name} was printed with different values: ${shown}` }
  }
  if (actual === null)
    return { outcome: 'inconclusive', words: `${name} is not a number: ${text.slice(0, 60)}` }
  if (!Number.isFinite(actual))
    return { outcome: 'failed', words: `${name} is ${text.slice(0, 60)}; ${wanted}` }
  const off = Math.abs(actual - expected.value)
  return isWithin(actual, expected)
    ? { outcome: 'passed', words: `${name} is ${actual}; ${wanted}` }
    : { outcome: 'failed', words: `${name} is ${actual}, off by ${short(off)}; ${wanted}` }
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
  const keep = (name: string, text: string): void => {
    if (!names.has(name)) return
    const known = found.get(name) ?? []
    if (known.length < 1000) known.push(text)
    found.set(name, known)
  }
  const text = stdout.slice(-MOST_TEXT).trim()
  const whole = jsonObject(text)
  if (whole !== null) {
    flatten(whole, keep)
    return found
  }
  const lines = text.split('\n')
  let misses = 0
  for (let at = 0; at < lines.length; at++) {
    const line = (lines[at] ?? '').trim()
    const mayBegin = line.startsWith('{') && misses < MOST_MISSES
    const block = mayBegin ? objectAt(lines, at) : null
    if (block !== null) {
      flatten(block.value, keep)
      at = block.last
      continue
    }
    if (mayBegin) misses++
    for (const name of names) {
      const value = valueAfter(line, name)
      if (value !== null) keep(name, value)
    }
  }
  return found
}

function valueAfter(line: string, name: string): string | null {
  if (!line.startsWith(name)) return null
  const rest = /^\s*[=:]\s*(.*)$/.exec(line.slice(name.length))
  return rest === null ? null : (rest[1] ?? '').trim()
}

/** An object on one line, or one that starts here and ends with a `}` at the start of a line. */
function objectAt(
  lines: readonly string[],
  first: number,
): { readonly value: object; readonly last: number } | null {
  const single = jsonObject((lines[first] ?? '').trim())
  if (single !== null) return { value: single, last: first }
  const end = Math.min(lines.length, first + MOST_LINES_OF_AN_OBJECT)
  for (let last = first + 1; last < end; last++) {
    if (!(lines[last] ?? '').startsWith('}')) continue
    const value = jsonObject(
      lines
        .slice(first, last + 1)
        .join('\n')
        .trim(),
    )
    return value === null ? null : { value, last }
  }
  return null
}

function jsonObject(text: string): object | null {
  if (!text.startsWith('{') || !text.endsWith('}')) return null
  for (const form of [text, quotedSpecials(text)]) {
    try {
      const value: unknown = JSON.parse(form)
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
    } catch {
      // Not JSON in this form; if it is in neither, it is read as lines.
    }
  }
  return null
}

/** Some languages print NaN and Infinity, which JSON does not have. */
function quotedSpecials(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|(-?(?:NaN|Infinity))/g, (all: string, special: string | undefined) =>
    special === undefined ? all : `"${special}"`,
  )
}

/** `{ "run": { "energy": 1 } }` names `run.energy`. */
function flatten(root: object, keep: (name: string, text: string) => void): void {
  const left: { readonly value: object; readonly prefix: string; readonly depth: number }[] = [
    { value: root, prefix: '', depth: 0 },
  ]
  let seen = 0
  for (let one = left.pop(); one !== undefined && seen < MOST_NAMES; one = left.pop()) {
    for (const [key, value] of Object.entries(one.value) as [string, unknown][]) {
      seen++
      const name = `${one.prefix}${key}`
      if (typeof value === 'object' && value !== null) {
        if (one.depth < DEEPEST) left.push({ value, prefix: `${name}.`, depth: one.depth + 1 })
      } else {
        keep(name, typeof value === 'string' ? value.trim() : String(value))
      }
    }
  }
}
