/** Assigns the lines of a Markdown plan to its tasks. */
import type { DraftTask } from '../../draft.ts'
import type { RemovedStep } from '../../plan.ts'
import {
  headingOf,
  isPhase,
  isTaskList,
  numberedHeadingOf,
  taskHeadingOf,
  type Heading,
  type TaskHeading,
} from './headings.ts'
import type { Note } from '../../problems.ts'
import type { Line } from './lines.ts'
import { readTaskBody } from './task-body.ts'

/** A task as its heading or box names it, with the lines below. */
export interface TaskSection extends Pick<DraftTask, 'id' | 'title' | 'line' | 'phase'> {
  readonly body: readonly Line[]
}

export interface PlanSections {
  readonly tasks: readonly TaskSection[]
  /** The lines outside of every task, in order. */
  readonly others: readonly Line[]
}

/** The tasks found, and the lines outside them. */
export interface TasksRead {
  readonly tasks: readonly DraftTask[]
  readonly removed: readonly RemovedStep[]
  readonly notes: readonly Note[]
  readonly others: readonly Line[]
}

export function readSections({ tasks, others }: PlanSections): TasksRead {
  const read = tasks.map(({ body, ...head }) => ({ head, ...readTaskBody(head.id, body) }))
  return {
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

/** Tasks by their own headings: `Task 1: …`, `T-01: …`. */
export function sectionsByTask(lines: readonly Line[]): PlanSections {
  return splitAtTasks(lines, taskHeadingOf)
}

const LOOKS_LIKE_WORK =
  /^\s{0,3}(?:[-*]\s)?\*{0,2}(?:files?|steps?\s\d|acceptance criteria|depends on|run|verify|check)\b\*{0,2}\s?\d{0,3}:|^\s{0,8}[-*]\s\[[ xX]\]\s|^#{3,5}\s(?:step\s\d|acceptance criteria|files)\b/i

/**
 * Tasks by numbered headings. Only those count that are below a heading for tasks,
 * or that contain files, steps, boxes or criteria.
 */
export function sectionsByNumber(lines: readonly Line[]): PlanSections {
  const accepted = acceptedNumbers(lines)
  return splitAtTasks(lines, (heading, index) => (accepted.has(index) ? numberedHeadingOf(heading) : null))
}

function acceptedNumbers(lines: readonly Line[]): ReadonlySet<number> {
  const accepted = new Set<number>()
  /** Those with work of their own; the others only group the headings below them. */
  const worked = new Set<number>()
  let list: Heading | null = null
  let current: { readonly index: number; readonly level: number } | null = null
  lines.forEach((line, index) => {
    if (line.role !== 'text') return
    const heading = headingOf(line.text)
    if (
      heading === null ||
      (current !== null && heading.level > current.level && numberedHeadingOf(heading) === null)
    ) {
      if (current !== null && LOOKS_LIKE_WORK.test(line.text)) {
        accepted.add(current.index)
        worked.add(current.index)
      }
      return
    }
    const numbered = numberedHeadingOf(heading)
    if (list !== null && heading.level <= list.level) list = null
    if (numbered === null) {
      current = null
      if (isTaskList(heading)) list = heading
      return
    }
    if (current !== null && heading.level > current.level && !worked.has(current.index))
      accepted.delete(current.index)
    current = { index, level: heading.level }
    if (list !== null) accepted.add(index)
    else if (isTaskList({ ...heading, text: numbered.title })) list = heading
  })
  return accepted
}
