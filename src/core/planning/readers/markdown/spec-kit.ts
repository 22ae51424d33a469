/** GitHub Spec Kit's tasks.md: `- [ ] T001 [P] [US1] Description with src/path.py` below phases. */
import type { DraftTask } from '../../draft.ts'
import { dependenciesIn } from './fields.ts'
import { draftFiles, isPathLike, type FileAction, type FileEntry } from './file-list.ts'
import { headingOf, isPhase } from './headings.ts'
import { plainText, splitParens } from './inline.ts'
import type { Line } from './lines.ts'
import { wordLeaves } from '../outside.ts'
import { removedCommand } from './steps.ts'
import { readTaskBody, type TaskFields } from './task-body.ts'
import type { TasksRead } from './task-sections.ts'

const TASK_LINE =
  /^ {0,3}[-*]\s\[[ xX]\]\s{1,4}\*{0,2}(T\d{2,6}[a-z]?)\*{0,2}:?\s{1,4}((?:\[[A-Za-z0-9.-]{1,12}\]\s{0,4}){0,4})(?=\S)/

export function isSpecKit(lines: readonly Line[]): boolean {
  return lines.some((line) => line.role === 'text' && TASK_LINE.test(line.text))
}

interface KitTask {
  readonly line: Line
  readonly id: string
  readonly text: string
  readonly phase: string | null
  /** Marked `[P]`. */
  readonly parallel: boolean
  readonly body: Line[]
}

export function readSpecKitTasks(lines: readonly Line[]): TasksRead {
  const { found, others } = kitTasks(lines)
  const read = found.map((task) => ({
    task,
    ...readTaskBody(task.id, task.body),
    named: namedFiles(task.text),
  }))
  return {
    tasks: read.map(({ task, fields, named }) => draftTask(task, fields, named)),
    removed: read.flatMap(({ task, removed, named }) => [
      ...removed,
      ...named
        .filter(({ path }) => wordLeaves(path, ''))
        .map(({ path }) => removedCommand(task.id, { line: task.line.number, text: path, kind: 'outside' })),
    ]),
    notes: read.flatMap(({ notes }) => notes),
    others,
  }
}

function kitTasks(lines: readonly Line[]): { readonly found: KitTask[]; readonly others: Line[] } {
  const found: KitTask[] = []
  const others: Line[] = []
  let phase: string | null = null
  let open: KitTask | null = null
  for (const line of lines) {
    const heading = line.role === 'text' ? headingOf(line.text) : null
    if (heading !== null && heading.level <= 2) phase = isPhase(heading) ? heading.text : null
    const match: RegExpExecArray | null = line.role === 'text' ? TASK_LINE.exec(line.text) : null
    if (match !== null) {
      const text = line.text.slice(match[0].length).trim()
      const parallel = /\[P\]/i.test(match[2] ?? '')
      open = { line, id: match[1] ?? '', text, phase, parallel, body: [] }
      found.push(open)
    } else if (open !== null && heading === null && (line.role !== 'text' || /^ {2}\s*\S/.test(line.text))) {
      open.body.push({ ...line, text: line.text.replace(/^ {2}/, '') })
    } else {
      open = null
      others.push(line)
    }
  }
  return { found, others }
}

function draftTask(task: KitTask, fields: TaskFields, named: readonly FileEntry[]): DraftTask {
  const inside = named.filter(({ path }) => !wordLeaves(path, ''))
  const { outside, asides } = splitParens(task.text)
  const stated = asides.flatMap((aside) => /^\s{0,4}depends on:?\s(.*)$/is.exec(aside)?.[1] ?? [])
  const dependsOn = { ids: stated.flatMap((text) => dependenciesIn(text).ids), line: task.line.number }
  return {
    ...fields,
    id: task.id,
    title: plainText(stated.length > 0 ? outside : task.text),
    line: task.line.number,
    phase: task.phase,
    description: [plainText(task.text), fields.description].filter((text) => text !== '').join('\n'),
    files: fields.files ?? (inside.length > 0 ? draftFiles(inside) : undefined),
    dependsOn: fields.dependsOn ?? (stated.length > 0 ? dependsOn : undefined),
    parallel: task.parallel,
  }
}

/** The paths in a task's line; its verb decides whether they are new. */
function namedFiles(text: string): FileEntry[] {
  const created = /^(?:create|add|write|set ?up|initiali[sz]e|define|scaffold|generate)\b/i.test(
    plainText(text),
  )
  const removed = /^(?:delete|remove)\b/i.test(plainText(text))
  return text.split(/[\s,]+/).flatMap((word) => {
    const path = word.replace(/^[`"'([*]{1,3}|[`"')\].,;:*]{1,3}$/g, '')
    const route = path.startsWith('/') && !wordLeaves(path, '')
    if (!isPathLike(path) || route || !/\/|\.[a-z]{1,5}$/.test(path) || /^[A-Z][\w-]*\/[A-Z]/.test(path))
      return []
    return [{ action: actionFor(path, created, removed), path }]
  })
}

function actionFor(path: string, created: boolean, removed: boolean): FileAction {
  if (removed) return 'delete'
  if (/(^|\/)(tests?|specs?|__tests__|e2e)\//.test(path) || /[._](test|spec)\./.test(path)) return 'test'
  return created ? 'create' : 'modify'
}
