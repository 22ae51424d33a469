/**
 * Task Master's tasks.json, already parsed: `{ tasks: […] }`, or one such list for each tag.
 * A task's subtasks are its steps, so that a dependency on subtask "1.2" is one on task "1".
 */
import { EMPTY_DRAFT, type DraftTask, type PlanDraft } from '../draft.ts'
import type { Problem, RemovedStep } from '../plan.ts'
import { readLines } from './markdown/lines.ts'
import { isMapping, type LocatedValue } from './located.ts'
import { errorAt, noTasks, warningsOf, type Note } from '../problems.ts'
import { readTaskBody, type TaskFields } from './markdown/task-body.ts'

type Mapping = Readonly<Record<string, unknown>>
type Path = readonly (string | number)[]

interface Reading {
  readonly file: string
  readonly lineOf: LocatedValue['lineOf']
  readonly problems: Problem[]
  readonly removed: RemovedStep[]
  readonly notes: Note[]
}

export function readTaskMasterPlan(file: string, located: LocatedValue): PlanDraft {
  const reading: Reading = { file, lineOf: located.lineOf, problems: [], removed: [], notes: [] }
  for (const { line, message } of located.errors) {
    reading.problems.push(
      errorAt(file, line, `this is not valid JSON: ${message}`, 'fix the JSON in this line'),
    )
  }
  const list = located.errors.length > 0 ? null : taskList(reading, located.value)
  const found = (list?.tasks ?? []).flatMap((value, index) =>
    readTask(reading, value, [...(list?.path ?? []), index]),
  )
  const left = new Set(found.filter(({ cancelled }) => cancelled).map(({ task }) => task.id))
  const tasks = found
    .filter(({ task }) => !left.has(task.id))
    .map(({ task }) => withoutDependencies(task, left))
  if (list !== null && tasks.length === 0) reading.problems.push(noTasks(file))
  const meta = isMapping(located.value) ? located.value['meta'] : undefined
  return {
    ...EMPTY_DRAFT,
    format: 'task-master',
    source: file,
    title: isMapping(meta) ? textOf(meta['projectName']) : undefined,
    tasks,
    removedSteps: reading.removed,
    problems: [...reading.problems, ...warningsOf(file, reading.notes)],
  }
}

interface TaskList {
  readonly tasks: readonly unknown[]
  readonly path: Path
}

function taskList(reading: Reading, value: unknown): TaskList | null {
  if (Array.isArray(value)) return { tasks: value, path: [] }
  if (isMapping(value)) {
    const own = value['tasks']
    if (Array.isArray(own)) return { tasks: own, path: ['tasks'] }
    const tags = Object.entries(value).flatMap(([tag, held]) => {
      const tasks = isMapping(held) ? held['tasks'] : undefined
      return Array.isArray(tasks) ? [{ tag, tasks: tasks as readonly unknown[] }] : []
    })
    const chosen = tags.find(({ tag }) => tag === 'master') ?? tags[0]
    if (chosen !== undefined) {
      if (tags.length > 1) noteOtherTags(reading, tags, chosen.tag)
      return { tasks: chosen.tasks, path: [chosen.tag, 'tasks'] }
    }
  }
  reading.problems.push(
    errorAt(
      reading.file,
      1,
      'no list of tasks in this JSON',
      'write {"tasks": […]} or {"master": {"tasks": […]}}',
    ),
  )
  return null
}

function noteOtherTags(reading: Reading, tags: readonly { readonly tag: string }[], chosen: string): void {
  const others = tags.map(({ tag }) => tag).filter((tag) => tag !== chosen)
  reading.notes.push({
    line: reading.lineOf([chosen]),
    message: `reading only the tasks of the tag "${chosen}", not ${others.map((tag) => `"${tag}"`).join(', ')}`,
    remedy: 'move the tag to run into its own file',
  })
}

interface FoundTask {
  readonly task: DraftTask
  readonly cancelled: boolean
}

