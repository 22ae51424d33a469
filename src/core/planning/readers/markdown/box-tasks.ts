/** Reads tasks from a list of check boxes, one box per task. */
import type { DraftTask } from '../../draft.ts'
import type { RemovedStep } from '../../plan.ts'
import { headingOf, isPhase, isTaskList, type Heading } from './headings.ts'
import { plainText } from './inline.ts'
import type { Line } from './lines.ts'
import type { TasksRead } from './markdown-plan.ts'
import { REASONS, titleKind, type RemovalKind } from '../commands/removal.ts'
import { readTaskBody } from './task-body.ts'

const BOX = /^( {0,3})[-*+]\s\[([ xX])\]\s{1,8}(?=\S)/
const OWN_ID =
  /^(?:\*\*)?\[?((?:[A-Z]{1,6}-?\d{1,9}(?:\.\d{1,4}){0,4})|\d{1,4}(?:\.\d{1,4}){0,4})\]?(?:[.):]{0,2})(?:\*\*)?(?:[:.)]|\s[—–-])?\s{1,8}(?=\S)/
const NOT_WORK =
  /\b(success|acceptance|criteria|checklist|verification|verify|prerequisites?|requirements|definition of done|done when|notes|out of scope|non-goals|risks|open questions|references)\b/i
const MAX_TITLE_CHARS = 200

interface BoxSection {
  readonly line: Line
  readonly indent: number
  readonly ticked: boolean
  readonly text: string
  readonly phase: string | null
  readonly body: Line[]
}

/** `numbered`: the boxes have their own ids (`1.1 Do this`), so the headings above them are not tasks. */
export function readBoxTasks(lines: readonly Line[]): TasksRead & { readonly numbered: boolean } {
  const announced = lines.some((line) => line.role === 'text' && isAnnouncement(headingOf(line.text)))
  const { sections: all, others } = boxSections(lines, announced)
  const sections = all.filter((section) => kindOf(section) === null)
  const ids = sections.map(({ text }) => OWN_ID.exec(text)?.[1])
  const numbered = ids.length > 0 && ids.every((id) => id !== undefined)
  const read = sections.map((section, index) => {
    const id = (numbered ? ids[index] : undefined) ?? String(index + 1)
    return { ...readTaskBody(id, bodyOf(section)), section, id }
  })
  return {
    tasks: read.map(({ section, id, fields }) => boxTask(section, numbered, id, fields)),
    removed: [
      ...read.flatMap(({ removed }) => removed),
      ...all.flatMap((section) => removedBox(section, read)),
    ],
    notes: read.flatMap(({ notes }) => notes),
    others,
    numbered,
  }
}

/** The kind of removal of a box that is not a task: `- [ ] Commit`, `- [ ] Push to origin`. */
function kindOf(section: BoxSection): RemovalKind | null {
  return titleKind(plainText(section.text.replace(OWN_ID, '')).replace(/\.$/, ''))
}

/** Such a box is reported under the task before it. */
function removedBox(
  section: BoxSection,
  tasks: readonly { readonly section: BoxSection; readonly id: string }[],
): RemovedStep[] {
  const kind = kindOf(section)
  if (kind === null) return []
  const { number: line } = section.line
  const before = tasks.findLast((task) => task.section.line.number < line)
  return [{ task: before?.id ?? '', line, text: section.text, reason: REASONS[kind] }]
}

function isAnnouncement(heading: Heading | null): boolean {
  return heading !== null && heading.level >= 2 && isTaskList(heading)
}

/** Below a heading for tasks only those boxes count, else all except those of criteria and the like. */
function boxSections(lines: readonly Line[], announced: boolean): { sections: BoxSection[]; others: Line[] } {
  const sections: BoxSection[] = []
  const others: Line[] = []
  let list: Heading | null = null
  let phase: string | null = null
  let counts = !announced
  let open: BoxSection | null = null
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
      const indent = box[1]?.length ?? 0
      open = {
        line,
        indent,
        ticked: box[2] !== ' ',
        text: line.text.slice(box[0].length).trim(),
        phase,
        body: [],
      }
      sections.push(open)
    } else if (open !== null && continues(line)) {
      open.body.push(line)
    } else {
      if (line.text.trim() !== '') open = null
      others.push(line)
    }
  }
  return { sections, others }
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

/** The box's line is read with its body, to find commands and commits in it. */
function bodyOf(section: BoxSection): Line[] {
  return [{ ...section.line, text: section.text }, ...section.body.map(outdented)]
}

function outdented(line: Line): Line {
  return { ...line, text: line.text.replace(/^ {2,4}/, '') }
}

function boxTask(
  section: BoxSection,
  numbered: boolean,
  id: string,
  fields: Parameters<typeof asTask>[0],
): DraftTask {
  const text = numbered ? section.text.replace(OWN_ID, '') : section.text
  return asTask(fields, section, { id, title: titleOf(plainText(text)) })
}

function asTask(
  fields: ReturnType<typeof readTaskBody>['fields'],
  section: BoxSection,
  { id, title }: { readonly id: string; readonly title: string },
): DraftTask {
  return {
    ...fields,
    id,
    title,
    line: section.line.number,
    phase: section.phase,
    done: section.ticked,
    optional: /\(optional\)/i.test(section.text),
  }
}

function titleOf(text: string): string {
  const plain = text.replace(/\s?\(optional\)$/i, '').replace(/[.:]$/, '')
  return plain.length <= MAX_TITLE_CHARS ? plain : `${plain.slice(0, MAX_TITLE_CHARS - 1).trimEnd()}…`
}
