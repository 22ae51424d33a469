/** The marks at the start of a line: headings, list items and labels. Every reader of Markdown takes them from here. */
import { plainText, withoutParens } from './inline.ts'

export interface Heading {
  readonly level: number
  /** The text without emphasis. */
  readonly text: string
}

/** Parses a heading of level 1 to 6, indented by at most three spaces. */
export function headingOf(line: string): Heading | null {
  const [, marks, text = ''] = /^ {0,3}(#{1,6})(?:[ \t](.*))?$/s.exec(line) ?? []
  if (marks === undefined) return null
  const plain = text.trim().replace(/(?:^|[ \t])#+$/, '')
  return { level: marks.length, text: plainText(plain.trimEnd()) }
}

export interface Item {
  readonly indent: number
  readonly isNumbered: boolean
  /** With a check box, in any state. */
  readonly isBox: boolean
  readonly text: string
}

/** `- text`, `* [ ] text`, `1. [x] text`, `• text`; null for other lines. */
export function itemOf(line: string): Item | null {
  const [, indent, marker = '', written = ''] =
    /^([ \t]{0,400})([-*+•]|\d{1,6}[.)])(?:[ \t](.*))?$/s.exec(line) ?? []
  if (indent === undefined) return null
  const text = written.trim()
  const [box, boxed = ''] = /^\[(?:[ xX✓✔]?|\uFE0F)\](?:[ \t](.*))?$/s.exec(text) ?? []
  return {
    indent: indent.length,
    isNumbered: /^\d/.test(marker),
    isBox: box !== undefined,
    text: box === undefined ? text : boxed.trim(),
  }
}

export interface LabelIn<Name> {
  readonly name: Name
  /** As the author wrote it. */
  readonly written: string
  /** The text after the colon on the same line. */
  readonly rest: string
  /** In bold: certainly a label, not the beginning of a sentence. */
  readonly bold: boolean
}

/** The marks around a label, its text, and its colon inside or outside of them. */
const MARKED = /^(\*{2,3}|__|\*|_)([A-Za-z][A-Za-z _-]{1,30}?):?\1(?!\1):?/
const PLAIN = /^()([A-Za-z][A-Za-z _-]{1,30}):/

/** For a table of labels, each with its spellings between bars: functions that find one in a line or a heading. */
export function labelReader<Name extends string>(table: Readonly<Record<Name, string>>) {
  const named = keyByWord(table)
  const nameOf = (text: string): Name | undefined => named.get(text.trim().toLowerCase())
  return {
    /** `**Label:** text` in its many spellings; null for any other text. */
    labelOf: (text: string): LabelIn<Name> | null => {
      const [whole = '', marks, written = ''] = MARKED.exec(text) ?? PLAIN.exec(text) ?? []
      const name = nameOf(written)
      const rest = text.slice(whole.length).trim()
      // Without a colon, `**Files**` is a label only where it is alone on its line.
      if (name === undefined || (rest !== '' && !whole.includes(':'))) return null
      return { name, written, rest, bold: marks !== '' }
    },
    /** `#### Acceptance Criteria` */
    labelOfHeading: (text: string): Name | undefined => nameOf(plainText(text).replace(/:$/, '')),
  }
}

/** For each word of a table, which lists them between bars, its key. */
export function keyByWord<Key extends string>(
  table: Readonly<Record<Key, string>>,
): ReadonlyMap<string, Key> {
  const entries = Object.entries<string>(table) as [Key, string][]
  return new Map(entries.flatMap(([key, words]) => words.split('|').map((word) => [word, key] as const)))
}

export interface TaskHeading {
  readonly level: number
  readonly id: string
  readonly title: string
}

/** An id in the usual forms: 7, 10a, 1.2, T-01, AUTH-12. */
const ID = String.raw`(?:[A-Za-z]{1,6}[-_]?)?\d{1,9}[A-Za-z]?(?:[._-]\d{1,9}[A-Za-z]?){0,6}`
const TASK = new RegExp(String.raw`^Task\s{0,8}[#:]?\s{0,8}(${ID}|[A-Z](?=\s{0,8}[:—–-]))(?![\w])`, 'i')
const SHORT = /^\[?(T-?\d{1,9}[a-z]?(?:\.\d{1,9}){0,6})\]?(?=\s{0,8}[:—–.)-]|\s{1,8}-\s|\]\s)/i
const NUMBERED = /^(\d{1,4}(?:\.\d{1,4}){0,5}[a-z]?)(?=[.):]?\s)/
const LEAD = /^(?:\[[ xX]\]|[✅☑✔🔲⬜⏳🚧]\uFE0F?)\s{0,8}/u
const SEPARATOR = /^[\s:—–.)|\]-]{1,16}/

/** `Task 1: X`, `Task 1.2 — X`, `Task 4.3 (optional): X`, `T-01: X` on levels 2 to 4. */
export const taskHeadingOf = (heading: Heading): TaskHeading | null => headingWithId(heading, [TASK, SHORT])

/** `1. Title` or `1.2 Title` on levels 2 to 4: a task only in some documents. */
export const numberedHeadingOf = (heading: Heading): TaskHeading | null => headingWithId(heading, [NUMBERED])

function headingWithId({ level, text }: Heading, patterns: readonly RegExp[]): TaskHeading | null {
  if (level < 2 || level > 4) return null
  const plain = text.replace(LEAD, '')
  const match = patterns.map((pattern) => pattern.exec(plain)).find((found) => found !== null)
  const [matched = '', id] = match ?? []
  if (id === undefined) return null
  const rest = plain.slice(matched.length)
  const [remark = '', remarked = ''] = /^\s{0,8}\(([^()]{0,200})\)/.exec(rest) ?? []
  const after = rest.slice(remark.length).replace(SEPARATOR, '').trim()
  const title = after.replace(/\s?\(optional\)$/i, '').trim()
  const whole = /^(optional)?$/i.test(remarked) ? title : `${title} (${remarked})`.trim()
  return { level, id, title: whole === '' ? plain : whole }
}

/** `Phase 1: …`, `Chunk 2: …`, `Milestone …`. */
export const isPhase = ({ level, text }: Heading): boolean =>
  level <= 3 && /^(phase|chunk|milestone|stage|sprint|iteration|wave|epic|batch|part)\b/i.test(text)

const TASK_LIST =
  /^(?:\d{1,3}[.)]\s{0,8})?(?:the\s)?(implementation|tasks?|task list|todos?|to-do|work items|steps|backlog)\b/i

/** `Tasks`, `Implementation plan`, `To-do`: headings with tasks below. */
export const isTaskList = ({ level, text }: Heading): boolean =>
  level <= 3 && TASK_LIST.test(withoutParens(text))
