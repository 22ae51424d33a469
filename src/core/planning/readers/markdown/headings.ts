/** Parses headings, and finds those that start a task or a phase. */
import { plainText, withoutParens } from './inline.ts'

export interface Heading {
  readonly level: number
  /** The text without emphasis. */
  readonly text: string
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
const PHASE = /^(phase|chunk|milestone|stage|sprint|iteration|wave|epic|batch|part)\b/i
const TASK_LIST =
  /^(?:\d{1,3}[.)]\s{0,8})?(?:the\s)?(implementation|tasks?|task list|todos?|to-do|work items|steps|backlog)\b/i

/** Parses a heading of level 1 to 6, indented by at most three spaces. */
export function headingOf(line: string): Heading | null {
  const [, marks, text = ''] = /^ {0,3}(#{1,6})(?:[ \t](.*))?$/s.exec(line) ?? []
  if (marks === undefined) return null
  return {
    level: marks.length,
    text: plainText(
      text
        .trim()
        .replace(/(?:^| )#+$/, '')
        .trimEnd(),
    ),
  }
}

/** `Task 1: X`, `Task 1.2 — X`, `Task 4.3 (optional): X`, `T-01: X` on levels 2 to 4. */
export function taskHeadingOf(heading: Heading): TaskHeading | null {
  return headingWithId(heading, [TASK, SHORT])
}

/** `1. Title` or `1.2 Title` on levels 2 to 4: a task only in some documents. */
export function numberedHeadingOf(heading: Heading): TaskHeading | null {
  return headingWithId(heading, [NUMBERED])
}

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
export function isPhase(heading: Heading): boolean {
  return heading.level <= 3 && PHASE.test(heading.text)
}

/** `Tasks`, `Implementation plan`, `To-do`: headings with tasks below. */
export function isTaskList(heading: Heading): boolean {
  return heading.level <= 3 && TASK_LIST.test(withoutParens(heading.text))
}
