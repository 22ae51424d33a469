/** Completes a draft to a plan: fills in every field, records which were inferred, and collects all problems. */
import { questionsOf } from './find-questions.ts'
import { areaOfFiles } from './areas.ts'
import { findCycles, graphOf, topologicalOrder } from './dependencies/order.ts'
import { linkTasks } from './dependencies/dependencies.ts'
import {
  inferCriteria,
  filesOfTask,
  writtenPaths,
  expectsRed,
  inferredTests,
  runsOf,
  testsToAdd,
  testsToRun,
  pathLookup,
  type DraftedTask,
  type TaskFiles,
  type PathLookup,
  type RepoFacts,
} from './task-files.ts'
import type { DraftTask, PlanDraft } from './draft.ts'
import { gatesFor, layerOfFiles } from './gates.ts'
import { planId } from './ids.ts'
import { kindOfPath, normalPath } from '../languages/paths.ts'
import type { InferableField, Plan, Problem, TaskSpec } from './plan.ts'
import {
  createdTwice,
  planIdProblems,
  cycleProblems,
  idProblems,
  milestoneProblems,
  repositoryProblems,
  taskProblems,
  wholePlanProblems,
} from './plan-problems.ts'
import { listedProblems } from './problems.ts'
import { sliceLargeTasks } from './slicing.ts'
import { classifyTask } from './tiers.ts'
import type { Settings } from '../settings/settings.ts'

export function completePlan(draft: PlanDraft, facts: RepoFacts, settings: Settings): Plan {
  const exists = pathLookup(facts)
  const drafted = tasksWithFiles(draft.tasks, exists)
  const linked = linkTasks(drafted.map(linkable), draft)
  const completed = drafted.map((one, place) =>
    withQuestions(
      completeTask(one, {
        dependsOn: (linked.graph[place] ?? []).flatMap((need) => draft.tasks[need]?.id ?? []),
        settings,
        notMigrations: facts.notMigrations,
      }),
    ),
  )
  const sliced = sliceLargeTasks(completed, {
    limit: settings.pm.patch_size_limit_files,
    source: draft.source,
  })
  const cycles = findCycles(linked.graph)
  const problems: readonly Problem[] = [
    ...draft.problems,
    ...planIdProblems(draft),
    ...wholePlanProblems(draft, facts),
    ...idProblems(sliced.tasks, draft),
    ...milestoneProblems(sliced.tasks, draft),
    ...linked.problems,
    ...cycleProblems(cycles, draft),
    ...repositoryProblems(drafted, draft.source, exists),
    ...taskProblems(drafted, draft.source),
    ...createdTwice(drafted, draft.source),
    ...sliced.problems,
  ]
  return {
    header: {
      id: planId(draft),
      title: draft.title ?? planId(draft),
      source: draft.source,
      design: draft.design?.path ?? null,
      format: draft.format,
      goal: draft.goal ?? null,
      architecture: draft.architecture ?? null,
      techStack: draft.techStack ?? null,
      constraints: draft.constraints,
      specFile: draft.specFile ?? null,
    },
    tasks: sliced.tasks,
    order: cycles.length > 0 ? [] : idsInOrder(sliced.tasks),
    integration: draft.integration.map((test) => ({
      ...test,
      tasksCovered: test.tasksCovered.flatMap((id) => sliced.slicesOf.get(id) ?? [id]),
    })),
    environment: draft.environment,
    removedSteps: draft.removedSteps,
    problems: listedProblems(problems, draft.source),
    ...(draft.spec === undefined ? {} : { spec: draft.spec }),
  }
}

/** Whether a path is new depends on the files that earlier tasks write. */
function tasksWithFiles(tasks: readonly DraftTask[], exists: PathLookup): readonly DraftedTask[] {
  const written = new Set<string>()
  return tasks.map((task) => {
    const files = filesOfTask(task, exists, written)
    const paths = writtenPaths(files)
    for (const path of paths) written.add(normalPath(path))
    return { task, files, area: ownershipOf(task) ?? areaOfFiles(paths) }
  })
}

function ownershipOf(task: DraftTask): string | undefined {
  return task.ownership?.trim() === '' ? undefined : task.ownership
}

