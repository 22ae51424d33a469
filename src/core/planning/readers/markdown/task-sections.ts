/** Assigns the lines of a Markdown plan to its tasks. */
import type { DraftTask } from '../../draft.ts'
import type { RemovedStep } from '../../plan.ts'
import type { Note } from '../../problems.ts'
import { removedStep, titleKind, wordLeaves } from '../commands/removal.ts'
import { draftFiles, isPathLike, type FileEntry } from './file-list.ts'
import { clip, plainText, splitParens } from './inline.ts'
import type { Line } from './lines.ts'
import {
  headingOf,
  isPhase,
  isTaskList,
  numberedHeadingOf,
  taskHeadingOf,
  type Heading,
  type TaskHeading,
} from './marks.ts'
import { readTaskBody } from './task-body.ts'
import { dependenciesIn } from './task-fields.ts'

/** A task as its heading or item names it, with the lines below. */
interface TaskSection extends Pick<DraftTask, 'id' | 'title' | 'line' | 'phase'> {
  readonly body: readonly Line[]
}

interface PlanSections {
  readonly tasks: readonly TaskSection[]
  /** The lines outside of every task, in order. */
  readonly others: readonly Line[]
}

/** The tasks found, and the lines outside them. */
export interface TasksRead {
  readonly format: 'markdown' | 'spec-kit'
  readonly tasks: readonly DraftTask[]
  readonly removed: readonly RemovedStep[]
  readonly notes: readonly Note[]
  readonly others: readonly Line[]
}

/** Tasks by their own headings, else as Spec Kit writes them, else as boxes with ids, numbered headings or boxes. */
export function readTasks(lines: readonly Line[]): TasksRead {
  const byTask = splitAtTasks(lines, taskHeadingOf)
  if (byTask.tasks.length > 0) return readSections(byTask)
  if (lines.some((line) => line.role === 'text' && KIT_TASK.test(line.text))) return readSpecKit(lines)
  const boxes = findBoxes(lines)
  if (boxes.isNumbered) return readBoxes(boxes)
  const accepted = acceptedNumbers(lines)
  const byNumber = splitAtTasks(lines, (heading, index) =>
    accepted.has(index) ? numberedHeadingOf(heading) : null,
  )
  return byNumber.tasks.length > 0 ? readSections(byNumber) : readBoxes(boxes)
}

function readSections({ tasks, others }: PlanSections): TasksRead {
  const read = tasks.map(({ body, ...head }) => ({ head, ...readTaskBody(head.id, body) }))
  return {
    format: 'markdown',
    tasks: read.map(({ head, fields }) => ({ ...fields, ...head })),
    removed: read.flatMap(({ removed }) => removed),
    notes: read.flatMap(({ notes }) => notes),
    others,
  }
}

/** Splits at task headings; another heading of the same or a higher level ends a task. */
function splitAtTasks(
  lines: readonly Line[],
  startsTask: (heading: Heading, index: number) => TaskHeading | null,
): PlanSections {
  const tasks: TaskSection[] = []
  const others: Line[] = []
  let phase: Heading | null = null
  let open: { readonly level: number; readonly body: Line[] } | null = null
  for (const [index, line] of lines.entries()) {
    const heading: Heading | null = line.role === 'text' ? headingOf(line.text) : null
    const task: TaskHeading | null = heading === null ? null : startsTask(heading, index)
    if (task !== null) {
      const { level, id, title } = task
      open = { level, body: [] }
      const above: string | null = phase !== null && phase.level < level ? phase.text : null
      tasks.push({ id, title, line: line.number, phase: above, body: open.body })
      continue
    }
    if (heading !== null && heading.level <= (open?.level ?? 6)) {
      open = null
      if (isPhase(heading)) phase = heading
      else if (phase !== null && heading.level <= phase.level) phase = null
    }
    const owner: Line[] = open?.body ?? others
    owner.push(line)
  }
  return { tasks, others }
}

const LOOKS_LIKE_WORK =
  /^\s{0,3}(?:[-*]\s)?\*{0,2}(?:files?|steps?\s\d|acceptance criteria|depends on|run|verify|check)\b\*{0,2}\s?\d{0,3}:|^\s{0,8}[-*]\s\[[ xX]\]\s|^#{3,5}\s(?:step\s\d|acceptance criteria|files)\b/i