function readTask(reading: Reading, value: unknown, path: Path): FoundTask[] {
  const line = reading.lineOf(path)
  const fields = isMapping(value) ? value : {}
  const id = textOf(fields['id'])
  const title = textOf(fields['title'])
  if (id === undefined || title === undefined) {
    const missing = id === undefined ? 'id' : 'title'
    reading.problems.push(
      errorAt(reading.file, line, `a task has no ${missing}`, `give the task an "${missing}"`),
    )
    if (id === undefined) return []
  }
  const cancelled = textOf(fields['status'])?.toLowerCase() === 'cancelled'
  if (cancelled) {
    reading.notes.push({
      line,
      message: `task ${id} is cancelled and left out`,
      remedy: 'set its status to pending to include it',
    })
  }
  return [{ task: { ...draftTask(reading, fields, id, path), title: title ?? id, line }, cancelled }]
}

function draftTask(
  reading: Reading,
  fields: Mapping,
  id: string,
  path: Path,
): Omit<DraftTask, 'title' | 'line'> {
  const subtasks = mappingsOf(fields['subtasks'])
  const lineOf = (...keys: Path): number => reading.lineOf([...path, ...keys])
  const strategy = textOf(fields['testStrategy'])
  const check = strategy === undefined ? '' : `**Check:** ${strategy}`
  const details = bodyOf(reading, id, textOf(fields['details']) ?? '', lineOf('details'))
  const checks = bodyOf(reading, id, check, lineOf('testStrategy'))
  const ids = dependencies(fields['dependencies'], id)
  const parts = [textOf(fields['description']), details.description, ...subtasks.map(subtaskText)]
  const steps = subtasks.map((subtask, index) => ({
    line: lineOf('subtasks', index),
    title: textOf(subtask['title']) ?? '',
    runs: [],
  }))
  return {
    ...details,
    id,
    phase: null,
    description: parts.filter((part) => part !== undefined && part !== '').join('\n'),
    steps: [...details.steps, ...steps, ...checks.steps],
    dependsOn: ids === undefined ? undefined : { ids, line: lineOf('dependencies') },
    acceptanceCriteria: details.acceptanceCriteria ?? (strategy === undefined ? undefined : [strategy]),
  }
}

/** Details are Markdown, read like the body of any task, with the line of their key. */
function bodyOf(reading: Reading, id: string, text: string, line: number): TaskFields {
  const { fields, removed, notes } = readTaskBody(id, readLines(text).lines)
  for (const gone of removed) reading.removed.push({ ...gone, line })
  for (const note of notes) reading.notes.push({ ...note, line })
  const steps = fields.steps.map((step) => ({
    ...step,
    line,
    runs: step.runs.map((run) => ({ ...run, line })),
  }))
  return { ...fields, steps }
}

function subtaskText(subtask: Mapping): string {
  const more = [textOf(subtask['description']), textOf(subtask['details'])].filter(
    (text) => text !== undefined,
  )
  return [`- ${textOf(subtask['title']) ?? ''}`, ...more.map((text) => `  ${text}`)].join('\n')
}

/** A subtask's id counts as its task's, and a task does not depend on itself. */
function dependencies(value: unknown, own: string): string[] | undefined {
  if (!Array.isArray(value)) return undefined
  const ids = value.flatMap((entry: unknown) => {
    const id = textOf(entry)
    return id === undefined ? [] : [/^(\d{1,9})\.\d{1,9}$/.exec(id)?.[1] ?? id]
  })
  return [...new Set(ids)].filter((id) => id !== own)
}

function withoutDependencies(task: DraftTask, gone: ReadonlySet<string>): DraftTask {
  if (task.dependsOn?.ids.some((id) => gone.has(id)) !== true) return task
  return { ...task, dependsOn: { ...task.dependsOn, ids: task.dependsOn.ids.filter((id) => !gone.has(id)) } }
}

function mappingsOf(value: unknown): Mapping[] {
  return Array.isArray(value) ? value.filter(isMapping) : []
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}
