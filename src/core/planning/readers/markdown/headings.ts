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
  readonly optional: boolean
  readonly done: boolean
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
  let at = 0
  while (at < 3 && line[at] === ' ') at++
  const start = at
  while (line[at] === '#') at++
  const level = at - start
  if (level === 0 || level > 6 || (at < line.length && line[at] !== ' ' && line[at] !== '\t')) return null
  return { level, text: plainText(withoutClosing(line.slice(at).trim())) }
}

function withoutClosing(text: string): string {
  let end = text.length
  while (text[end - 1] === '#') end--
  if (end === text.length || (end > 0 && text[end - 1] !== ' ')) return text
  return text.slice(0, end).trimEnd()
}

/** `Task 1: X`, `Task 1.2 — X`, `Task 4.3 (optional): X`, `T-01: X` on levels 2 to 4. */
export function taskHeadingOf(heading: Heading): TaskHeading | null {
  if (heading.level < 2 || heading.level > 4) return null
  const text = heading.text.replace(LEAD, '')
  const match = TASK.exec(text) ?? SHORT.exec(text)
  const id = match?.[1]
  if (match === null || id === undefined) return null
  return taskFrom(heading, id, text.slice(match[0].length), text)
}

/** `1. Title` or `1.2 Title` on levels 2 to 4: a task only in some documents. */
export function numberedHeadingOf(heading: Heading): TaskHeading | null {
  if (heading.level < 2 || heading.level > 4) return null
  const text = heading.text.replace(LEAD, '')
  const id = NUMBERED.exec(text)?.[1]
  return id === undefined ? null : taskFrom(heading, id, text.slice(id.length), text)
}

function taskFrom(heading: Heading, id: string, rest: string, whole: string): TaskHeading {
  const optional = /\(optional\b/i.test(rest)
  const aside = /^\s{0,8}\(([^()]{0,200})\)/.exec(rest)
  const after = (aside === null ? rest : rest.slice(aside[0].length)).replace(SEPARATOR, '').trim()
  const title = after.replace(/\s?\(optional\)$/i, '').trim()
  const kept = aside !== null && !/^optional$/i.test(aside[1] ?? '') ? `${title} (${aside[1]})`.trim() : title
  return {
    level: heading.level,
    id,
    title: kept === '' ? whole : kept,
    optional,
    done: /^(?:\[[xX]\]|[✅☑✔])/u.test(heading.text),
  }
}

/** `Phase 1: …`, `Chunk 2: …`, `Milestone …`. */
export function isPhase(heading: Heading): boolean {
  return heading.level <= 3 && PHASE.test(heading.text)
}

/** `Tasks`, `Implementation plan`, `To-do`: headings with tasks below. */
export function isTaskList(heading: Heading): boolean {
  return heading.level <= 3 && TASK_LIST.test(withoutParens(heading.text))
}