function linkable({ task, files, area }: DraftedTask) {
  const writes = writtenPaths(files)
  const commands = runsOf(task).map((run) => run.command)
  return {
    ...task,
    text: [task.title, task.description, ...commands].join('\n'),
    writes,
    creates: files.files.create,
    reads: files.reads,
    area,
    verification: writes.length === 0 && commands.length > 0,
    onlyTests: writes.length > 0 && writes.every((path) => kindOfPath(path) === 'test'),
    parallel: task.parallel === true,
  }
}

function completeTask(
  { task, files, area }: DraftedTask,
  {
    dependsOn,
    settings,
    notMigrations,
  }: {
    readonly dependsOn: readonly string[]
    readonly settings: Settings
    readonly notMigrations: readonly string[]
  },
): TaskSpec {
  const paths = writtenPaths(files)
  const add = task.testsToAdd ?? testsToAdd(task, files)
  const layer = task.layer ?? layerOfFiles(paths)
  const verdict = classifyTask({
    title: task.title,
    paths,
    tier: task.tier,
    flags: task.securityFlags,
    breakingChange: task.breakingChange,
    notMigrations,
  })
  return {
    id: task.id,
    title: task.title.trim() === '' ? `Task ${task.id}` : task.title,
    description: task.description,
    phase: task.phase,
    line: task.line,
    tier: verdict.tier,
    tierReasons: verdict.reasons,
    securityFlags: verdict.flags,
    ownership: area,
    layer,
    dependsOn,
    acceptanceCriteria: task.acceptanceCriteria ?? inferCriteria(task, { add }),
    files: files.files,
    nonGoals: task.nonGoals ?? [],
    testsToAdd: add,
    ...(task.testsToAdd === undefined ? { inferredTests: inferredTests(task, files) } : {}),
    testsToRun: task.testsToRun ?? testsToRun(task),
    heldOut: task.heldOut ?? [],
    gates: task.gates ?? gatesFor({ layer, paths, isPublic: isPublic(task) }),
    ...(task.ownGates === undefined || task.ownGates.length === 0 ? {} : { ownGates: task.ownGates }),
    interfaces: task.interfaces ?? [],
    breakingChange: task.breakingChange ?? false,
    timeBudgetMs: task.timeBudgetMs ?? settings.watch.time_limit,
    commitSubject: task.commitSubject ?? null,
    inferred: inferredFields(task, files, layer),
    ...(task.requirements === undefined ? {} : { requirements: [...new Set(task.requirements)] }),
    ...(task.story === undefined ? {} : { story: task.story }),
    ...(task.role === undefined ? {} : { role: task.role }),
    ...(task.type === undefined ? {} : { type: task.type }),
    ...(task.scope === undefined ? {} : { scope: task.scope }),
    ...redOnBase(task, files),
  }
}

/** A step that expects a new test to fail says so too. */
function redOnBase(task: DraftTask, files: TaskFiles): Pick<TaskSpec, 'redOnBase'> {
  const isRed = task.redOnBase ?? (expectsRed(task, files) || undefined)
  return isRed === undefined ? {} : { redOnBase: isRed }
}

function withQuestions(task: TaskSpec): TaskSpec {
  const questions = questionsOf(task)
  return questions.length === 0 ? task : { ...task, questions }
}

const isPublic = (task: DraftTask): boolean =>
  task.breakingChange === true || (task.interfaces?.length ?? 0) > 0

function inferredFields(task: DraftTask, files: TaskFiles, layer: string | null): readonly InferableField[] {
  const isGiven: Readonly<Record<InferableField, boolean>> = {
    acceptance_criteria: task.acceptanceCriteria !== undefined,
    depends_on: task.dependsOn !== undefined,
    ownership: ownershipOf(task) !== undefined,
    layer: task.layer !== undefined || layer === null,
    files: !files.inferred,
    tests_to_add: task.testsToAdd !== undefined || files.tests.length > 0,
    tests_to_run: task.testsToRun !== undefined,
  }
  return (Object.keys(isGiven) as InferableField[]).filter(
    (field) => !isGiven[field] || task.inferred?.includes(field) === true,
  )
}

function idsInOrder(tasks: readonly TaskSpec[]): readonly string[] {
  return topologicalOrder(graphOf(tasks)).flatMap((place) => tasks[place]?.id ?? [])
}
