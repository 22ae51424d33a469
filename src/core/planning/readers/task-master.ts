/**
 * Task Master's tasks.json, already parsed: `{ tasks: […] }`, or one such list for each tag.
 * A task's subtasks are its steps, so that a dependency on subtask "1.2" is one on task "1".
 */
import { EMPTY_DRAFT, type DraftTask, type PlanDraft } from '../draft.ts'
import type { Problem, RemovedStep } from '../plan.ts'
import { errorAt, noTasks, warningAt } from '../problems.ts'
import { readLines } from './markdown/lines.ts'
import { readTaskBody, type TaskFields } from './markdown/task-body.ts'
import { isMapping, type LocatedValue, type Path } from './schema-problems.ts'

type Mapping = Readonly<Record<string, unknown>>

interface Reading {
  readonly file: string
  readonly lineOf: LocatedValue['lineOf']
  readonly problems: Problem[]
  readonly removed: RemovedStep[]
}

export function readTaskMasterPlan(file: string, { value, lineOf, errors }: LocatedValue): PlanDraft {
  const problems = errors.map(({ line, message }) =>
    errorAt(file, line, `this is not valid JSON: ${message}`, 'fix the JSON in this line'),
  )
  const reading: Reading = { file, lineOf, problems, removed: [] }
  const found = errors.length > 0 ? [] : tasksIn(reading, value)
  const left = new Set(found.filter(({ isCancelled }) => isCancelled).map(({ task }) => task.id))
  const tasks = found.map(({ task }) => task).filter(({ id }) => !left.has(id))
  const meta = isMapping(value) && isMapping(value['meta']) ? value['meta'] : {}
  return {
    ...EMPTY_DRAFT,
    format: 'task-master',
    source: file,
    title: textOf(meta['projectName']),
    tasks: tasks.map((task) => withoutDependencies(task, left)),
    removedSteps: reading.removed,
    problems,
  }
}

interface FoundTask {
  readonly task: DraftTask
  readonly isCancelled: boolean
}

function tasksIn(reading: Reading, value: unknown): readonly FoundTask[] {
  const { file, lineOf, problems } = reading
  const lists = taskLists(value)
  const chosen = lists.find(({ tag }) => tag === 'master') ?? lists[0]
  if (chosen === undefined) {
    const remedy = 'write {"tasks": […]} or {"master": {"tasks": […]}}'
    problems.push(errorAt(file, 1, 'no list of tasks in this JSON', remedy))
    return []
  }
  const others = lists.filter((list) => list !== chosen).map(({ tag }) => `"${tag}"`)
  if (others.length > 0) {
    const message = `reading only the tasks of the tag "${chosen.tag}", not ${others.join(', ')}`
    problems.push(warningAt(file, lineOf([chosen.tag]), message, 'move the tag to run into its own file'))
  }
  const found = chosen.tasks.flatMap((task, index) => readTask(reading, task, [...chosen.path, index]))
  if (found.every(({ isCancelled }) => isCancelled)) problems.push(noTasks(file))
  return found
}

interface TaskList {
  readonly tag: string
  readonly path: Path
  readonly tasks: readonly unknown[]
}

function taskLists(value: unknown): readonly TaskList[] {
  const listAt = (tag: string, path: Path, tasks: unknown): readonly TaskList[] =>
    Array.isArray(tasks) ? [{ tag, path, tasks }] : []
  if (!isMapping(value)) return listAt('', [], value)
  const own = listAt('', ['tasks'], value['tasks'])
  if (own.length > 0) return own
  return Object.entries(value).flatMap(([tag, held]) =>
    listAt(tag, [tag, 'tasks'], isMapping(held) ? held['tasks'] : undefined),
  )
}

function readTask(reading: Reading, value: unknown, path: Path): FoundTask[] {
  const { file, problems } = reading
  const line = reading.lineOf(path)
  const fields = isMapping(value) ? value : {}
  const id = textOf(fields['id'])
  const title = textOf(fields['title'])
  const missing = id === undefined ? 'id' : title === undefined ? 'title' : null
  if (missing !== null)
    problems.push(errorAt(file, line, `a task has no ${missing}`, `give the task an "${missing}"`))
  if (id === undefined) return []
  const isCancelled = textOf(fields['status'])?.toLowerCase() === 'cancelled'
  if (isCancelled) {
    const message = `task ${id} is cancelled and left out`
    problems.push(warningAt(file, line, message, 'set its status to pending to include it'))
  }
  return [{ task: { ...draftTask(reading, fields, id, path), title: title ?? id, line }, isCancelled }]
}

function draftTask(
  reading: Reading,
  fields: Mapping,
  id: string,
  path: Path,
): Omit<DraftTask, 'title' | 'line'> {
  const list = fields['subtasks']
  const subtasks = Array.isArray(list) ? list.filter(isMapping) : []
  const lineOf = (...keys: Path): number => reading.lineOf([...path, ...keys])
  const strategy = textOf(fields['testStrategy'])
  const details = bodyOf(reading, id, textOf(fields['details']) ?? '', lineOf('details'))
  const checks =
    strategy === undefined ? null : bodyOf(reading, id, `**Check:** ${strategy}`, lineOf('testStrategy'))
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
    steps: [...details.steps, ...steps, ...(checks?.steps ?? [])],
    dependsOn: ids === undefined ? undefined : { ids, line: lineOf('dependencies') },
    acceptanceCriteria: details.acceptanceCriteria ?? (strategy === undefined ? undefined : [strategy]),
  }
}

/** Details are Markdown, read like the body of any task, with the line of their key. */
function bodyOf({ file, problems, removed }: Reading, id: string, text: string, line: number): TaskFields {
  const body = readTaskBody(id, readLines(text).lines)
  for (const gone of body.removed) removed.push({ ...gone, line })
  for (const { message, remedy } of body.notes) problems.push(warningAt(file, line, message, remedy))
  const steps = body.fields.steps.map((step) => ({
    ...step,
    line,
    runs: step.runs.map((run) => ({ ...run, line })),
  }))
  return { ...body.fields, steps }
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
  const ids = value.flatMap((entry: unknown) => textOf(entry)?.replace(/^(\d{1,9})\.\d{1,9}$/, '$1') ?? [])
  return [...new Set(ids)].filter((id) => id !== own)
}

function withoutDependencies(task: DraftTask, gone: ReadonlySet<string>): DraftTask {
  if (task.dependsOn?.ids.some((id) => gone.has(id)) !== true) return task
  return { ...task, dependsOn: { ...task.dependsOn, ids: task.dependsOn.ids.filter((id) => !gone.has(id)) } }
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}
