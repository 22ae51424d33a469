/** Reads a Markdown plan: tasks as headings, as numbered headings, or as check boxes. */
import type { PlanDraft } from '../../draft.ts'
import type { Problem } from '../../plan.ts'
import { readBoxTasks } from './box-tasks.ts'
import { readHeader } from './header.ts'
import { readLines, type Line } from './lines.ts'
import type { DataForms, PlanText } from '../located.ts'
import {
  readSections,
  sectionsByNumber,
  sectionsByTask,
  type PlanSections,
  type TasksRead,
} from './task-sections.ts'
import { noTasks, warningsOf } from '../../problems.ts'
import { isSpecKit, readSpecKitTasks } from './spec-kit.ts'

export function readMarkdownPlan(input: PlanText, forms: Pick<DataForms, 'frontMatter'>): PlanDraft {
  const { lines, notes } = readLines(input.text)
  const front = forms.frontMatter(input.source, lines)
  const byTask = sectionsByTask(front.rest)
  const specKit = byTask.tasks.length === 0 && isSpecKit(front.rest)
  const read = specKit ? readSpecKitTasks(front.rest) : readTasks(front.rest, byTask)
  const header = readHeader(read.others, read.tasks[0]?.line ?? Number.POSITIVE_INFINITY)
  const problems: Problem[] = [...warningsOf(input.source, [...notes, ...read.notes]), ...front.problems]
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