/** The numbered headings that are tasks: below a heading for tasks, or with files, steps, boxes or criteria below them. */
function acceptedNumbers(lines: readonly Line[]): ReadonlySet<number> {
  const accepted = new Set<number>()
  /** Those with work of their own; the others only group the headings below them. */
  const worked = new Set<number>()
  let list: Heading | null = null
  let current: { readonly index: number; readonly level: number } | null = null
  for (const [index, line] of lines.entries()) {
    if (line.role !== 'text') continue
    const heading = headingOf(line.text)
    const numbered = heading === null ? null : numberedHeadingOf(heading)
    if (heading === null || (current !== null && heading.level > current.level && numbered === null)) {
      if (current !== null && LOOKS_LIKE_WORK.test(line.text)) {
        accepted.add(current.index)
        worked.add(current.index)
      }
      continue
    }
    if (list !== null && heading.level <= list.level) list = null
    if (numbered === null) {
      current = null
      if (isTaskList(heading)) list = heading
      continue
    }
    if (current !== null && heading.level > current.level && !worked.has(current.index))
      accepted.delete(current.index)
    current = { index, level: heading.level }
    if (list !== null) accepted.add(index)
    else if (isTaskList({ ...heading, text: numbered.title })) list = heading
  }
  return accepted
}

/** An item of a list that is a task, with the lines below it. */
interface ListedTask {
  readonly line: Line
  readonly indent: number
  /** The line without what `startOf` matched. */
  readonly text: string
  readonly phase: string | null
  readonly body: Line[]
}

/** Splits at items; indented lines, blank lines and code belong to the item above them. */
function splitAtItems(
  lines: readonly Line[],
  startOf: (line: string, open: ListedTask | null) => string | undefined,
  phaseOf: (heading: Heading, before: string | null) => string | null,
): { readonly items: readonly ListedTask[]; readonly others: readonly Line[] } {
  const items: ListedTask[] = []
  const others: Line[] = []
  let phase: string | null = null
  let open: ListedTask | null = null
  for (const line of lines) {
    const isText = line.role === 'text'
    const heading = isText ? headingOf(line.text) : null
    if (heading !== null) {
      open = null
      phase = phaseOf(heading, phase)
    }
    const start: string | undefined = isText ? startOf(line.text, open) : undefined
    if (start !== undefined) {
      open = {
        line,
        indent: indentOf(line.text),
        text: line.text.slice(start.length).trim(),
        phase,
        body: [],
      }
      items.push(open)
    } else if (open !== null && (!isText || line.text.trim() === '' || /^ {2}/.test(line.text))) {
      open.body.push({ ...line, text: line.text.replace(/^ {2,4}/, '') })
    } else {
      if (line.text.trim() !== '') open = null
      others.push(line)
    }
  }
  return { items, others }
}

const indentOf = (line: string): number => line.length - line.trimStart().length

const BOX = /^ {0,3}[-*+]\s\[[ xX]\]\s{1,8}(?=\S)/
const OWN_ID =
  /^(?:\*\*)?\[?((?:[A-Z]{1,6}-?\d{1,9}(?:\.\d{1,4}){0,4})|\d{1,4}(?:\.\d{1,4}){0,4})\]?(?:[.):]{0,2})(?:\*\*)?(?:[:.)]|\s[—–-])?\s{1,8}(?=\S)/
const NOT_WORK =
  /\b(success|acceptance|criteria|checklist|verification|verify|prerequisites?|requirements|definition of done|done when|notes|out of scope|non-goals|risks|open questions|references)\b/i
const MAX_TITLE_CHARS = 200

interface Boxes extends PlanSections {
  readonly removed: readonly RemovedStep[]
  /** The boxes have their own ids (`1.1 Do this`), so the headings above them are not tasks. */
  readonly isNumbered: boolean
}

/** Below a heading for tasks only those boxes count, else all except those of criteria and the like. */
function findBoxes(lines: readonly Line[]): Boxes {
  const isAnnouncement = (heading: Heading | null): boolean =>
    heading !== null && heading.level >= 2 && isTaskList(heading)
  const isAnnounced = lines.some((line) => line.role === 'text' && isAnnouncement(headingOf(line.text)))
  let list: Heading | null = null
  let counts = !isAnnounced
  const { items, others } = splitAtItems(
    lines,
    (line, open) => {
      const isNested = open !== null && indentOf(line) >= open.indent + 2
      return counts && !isNested ? BOX.exec(line)?.[0] : undefined
    },
    (heading, before) => {
      if (isAnnouncement(heading)) list = heading
      else if (list !== null && heading.level <= list.level) list = null
      counts = (!isAnnounced || list !== null) && !NOT_WORK.test(heading.text)
      if (heading === list || heading.level === 1) return null
      if (isPhase(heading) || list !== null || /^\d/.test(heading.text)) return heading.text
      return heading.level <= 2 ? null : before
    },
  )
  const boxes = items.map((box) => {
    const title = plainText(box.text.replace(OWN_ID, '')).replace(/\.$/, '')
    return { ...box, kind: titleKind(title) }
  })
  const work = boxes.filter(({ kind }) => kind === null)
  const ids = work.map(({ text }) => OWN_ID.exec(text)?.[1])
  const isNumbered = ids.length > 0 && ids.every((id) => id !== undefined)
  const tasks = work.map(({ line, text, phase, body }, index) => ({
    id: (isNumbered ? ids[index] : undefined) ?? String(index + 1),
    title: boxTitle(plainText(isNumbered ? text.replace(OWN_ID, '') : text)),
    line: line.number,
    phase,
    // The box's line is read with its body, to find commands and commits in it.
    body: [{ ...line, text }, ...body],
  }))
  // `- [ ] Commit` and `- [ ] Push to origin` are reported under the task before them.
  const removed = boxes.flatMap(({ kind, text, line: { number: line } }) => {
    const before = tasks.findLast((task) => task.line < line)
    return kind === null ? [] : [removedStep(before?.id ?? '', { line, text, kind })]
  })
  return { tasks, others, removed, isNumbered }
}

