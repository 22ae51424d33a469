/** Reads tasks from a list of check boxes, one box per task. */
import type { RemovedStep } from '../../plan.ts'
import { headingOf, isPhase, isTaskList, type Heading } from './headings.ts'
import { clip, plainText } from './inline.ts'
import type { Line } from './lines.ts'
import { REASONS, titleKind, type RemovalKind } from '../commands/removal.ts'
import { readSections, type TaskSection, type TasksRead } from './task-sections.ts'

const BOX = /^( {0,3})[-*+]\s\[[ xX]\]\s{1,8}(?=\S)/
const OWN_ID =
  /^(?:\*\*)?\[?((?:[A-Z]{1,6}-?\d{1,9}(?:\.\d{1,4}){0,4})|\d{1,4}(?:\.\d{1,4}){0,4})\]?(?:[.):]{0,2})(?:\*\*)?(?:[:.)]|\s[—–-])?\s{1,8}(?=\S)/
const NOT_WORK =
  /\b(success|acceptance|criteria|checklist|verification|verify|prerequisites?|requirements|definition of done|done when|notes|out of scope|non-goals|risks|open questions|references)\b/i
const MAX_TITLE_CHARS = 200

interface Box {
  readonly line: Line
  readonly indent: number
  readonly text: string
  readonly phase: string | null
  readonly body: Line[]
}

/** `numbered`: the boxes have their own ids (`1.1 Do this`), so the headings above them are not tasks. */
export function readBoxTasks(lines: readonly Line[]): TasksRead & { readonly numbered: boolean } {
  const announced = lines.some((line) => line.role === 'text' && isAnnouncement(headingOf(line.text)))
  const { boxes, others } = findBoxes(lines, announced)
  const work = boxes.filter((box) => kindOf(box) === null)
  const ids = work.map(({ text }) => OWN_ID.exec(text)?.[1])
  const numbered = ids.length > 0 && ids.every((id) => id !== undefined)
  const tasks = work.map((box, index) => ({
    id: (numbered ? ids[index] : undefined) ?? String(index + 1),
    title: titleOf(plainText(numbered ? box.text.replace(OWN_ID, '') : box.text)),
    line: box.line.number,
    phase: box.phase,
    // The box's line is read with its body, to find commands and commits in it.
    body: [{ ...box.line, text: box.text }, ...box.body],
  }))
  const read = readSections({ tasks, others })
  return { ...read, removed: [...read.removed, ...removedBoxes(boxes, tasks)], numbered }
}

/** The kind of removal of a box that is not a task: `- [ ] Commit`, `- [ ] Push to origin`. */
function kindOf(box: Box): RemovalKind | null {
  return titleKind(plainText(box.text.replace(OWN_ID, '')).replace(/\.$/, ''))
}

/** Such a box is reported under the task before it. */
function removedBoxes(boxes: readonly Box[], tasks: readonly TaskSection[]): RemovedStep[] {
  return boxes.flatMap((box) => {
    const kind = kindOf(box)
    if (kind === null) return []
    const { number: line } = box.line
    const before = tasks.findLast((task) => task.line < line)
    return [{ task: before?.id ?? '', line, text: box.text, reason: REASONS[kind] }]
  })
}

function isAnnouncement(heading: Heading | null): boolean {
  return heading !== null && heading.level >= 2 && isTaskList(heading)
}

/** Below a heading for tasks only those boxes count, else all except those of criteria and the like. */
function findBoxes(lines: readonly Line[], announced: boolean): { boxes: Box[]; others: Line[] } {
  const boxes: Box[] = []
  const others: Line[] = []
  let list: Heading | null = null
  let phase: string | null = null
  let counts = !announced
  let open: Box | null = null
  for (const line of lines) {
    const heading: Heading | null = line.role === 'text' ? headingOf(line.text) : null
    if (heading !== null) {
      open = null
      if (isAnnouncement(heading)) list = heading
      else if (list !== null && heading.level <= list.level) list = null
      counts = (!announced || list !== null) && !NOT_WORK.test(heading.text)
      phase = phaseOf(heading, list, phase)
    }
    const box: RegExpExecArray | null = line.role === 'text' ? BOX.exec(line.text) : null
    const nested = box !== null && open !== null && (box[1]?.length ?? 0) >= open.indent + 2
    if (counts && box !== null && !nested) {
      const text = line.text.slice(box[0].length).trim()
      open = { line, indent: box[1]?.length ?? 0, text, phase, body: [] }
      boxes.push(open)
    } else if (open !== null && continues(line)) {
      open.body.push({ ...line, text: line.text.replace(/^ {2,4}/, '') })
    } else {
      if (line.text.trim() !== '') open = null
      others.push(line)
    }
  }
  return { boxes, others }
}

function phaseOf(heading: Heading, list: Heading | null, before: string | null): string | null {
  if (heading === list || heading.level === 1) return null
  if (isPhase(heading) || list !== null || /^\d/.test(heading.text)) return heading.text
  return heading.level <= 2 ? null : before
}

/** Indented lines, blank lines and code belong to the box above them. */
function continues(line: Line): boolean {
  return line.role !== 'text' || line.text.trim() === '' || /^ {2}/.test(line.text)
}

function titleOf(text: string): string {
  return clip(text.replace(/\s?\(optional\)$/i, '').replace(/[.:]$/, ''), MAX_TITLE_CHARS)
}
