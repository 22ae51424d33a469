/** Reads a plan from parsed YAML, and reports every mistake with its line. */
import type { z } from 'zod'
import type { DraftFiles, DraftTask, InCamelCase, PlanDraft } from '../draft.ts'
import type { IntegrationTest, CustomGate, Problem, RemovedStep } from '../plan.ts'
import { errorAt, noTasks } from '../problems.ts'
import { leavesRepository, removedStep, siftCommands } from './commands/removal.ts'
import { isMapping, environmentOf, problemsOf, type LocatedValue, type Path } from './schema-problems.ts'
import { integrationSchema, knownKeys, planSchema, taskSchema, type FileTask } from './yaml-schema.ts'

/** Compiling a function for each schema would take zod longer than checking a plan without. */
const CHECK = { jitless: true }

interface Reading {
  readonly file: string
  readonly lineOf: (path: Path) => number
  readonly problems: Problem[]
  readonly removed: RemovedStep[]
}

export function readYamlPlan(file: string, located: LocatedValue): PlanDraft {
  const reading: Reading = { file, lineOf: located.lineOf, problems: [], removed: [] }
  const value = withWrittenIds(located, located.value, [])
  for (const { line, message } of located.errors) {
    reading.problems.push(
      errorAt(file, line, `this is not valid YAML: ${message}`, 'fix the YAML in this line'),
    )
  }
  const root = isMapping(value) ? value : {}
  if (located.errors.length === 0 && !isMapping(value)) {
    reading.problems.push(
      errorAt(file, 1, 'the plan is not a mapping', 'start it with "plan: name" and "tasks:"'),
    )
  } else if (located.errors.length === 0) {
    check(reading, planSchema.safeParse(value, CHECK), [])
  }
  const {
    plan: id,
    design,
    constraints = [],
    tasks: list,
    integration,
    environment: _environment,
    ...texts
  } = inCamelCase(validFields(planSchema.shape, root))
  const tasks = (list ?? []).flatMap((task, index) => readTask(reading, task, index))
  if (list?.length === 0) reading.problems.push(noTasks(file))
  const tests = (integration ?? []).flatMap((entry, index) => readIntegration(reading, entry, index))
  const environment = environmentOf(file, root, located.lineOf)
  return {
    ...texts,
    format: 'yaml',
    source: file,
    id,
    idLine: located.lineOf(['plan']),
    design: design === undefined ? undefined : { path: design, line: located.lineOf(['design']) },
    constraints,
    environment: environment.value,
    tasks,
    integration: tests,
    removedSteps: reading.removed,
    problems: [...reading.problems, ...environment.problems],
  }
}

const ID_KEYS = new Set(['plan', 'id', 'depends_on', 'tasks_covered'])

/** With ids as they are written: YAML parses `1.10` as the number 1.1, which is another task. */
function withWrittenIds(located: LocatedValue, value: unknown, path: Path): unknown {
  if (Array.isArray(value)) return value.map((one, at) => withWrittenIds(located, one, [...path, at]))
  if (isMapping(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, withWrittenIds(located, one, [...path, key])]),
    )
  }
  const key = path.findLast((part) => typeof part === 'string') ?? ''
  return typeof value === 'number' && ID_KEYS.has(key) ? (located.numberText(path) ?? value) : value
}

function check(reading: Reading, result: z.ZodSafeParseResult<unknown>, under: Path): void {
  if (result.success) return
  const lineOf = (path: Path) => reading.lineOf([...under, ...path])
  const keys = (path: Path) => knownKeys([...under, ...path])
  const name = under.map((part) => (typeof part === 'number' ? `[${part + 1}]` : part)).join('')
  const found = problemsOf({ file: reading.file, error: result.error, lineOf, under: name, keys })
  for (const problem of found) reading.problems.push(problem)
}

