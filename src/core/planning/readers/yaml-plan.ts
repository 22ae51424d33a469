/** Reads a plan from parsed YAML, and reports every mistake with its line. */
import type { z } from 'zod'
import type { DraftFiles, DraftTask, PlanDraft } from '../draft.ts'
import type { IntegrationTest, CustomGate, Problem, RemovedStep } from '../plan.ts'
import { environmentOf } from './environment.ts'
import { leavesRepository } from './outside.ts'
import { isMapping, type LocatedValue } from './located.ts'
import { errorAt, noTasks } from '../problems.ts'
import { REASONS, siftCommands } from './commands/removal.ts'
import { integrationSchema, knownKeys, planSchema, taskSchema, type YamlTask } from './yaml-schema.ts'
import { withWrittenIds } from './written-ids.ts'
import { problemsOf, type Path } from './zod-problems.ts'

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
  const value = withWrittenIds(located)
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
    check(reading, planSchema().safeParse(value, CHECK), [])
  }
  const plan = validFields(planSchema().shape, root)
  const list = root['tasks']
  const tasks = Array.isArray(list) ? list.flatMap((task, index) => readTask(reading, task, index)) : []
  if (Array.isArray(list) && list.length === 0) reading.problems.push(noTasks(file))
  const integration = readIntegration(reading, root['integration'])
  const environment = environmentOf(file, root, located.lineOf)
  const { design } = plan
  return {
    format: 'yaml',
    source: file,
    id: plan.plan ?? undefined,
    idLine: located.lineOf(['plan']),
    title: plan.title ?? undefined,
    design: typeof design !== 'string' ? undefined : { path: design, line: located.lineOf(['design']) },
    goal: plan.goal ?? undefined,
    architecture: plan.architecture ?? undefined,
    techStack: plan.tech_stack ?? undefined,
    constraints: plan.constraints ?? [],
    environment: environment.value,
    tasks,
    integration,
    removedSteps: reading.removed,
    spec: plan.spec ?? undefined,
    specFile: plan.spec_file ?? undefined,
    problems: [...reading.problems, ...environment.problems],
  }
}

function check(reading: Reading, result: z.ZodSafeParseResult<unknown>, under: Path): void {
  if (result.success) return
  const lineOf = (path: Path) => reading.lineOf([...under, ...path])
  const keys = (path: Path) => knownKeys([...under, ...path])
  const name = under.map((part) => (typeof part === 'number' ? `[${part + 1}]` : part)).join('')
  const found = problemsOf({ file: reading.file, error: result.error, lineOf, under: name, keys })
  for (const problem of found) reading.problems.push(problem)
}

function readTask(reading: Reading, value: unknown, index: number): DraftTask[] {
  const at: Path = ['tasks', index]
  const parsed = taskSchema().safeParse(value, CHECK)
  check(reading, parsed, at)
  if (!isMapping(value)) return []
  const fields = parsed.success ? parsed.data : validFields(taskSchema().shape, value)
  const { id } = fields
  if (id === undefined) return []
  return [draftTask(reading, { ...fields, id }, at)]
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

/** The valid fields of a task. */
type ReadTask = Partial<YamlTask> & Pick<YamlTask, 'id'>

function draftTask(reading: Reading, task: ReadTask, at: Path): DraftTask {
  const { id } = task
  const dependsOn = task.depends_on ?? undefined
  return {
    id,
    title: task.title ?? id,
    line: reading.lineOf(at),
    phase: null,
    description: task.description ?? '',
    steps: [],
    files: filesOf(reading, task, at),
    addedPaths: [],
    commitSubject: undefined,
    dependsOn:
      dependsOn === undefined ? undefined : { ids: dependsOn, line: reading.lineOf([...at, 'depends_on']) },
    ownership: task.ownership ?? undefined,
    layer: task.layer ?? undefined,
    tier: task.tier ?? undefined,
    acceptanceCriteria: task.acceptance_criteria ?? undefined,
    nonGoals: task.non_goals ?? undefined,
    testsToAdd: task.tests_to_add ?? undefined,
    testsToRun: testsToRun(reading, task, at),
    heldOut: task.held_out ?? undefined,
    gates: task.gates?.filter((gate) => typeof gate === 'string'),
    ownGates: ownGates(reading, task, at),
    interfaces: task.interfaces ?? undefined,
    breakingChange: task.breaking_change ?? undefined,
    securityFlags: task.security_flags ?? undefined,
    timeBudgetMs: task.time_budget ?? undefined,
    requirements: task.requirements ?? undefined,
    story: task.story ?? undefined,
    role: task.role ?? undefined,
    type: task.type ?? undefined,
    scope: task.scope ?? undefined,
    redOnBase: task.red_on_base ?? undefined,
    inferred: task.inferred ?? undefined,
  }
}

function filesOf(reading: Reading, task: ReadTask, at: Path): DraftFiles | undefined {
  const { files } = task
  if (files === undefined || files === null) return undefined
  const inside = (key: 'create' | 'modify' | 'delete') =>
    (files[key] ?? []).filter((path, index) => {
      if (!leavesRepository(path)) return true
      const line = reading.lineOf([...at, 'files', key, index])
      reading.removed.push({ task: task.id, line, text: `${key} ${path}`, reason: REASONS.outside })
      return false
    })
  return { create: inside('create'), modify: inside('modify'), delete: inside('delete'), test: [], read: [] }
}

function testsToRun(reading: Reading, task: ReadTask, at: Path): string[] | undefined {
  return task.tests_to_run?.flatMap((command, index) => {
    const line = reading.lineOf([...at, 'tests_to_run', index])
    const sift = siftCommands(command, line)
    if (sift.removed.length === 0) return [command]
    for (const gone of sift.removed) {
      reading.removed.push({ task: task.id, line, text: gone.text, reason: REASONS[gone.kind] })
    }
    return sift.kept === '' ? [] : [sift.kept]
  })
}

/** Gate names must be unique, because verdicts refer to them. */
function ownGates(reading: Reading, task: ReadTask, at: Path): CustomGate[] | undefined {
  const names = new Set<string>()
  return task.gates?.flatMap((gate, index) => {
    if (typeof gate === 'string') return []
    if (names.has(gate.name)) {
      const line = reading.lineOf([...at, 'gates', index])
      const message = `task ${task.id} has two gates named "${gate.name}"`
      reading.problems.push(errorAt(reading.file, line, message, 'give one of them another name'))
      return []
    }
    names.add(gate.name)
    return [gate]
  })
}

function readIntegration(reading: Reading, value: unknown): IntegrationTest[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((entry: unknown, index) => {
    const parsed = integrationSchema().safeParse(entry, CHECK)
    check(reading, parsed, ['integration', index])
    if (!parsed.success) return []
    const { id, after_layer, tasks_covered, description, command, reference } = parsed.data
    return [{ id, afterLayer: after_layer, tasksCovered: tasks_covered, description, command, reference }]
  })
}
