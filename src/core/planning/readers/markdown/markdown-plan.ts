/** Reads a Markdown plan: tasks as headings, as numbered headings, or as check boxes. */
import type { DraftTask, PlanDraft } from '../../draft.ts'
import type { Problem, RemovedStep } from '../../plan.ts'
import { readBoxTasks } from './box-tasks.ts'
import { readHeader } from './header.ts'
import type { Line, Note } from './lines.ts'
import { readLines } from './lines.ts'
import type { DataForms, PlanText } from '../located.ts'
import { sectionsByNumber, sectionsByTask, type PlanSections, type TaskSection } from './task-sections.ts'
import { duplicateIds, noTasks, warningsOf } from '../problems.ts'
import { isSpecKit, readSpecKitTasks } from './spec-kit.ts'
import { readTaskBody } from './task-body.ts'

/** The tasks found, and the lines outside them. */
export interface TasksRead {
  readonly tasks: readonly DraftTask[]
  readonly removed: readonly RemovedStep[]
  readonly notes: readonly Note[]
  readonly others: readonly Line[]
}

export function readMarkdownPlan(input: PlanText, forms: Pick<DataForms, 'frontMatter'>): PlanDraft {
  const { lines, notes } = readLines(input.text)
  const front = forms.frontMatter(input.source, lines)
  const byTask = sectionsByTask(front.rest)
  const specKit = byTask.tasks.length === 0 && isSpecKit(front.rest)
  const read = specKit ? readSpecKitTasks(front.rest) : readTasks(front.rest, byTask)
  const header = readHeader(read.others, read.tasks[0]?.line ?? Number.POSITIVE_INFINITY)
  const problems: Problem[] = [
    ...warningsOf(input.source, [...notes, ...read.notes]),
    ...front.problems,
    ...duplicateIds(input.source, read.tasks),
  ]
  if (read.tasks.length === 0) problems.push(noTasks(input.source))
  return {
    format: specKit ? 'spec-kit' : 'markdown',
    source: input.source,
    id: front.fields.id,
    idLine: front.fields.idLine,
    title: front.fields.title ?? header.title,
    design: front.fields.design ?? header.design,
    goal: front.fields.goal ?? header.goal,
    architecture: front.fields.architecture ?? header.architecture,
    techStack: front.fields.techStack ?? header.techStack,
    constraints: header.constraints,
    environment: front.fields.environment ?? {},
    tasks: read.tasks,
    integration: [],
    removedSteps: read.removed,
    problems,
  }
}

function readTasks(lines: readonly Line[], byTask: PlanSections): TasksRead {
  if (byTask.tasks.length > 0) return readSections(byTask)
  const boxes = readBoxTasks(lines)
  if (boxes.numbered) return boxes
  const byNumber = sectionsByNumber(lines)
  return byNumber.tasks.length > 0 ? readSections(byNumber) : boxes
}

function readSections({ tasks, others }: PlanSections): TasksRead {
  const read = tasks.map((section) => ({ section, body: readTaskBody(section.heading.id, section.body) }))
  return {
    tasks: read.map(({ section, body }) => draftTask(section, body.fields)),
    removed: read.flatMap(({ body }) => body.removed),
    notes: read.flatMap(({ body }) => body.notes),
    others,
  }
}

function draftTask(section: TaskSection, fields: ReturnType<typeof readTaskBody>['fields']): DraftTask {
  const { id, title, optional, done } = section.heading
  return {
    ...fields,
    id,
    title,
    line: section.line,
    phase: section.phase,
    done: done || fields.done,
    optional,
  }
}
