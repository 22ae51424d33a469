/** The `---` block at the top of a spec: version, priority and created, each a plain value. */
import { closest } from '../../lib/text/closest.ts'
import type { Problem } from '../planning/plan.ts'
import { errorAt, warningAt } from '../planning/problems.ts'
import type { Line } from '../planning/readers/markdown/lines.ts'
import { SPEC_PRIORITIES, type Spec, type SpecPriority } from './spec.ts'

const KEYS = ['version', 'priority', 'created'] as const
type Key = (typeof KEYS)[number]
const EXAMPLE = '---\\nversion: "1.0"\\npriority: must\\ncreated: 2026-01-31\\n---'

type Fields = Pick<Spec, 'version' | 'priority' | 'created'>

export interface SpecFrontMatter {
  readonly fields: Fields | null
  readonly problems: readonly Problem[]
  /** The lines below it. */
  readonly rest: readonly Line[]
}

interface Entry {
  readonly line: number
  readonly value: string
}

export function readSpecFrontMatter(source: string, lines: readonly Line[]): SpecFrontMatter {
  const start = lines.findIndex(({ text, role }) => text.trim() !== '' && role !== 'comment')
  const first = lines[start]
  if (first?.text.trim() !== '---') {
    const remedy = `begin the file with ${EXAMPLE.replaceAll('\\n', ' / ')}`
    return { fields: null, problems: [errorAt(source, 1, 'no front matter', remedy)], rest: lines }
  }
  const end = lines.findIndex(({ text }, index) => index > start && /^(---|\.\.\.)\s{0,8}$/.test(text))
  if (end === -1) {
    const remedy = 'end it with a line of three dashes'
    const problem = errorAt(source, first.number, 'the front matter is never closed', remedy)
    return { fields: null, problems: [problem], rest: [] }
  }
  const { entries, problems } = entriesOf(source, lines.slice(start + 1, end))
  const at = first.number
  const fields = fieldsOf({ source, at, problems }, entries)
  return { fields, problems, rest: lines.slice(end + 1) }
}

function entriesOf(source: string, lines: readonly Line[]) {
  const problems: Problem[] = []
  const entries = new Map<Key, Entry>()
  for (const { number, text } of lines) {
    const plain = text.trim()
    if (plain === '' || plain.startsWith('#') || plain.startsWith('<!--')) continue
    const [, name, written = ''] = /^["']?([A-Za-z][\w-]{0,60})["']?\s{0,20}:(?:\s(.*))?$/s.exec(plain) ?? []
    if (name === undefined) {
      const message = `cannot read "${plain.slice(0, 60)}" in the front matter`
      problems.push(errorAt(source, number, message, 'write "key: value", one in a line'))
      continue
    }
    const key = KEYS.find((known) => known === name.toLowerCase())
    if (key === undefined) {
      const near = closest(name, KEYS)
      const remedy = near === null ? `known keys are ${KEYS.join(', ')}` : `did you mean "${near}"?`
      problems.push(warningAt(source, number, `unknown key "${name}" in the front matter is ignored`, remedy))
    } else if (entries.has(key)) {
      const remedy = 'remove one of the two lines'
      problems.push(errorAt(source, number, `${key} is given twice in the front matter`, remedy))
    } else {
      entries.set(key, { line: number, value: scalar(written) })
    }
  }
  return { entries, problems }
}

/** A YAML scalar of one line: quotes and a comment removed. */
function scalar(written: string): string {
  const text = written.trim()
  const quote = text.startsWith('"') ? '"' : text.startsWith("'") ? "'" : null
  if (quote !== null) {
    const end = text.indexOf(quote, 1)
    if (end !== -1) return text.slice(1, end).trim()
  }
  const comment = text.startsWith('#') ? 0 : text.search(/\s#/)
  return (comment === -1 ? text : text.slice(0, comment)).trim()
}

interface Checking {
  readonly source: string
  readonly at: number
  readonly problems: Problem[]
}

function fieldsOf(checking: Checking, entries: ReadonlyMap<Key, Entry>): Fields | null {
  const version = checked(checking, entries.get('version'), {
    key: 'version',
    read: (value) => (/^[\w.+-]{1,40}$/.test(value) ? value : null),
    use: 'use letters, digits, dots and dashes',
    remedy: 'write version: "1.0"',
  })
  const priority = checked(checking, entries.get('priority'), {
    key: 'priority',
    read: readPriority,
    use: 'use must, should or could',
    remedy: 'write priority: must, priority: should or priority: could',
  })
  const created = checked(checking, entries.get('created'), {
    key: 'created',
    read: (value) => (isDate(value) ? value : null),
    use: 'use a date like 2026-01-31',
    remedy: 'write the date as created: 2026-01-31',
  })
  if (version === null || priority === null || created === null) return null
  return { version, priority, created }
}

interface Field<T> {
  readonly key: Key
  readonly read: (value: string) => T | null
  /** What it may be. */
  readonly use: string
  readonly remedy: string
}

function checked<T>(
  checking: Checking,
  entry: Entry | undefined,
  { key, read, use, remedy }: Field<T>,
): T | null {
  const { source, at, problems } = checking
  if (entry === undefined || entry.value === '') {
    problems.push(errorAt(source, entry?.line ?? at, `the front matter has no ${key}`, remedy))
    return null
  }
  const value = read(entry.value)
  if (value === null)
    problems.push(
      errorAt(source, entry.line, `invalid ${key} "${entry.value.slice(0, 60)}" (${use})`, remedy),
    )
  return value
}

/** `must`, `Must have`, `MUST`. */
export function readPriority(written: string): SpecPriority | null {
  const word = written
    .toLowerCase()
    .replace(/[\s_-]{0,4}have$/, '')
    .trim()
  return SPEC_PRIORITIES.find((priority) => priority === word) ?? null
}

const DATE =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?\s?(?:Z|[+-]\d{2}:?\d{2})?)?$/i

/** A day that exists, with or without a time. */
function isDate(text: string): boolean {
  const match = DATE.exec(text)
  if (match === null) return false
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0))
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59) return false
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0
  return day >= 1 && day <= days
}