/** Keeps valid items; the others are reported already. */
function validFields<Shape extends Readonly<Record<string, z.ZodType>>>(
  shape: Shape,
  value: Readonly<Record<string, unknown>>,
): { readonly [Key in keyof Shape]?: z.infer<Shape[Key]> } {
  const fields: { [Key in keyof Shape]?: z.infer<Shape[Key]> } = {}
  for (const key in shape) {
    const parsed = value[key] === undefined ? undefined : shape[key]?.safeParse(value[key], CHECK)
    if (parsed?.success === true) fields[key] = parsed.data as z.infer<Shape[typeof key]>
  }
  return fields
}

/** The fields of a file under the names that they have in a draft; an empty value counts as absent. */
export function inCamelCase<Fields extends object>(fields: Fields): InCamelCase<Fields> {
  const named = Object.entries(fields).map(([key, value]: [string, unknown]) => [
    key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    value ?? undefined,
  ])
  return Object.fromEntries(named) as InCamelCase<Fields>
}

function readTask(reading: Reading, value: unknown, index: number): DraftTask[] {
  const at: Path = ['tasks', index]
  const parsed = taskSchema.safeParse(value, CHECK)
  check(reading, parsed, at)
  if (!isMapping(value)) return []
  const fields: Partial<FileTask> = parsed.success ? parsed.data : validFields(taskSchema.shape, value)
  const { id, files, gates, depends_on, tests_to_run, time_budget, ...plain } = fields
  if (id === undefined) return []
  const line = reading.lineOf(at)
  const { title = id, description = '', ...given } = inCamelCase(plain)
  const own = { reading, id, at }
  return [
    {
      ...given,
      id,
      title,
      line,
      phase: null,
      description,
      steps: [],
      files: filesOf(own, files),
      addedPaths: [],
      dependsOn: depends_on ? { ids: depends_on, line: reading.lineOf([...at, 'depends_on']) } : undefined,
      testsToRun: testsToRun(own, tests_to_run),
      gates: gates?.filter((gate) => typeof gate === 'string'),
      ownGates: ownGates(own, gates),
      timeBudgetMs: time_budget ?? undefined,
    },
  ]
}

interface OfTask {
  readonly reading: Reading
  readonly id: string
  readonly at: Path
}

function filesOf({ reading, id, at }: OfTask, files: FileTask['files']): DraftFiles | undefined {
  if (files === undefined || files === null) return undefined
  const inside = (key: 'create' | 'modify' | 'delete') =>
    (files[key] ?? []).filter((path, index) => {
      if (!leavesRepository(path)) return true
      const line = reading.lineOf([...at, 'files', key, index])
      reading.removed.push(removedStep(id, { line, text: `${key} ${path}`, kind: 'outside' }))
      return false
    })
  return { create: inside('create'), modify: inside('modify'), delete: inside('delete'), test: [], read: [] }
}

function testsToRun({ reading, id, at }: OfTask, commands: FileTask['tests_to_run']): string[] | undefined {
  return commands?.flatMap((command, index) => {
    const line = reading.lineOf([...at, 'tests_to_run', index])
    const { kept, removed } = siftCommands(command, line)
    if (removed.length === 0) return [command]
    for (const gone of removed) reading.removed.push(removedStep(id, { ...gone, line }))
    return kept === '' ? [] : [kept]
  })
}

/** Gate names must be unique, because verdicts refer to them. */
function ownGates({ reading, id, at }: OfTask, gates: FileTask['gates']): CustomGate[] | undefined {
  const names = new Set<string>()
  return gates?.flatMap((gate, index) => {
    if (typeof gate === 'string') return []
    if (names.has(gate.name)) {
      const line = reading.lineOf([...at, 'gates', index])
      const message = `task ${id} has two gates named "${gate.name}"`
      reading.problems.push(errorAt(reading.file, line, message, 'give one of them another name'))
      return []
    }
    names.add(gate.name)
    return [gate]
  })
}

function readIntegration(reading: Reading, entry: unknown, index: number): IntegrationTest[] {
  const parsed = integrationSchema.safeParse(entry, CHECK)
  check(reading, parsed, ['integration', index])
  if (!parsed.success) return []
  const { after_layer: afterLayer, tasks_covered: tasksCovered, ...test } = parsed.data
  return [{ ...test, afterLayer, tasksCovered }]
}
