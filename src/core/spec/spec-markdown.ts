/**
 * The Markdown of specs: headings, bullets, labels, and the escapes that let any text stand in a spec without being
 * read as structure. Every scan is linear.
 */
import { codeSpans, replaceCode } from '../planning/readers/markdown/inline.ts'
import { keyByWord } from '../planning/readers/key-by-word.ts'

export interface SpecHeading {
  readonly level: number
  /** Without emphasis, still escaped. */
  readonly text: string
}

/** A heading of any level. The blank after the marks may be missing where a known word follows. */
export function headingAt(line: string): SpecHeading | null {
  const indented = line.trimStart()
  if (line.length - indented.length > 3) return null
  let level = 0
  while (indented[level] === '#') level++
  if (level === 0 || level > 6) return null
  const rest = indented.slice(level)
  const isSpaced = rest === '' || rest.startsWith(' ') || rest.startsWith('\t')
  if (!isSpaced && !/^(feature|vision|scope|requirements|in scope|out of scope|\[?R-\d)/i.test(rest))
    return null
  return { level, text: withoutEmphasis(withoutClosingMarks(rest.trim())) }
}

const withoutEmphasis = (text: string): string =>
  text.includes('**')
    ? replaceCode(
        text,
        (code) => code,
        (plain) => plain.replaceAll(/\*{2,3}/g, ''),
      ).trim()
    : text

function withoutClosingMarks(text: string): string {
  let end = text.length
  while (text[end - 1] === '#') end--
  if (end === text.length) return text
  const before = text[end - 1]
  return before === undefined || before === ' ' || before === '\t' ? text.slice(0, end).trimEnd() : text
}

export interface Bullet {
  readonly indent: number
  /** With a check box, in any state. */
  readonly box: boolean
  readonly text: string
}

const BULLET = /^( {0,40})(?:[-*+]|\d{1,4}[.)])(?:[ \t](.*))?$/s
const BOX = /^\[(?:[ xX✓✔]?|\uFE0F)\](?:[ \t](.*))?$/s

/** `- text`, `* [ ] text`, `1. [x] text`; null for other lines. */
export function bulletAt(line: string): Bullet | null {
  const [, indent, written = ''] = BULLET.exec(line) ?? []
  if (indent === undefined) return null
  const text = written.trim()
  const box = BOX.exec(text)
  return { indent: indent.length, box: box !== null, text: box === null ? text : (box[1] ?? '').trim() }
}

const LABELS = {
  type: ['type', 'kind', 'category'],
  priority: ['priority'],
  dependencies: ['dependencies', 'dependency', 'depends on', 'depends_on', 'depends-on'],
  description: ['description', 'details'],
  criteria: [
    'acceptance criteria',
    'acceptance criterion',
    'acceptance',
    'criteria',
    'done when',
    'success criteria',
  ],
  in_scope: ['in scope', 'in-scope', 'in', 'included', 'inside'],
  out_of_scope: ['out of scope', 'out-of-scope', 'out', 'excluded', 'not in scope', 'non-goals', 'non goals'],
} satisfies Record<string, readonly string[]>
export type SpecLabel = keyof typeof LABELS
const BY_NAME = keyByWord<SpecLabel>(LABELS)
const LONGEST_LABEL = 30

/** The label that a heading or a bold line names. */
export const labelNamed = (text: string): SpecLabel | undefined =>
  BY_NAME.get(
    text
      .replace(/[:\s]+$/, '')
      .trim()
      .toLowerCase(),
  )

export interface LabelledText {
  readonly label: SpecLabel
  /** After the colon on the same line. */
  readonly rest: string
}

const EMPHASIS = /[*_]{1,3}/y

/** `**Type:** text`, `- Type: text`, `__Type__: text`; a label without a colon stands alone on its line, in bold. */
export function labelAt(line: string): LabelledText | null {
  const bullet = bulletAt(line)
  if (bullet?.box === true) return null
  const text = bullet?.text ?? line.trim()
  const marks = marksAt(text, 0)
  const start = marks.length
  const end = nameEnd(text, start)
  const label = BY_NAME.get(text.slice(start, end).trim().toLowerCase())
  if (label === undefined) return null
  const [, after = ''] = /^((?:[*_]{1,3}|:){0,4})/.exec(text.slice(end)) ?? []
  const rest = text.slice(end + after.length).trim()
  if (!after.includes(':') && (marks === '' || rest !== '')) return null
  return { label, rest }
}

function marksAt(text: string, at: number): string {
  EMPHASIS.lastIndex = at
  return EMPHASIS.exec(text)?.[0] ?? ''
}

/** Where the letters of a label end. */
function nameEnd(text: string, start: number): number {
  let end = start
  while (end < text.length && end - start <= LONGEST_LABEL && /[A-Za-z _-]/.test(text[end] ?? '')) end++
  // An underscore before the colon is emphasis.
  while (end > start && text[end - 1] === '_') end--
  return end
}

/** Words for "there is none". */
export const isNone = (text: string): boolean =>
  /^(none|n\/?a|nothing|nil|null|no|-{1,3}|–|—|\[\s{0,8}\]|)\.?$/i.test(text.replace(/[*_`"'()]/g, '').trim())

const COMMENT = /(?<!\\)<!--[^<>]{0,500}-->/g

/** The line without comments that begin and end in it, code spans apart. */
export function withoutComments(line: string): string {
  return line.includes('<!--')
    ? replaceCode(
        line,
        (code) => code,
        (text) => text.replace(COMMENT, ''),
      )
    : line
}

const ESCAPED = /\\([!-/:-@[-`{-~])/g

/** The text that a line of prose stands for. */
export function unescaped(line: string): string {
  const text = withoutComments(line)
  if (!text.includes('\\')) return text
  // A fence at the start of a line is escaped as a whole, and what follows may be a code span.
  if (/^\\[`~]/.test(text)) return unescaped(text.slice(1))
  return replaceCode(
    text,
    (code) => code,
    (plain) => plain.replace(ESCAPED, '$1'),
  )
}

/** A line of prose that reads back as this text. */
export const escaped = (text: string): string => escapedStart(escapedInside(text))

const escapedInside = (text: string): string =>
  replaceCode(
    text,
    (code) => code,
    (piece) => piece.replaceAll(/\\(?=[!-/:-@[-`{-~])/g, '\\\\').replaceAll('<!--', '\\<!--'),
  )

function escapedStart(text: string): string {
  const number = /^( {0,40}\d{1,4})([.)])/.exec(text)
  if (number !== null) return `${number[1]}\\${text.slice(number[1]?.length ?? 0)}`
  const [indent = ''] = /^ */.exec(text) ?? []
  const rest = text.slice(indent.length)
  if (/^(?:[#*+_=|>[]|-|~|`{3})/.test(rest) && !startsWithCode(rest)) return `${indent}\\${rest}`
  const colon = rest.indexOf(':')
  if (colon !== -1 && labelAt(rest) !== null) return `${indent}${rest.slice(0, colon)}\\${rest.slice(colon)}`
  return text
}

/** A heading that reads back as this text. */
export function escapedHeading(text: string): string {
  const marked = replaceCode(
    escapedInside(text),
    (code) => code,
    (piece) => piece.replaceAll('**', '\\*\\*'),
  )
  return /(?:^|[^\\])#$/.test(marked) ? `${marked.slice(0, -1)}\\#` : marked
}

/** A line that begins with a code span of three or more backticks looks like a fence. */
const startsWithCode = (text: string): boolean => text.startsWith('`') && codeSpans(text)[0]?.start === 0