function readBoxes(boxes: Boxes): TasksRead {
  const read = readSections(boxes)
  return { ...read, removed: [...read.removed, ...boxes.removed] }
}

const boxTitle = (text: string): string =>
  clip(text.replace(/\s?\(optional\)$/i, '').replace(/[.:]$/, ''), MAX_TITLE_CHARS)

/** GitHub Spec Kit's tasks.md: `- [ ] T001 [P] [US1] Description with src/path.py` below phases. */
const KIT_TASK =
  /^ {0,3}[-*]\s\[[ xX]\]\s{1,4}\*{0,2}(T\d{2,6}[a-z]?)\*{0,2}:?\s{1,4}((?:\[[A-Za-z0-9.-]{1,12}\]\s{0,4}){0,4})(?=\S)/

function readSpecKit(lines: readonly Line[]): TasksRead {
  const { items, others } = splitAtItems(
    lines,
    (line) => KIT_TASK.exec(line)?.[0],
    (heading, before) => (heading.level > 2 ? before : isPhase(heading) ? heading.text : null),
  )
  const read = items.map((item) => {
    const [, id = '', marks = ''] = KIT_TASK.exec(item.line.text) ?? []
    const { fields, removed, notes } = readTaskBody(id, item.body)
    const named = namedFiles(item.text)
    const inside = named.filter(({ path }) => !wordLeaves(path, ''))
    const line = item.line.number
    const { outside, asides } = splitParens(item.text)
    const stated = asides.flatMap((aside) => /^\s{0,4}depends on:?\s(.*)$/is.exec(aside)?.[1] ?? [])
    const task: DraftTask = {
      ...fields,
      id,
      title: plainText(stated.length > 0 ? outside : item.text),
      line,
      phase: item.phase,
      description: [plainText(item.text), fields.description].filter((text) => text !== '').join('\n'),
      files: fields.files ?? (inside.length > 0 ? draftFiles(inside) : undefined),
      dependsOn:
        fields.dependsOn ??
        (stated.length > 0 ? { ids: stated.flatMap((text) => dependenciesIn(text).ids), line } : undefined),
      parallel: /\[P\]/i.test(marks),
    }
    const left = named
      .filter((one) => !inside.includes(one))
      .map(({ path }) => removedStep(id, { line, text: path, kind: 'outside' }))
    return { task, removed: [...removed, ...left], notes }
  })
  return {
    format: 'spec-kit',
    tasks: read.map(({ task }) => task),
    removed: read.flatMap(({ removed }) => removed),
    notes: read.flatMap(({ notes }) => notes),
    others,
  }
}

/** The paths in a task's line; its verb decides whether they are new. */
function namedFiles(text: string): FileEntry[] {
  const verb =
    /^(create|add|write|set ?up|initiali[sz]e|define|scaffold|generate)\b|^(delete|remove)\b/i.exec(
      plainText(text),
    )
  const stated = verb?.[1] !== undefined ? 'create' : 'modify'
  return text.split(/[\s,]+/).flatMap((word): FileEntry[] => {
    const path = word.replace(/^[`"'([*]{1,3}|[`"')\].,;:*]{1,3}$/g, '')
    const isRoute = path.startsWith('/') && !wordLeaves(path, '')
    if (!isPathLike(path) || isRoute || !/\/|\.[a-z]{1,5}$/.test(path) || /^[A-Z][\w-]*\/[A-Z]/.test(path))
      return []
    const isTest = /(^|\/)(tests?|specs?|__tests__|e2e)\/|[._](test|spec)\./.test(path)
    return [{ action: verb?.[2] !== undefined ? 'delete' : isTest ? 'test' : stated, path }]
  })
}
