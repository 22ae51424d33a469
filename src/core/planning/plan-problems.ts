/** Problems of a plan as a whole. All are reported; none stops the reading. */
import type { DraftTask, PlanDraft } from './draft.ts'
import { taskName, planName, PLAN_ID_LENGTH, idSlug, reviewerId, workerId } from './ids.ts'
import { isOutside, isPattern, normalPath, isFolderPath } from '../languages/paths.ts'
import type { Problem, TaskSpec } from './plan.ts'
import { errorAt, noTasks, warningAt } from './problems.ts'
import {
  writtenPaths,
  testsLeftRed,
  type PathLookup,
  type RepoFacts,
  type DraftedTask,
} from './task-files.ts'

export function wholePlanProblems(draft: PlanDraft, facts: RepoFacts): readonly Problem[] {
  const { design, source, tasks } = draft
  const problems: Problem[] = []
  const hasErrors = draft.problems.some(({ severity }) => severity === 'error')
  if (tasks.length === 0 && !hasErrors) problems.push(noTasks(source))
  const isWritten = tasks.some(({ files }) => files?.create?.includes(design?.path ?? '') === true)
  if (design !== undefined && facts.designPresent === false && !isWritten) {
    const remedy = 'Correct its path or add the document; reviewers compare the work with it.'
    problems.push(warningAt(source, design.line, `design document ${design.path} not found`, remedy))
  }
  if (facts.planLocation === 'outside' && !tasks.some(holdsOut)) {
    const remedy =
      'Its paths are relative to the root of this repository; run this in the repository the plan is for.'
    problems.push(warningAt(source, 1, 'the plan is outside this repository', remedy))
  }
  if (facts.planLocation === 'in_git') problems.push(...shownChecks(draft))
  problems.push(...sharedWorkerNames(draft))
  const ids = new Set(tasks.map((task) => task.id))
  for (const test of draft.integration) {
    const unknown = test.tasksCovered.filter((id) => !ids.has(id))
    if (unknown.length === 0) continue
    const message = `integration test ${test.id} covers ${unknown.join(', ')}, which is not in the plan`
    problems.push(errorAt(source, 1, message, 'Name tasks of this plan in tasks_covered.'))
  }
  return problems
}

/** A milestone of a layer without tasks would never run. */
export function milestoneProblems(tasks: readonly TaskSpec[], draft: PlanDraft): readonly Problem[] {
  const layers = new Set(tasks.flatMap(({ layer }) => layer ?? []))
  const never = draft.integration.filter(({ afterLayer }) => !layers.has(afterLayer))
  const known = layers.size === 0 ? '' : ` (${[...layers].slice(0, 10).join(', ')})`
  return never.map(({ id, afterLayer }) =>
    errorAt(
      draft.source,
      1,
      `integration test ${id} waits for layer ${afterLayer}, which has no tasks`,
      `Name a layer of this plan${known} in after_layer, or give its tasks \`layer: ${afterLayer}\`.`,
    ),
  )
}

const holdsOut = ({ heldOut = [] }: DraftTask): boolean => heldOut.length > 0

/** A worker can read every file in git and its history, so held-out checks must not be there. */
function shownChecks({ tasks, source }: PlanDraft): readonly Problem[] {
  return tasks
    .filter(holdsOut)
    .map(({ id, line }) =>
      warningAt(
        source,
        line,
        `task ${id} has held-out checks that its worker can read, because this plan is in git`,
        `Remove the plan from git (git rm --cached ${source}, add it to .gitignore, commit) or move it out of the repository, and use checks that no commit contains.`,
      ),
    )
}

/** Tasks with the same id, or whose ids would result in the same branch, review note and worker. */
export function idProblems(tasks: readonly TaskSpec[], { source }: PlanDraft): readonly Problem[] {
  const first = new Map<string, TaskSpec>()
  return tasks.flatMap((task): readonly Problem[] => {
    const { id, line } = task
    const name = taskName(id)
    const other = first.get(name)
    if (other === undefined) {
      first.set(name, task)
      return []
    }
    const message =
      other.id === id
        ? `duplicate task id "${id}" in lines ${other.line} and ${line}`
        : `task ids ${other.id} and ${id} result in the same name ${name}`
    return [errorAt(source, line, message, 'Give one of them another id.')]
  })
}

export function cycleProblems(cycles: readonly (readonly number[])[], draft: PlanDraft): readonly Problem[] {
  return cycles.map((cycle) => {
    const tasks = cycle.flatMap((place) => draft.tasks[place] ?? [])
    const [first] = tasks
    const ids = [...tasks, ...tasks.slice(0, 1)].map((task) => task.id)
    const line = first?.dependsOn?.line ?? first?.line ?? 1
    const remedy =
      tasks.length === 1 ? 'Remove the task from its own dependencies.' : 'Remove one of these dependencies.'
    return errorAt(draft.source, line, `cycle ${ids.join(' → ')}`, remedy)
  })
}

/** Tasks whose gates cannot pass as written. */
export function taskProblems(drafted: readonly DraftedTask[], source: string): readonly Problem[] {
  return drafted.flatMap(({ task, files }): readonly Problem[] => {
    const [red] = testsLeftRed(task, files)
    if (red === undefined) return []
    const message = `task ${task.id} leaves ${red} failing, so its gates cannot pass`
    return [warningAt(source, task.line, message, 'Write the test in the task that makes it pass.')]
  })
}

/** Files to change or delete that do not exist and that no earlier task creates. */
export function repositoryProblems(
  drafted: readonly DraftedTask[],
  source: string,
  exists: PathLookup,
): readonly Problem[] {
  const written = new Set<string>()
  return drafted.flatMap(({ task, files }) => {
    const own = new Set(files.files.create.map(normalPath))
    const changes = files.inferred ? [] : [...files.files.modify, ...files.files.delete]
    const missing = changes.filter(
      (path) =>
        !isOutside(path) &&
        !isPattern(path) &&
        !own.has(normalPath(path)) &&
        exists(path) === false &&
        !isMade(normalPath(path), written),
    )
    for (const path of writtenPaths(files)) written.add(normalPath(path))
    const remedy = 'Correct the path, list it under Create, or let an earlier task create it.'
    return missing.map((path) =>
      warningAt(source, task.line, `task ${task.id} changes ${path}, which is not in the repository`, remedy),
    )
  })
}

/** Whether an earlier task writes the path, or a parent folder. */
function isMade(path: string, written: ReadonlySet<string>): boolean {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/'))))
    if (written.has(at)) return true
  return false
}

/** A task named like the reviewer of another would share its folder. */
function sharedWorkerNames({ tasks, source }: PlanDraft): readonly Problem[] {
  const own = { plan: 'plan', tasks: tasks.map((task) => task.id) }
  const clash = workerNameClash(own, own)
  if (clash === null) return []
  const line = tasks.find((task) => task.id === clash.mine)?.line ?? 1
  const message = `the name of task ${clash.mine} collides with a reviewer of task ${clash.theirs}`
  return [errorAt(source, line, message, 'Give it another id.')]
}

/** A given id that is too long is an error; one derived from the file name is cut, with a warning. */
export function planIdProblems(draft: PlanDraft): readonly Problem[] {
  const { id, whole, isGiven } = planName(draft)
  if (id === whole) return []
  const long = `${whole.length} characters; the limit is ${PLAN_ID_LENGTH}`
  if (isGiven) {
    const message = `the plan id ${shown(whole)} has ${long}`
    const remedy = `Write a shorter id after plan:, for example ${id}.`
    return [errorAt(draft.source, draft.idLine ?? 1, message, remedy)]
  }
  const message = `the plan's name ${shown(whole)} has ${long}, so its id is ${id}`
  const remedy = 'Give the plan a shorter id with `plan:` in its front matter, or rename its file.'
  return [warningAt(draft.source, 1, message, remedy)]
}

const shown = (name: string): string => (name.length > 80 ? `${name.slice(0, 80)}…` : name)

/** Warns where two tasks create the same file. */
export function createdTwice(drafted: readonly DraftedTask[], source: string): readonly Problem[] {
  const problems: Problem[] = []
  const creators = new Map<string, { readonly id: string; readonly line: number }>()
  for (const { task, files } of drafted) {
    if (files.inferred) continue
    for (const path of new Set(files.files.create.map(normalPath))) {
      if (isPattern(path) || isFolderPath(path)) continue
      const first = creators.get(path)
      if (first === undefined) {
        creators.set(path, task)
        continue
      }
      const message = `task ${task.id} (line ${task.line}) creates ${path}, which task ${first.id} (line ${first.line}) also creates`
      const remedy = 'List it under Modify in the later task, or change one of the paths.'
      problems.push(warningAt(source, task.line, message, remedy))
    }
    for (const path of files.files.delete) creators.delete(normalPath(path))
  }
  return problems
}

/**
 * Detects colliding worker names. A name joins plan, task and attempt with dashes, each of which may contain dashes, so
 * two workers of a repository may get the same name and thus share their files.
 */
export interface NamedTasks {
  readonly plan: string
  /** Their ids. */
  readonly tasks: readonly string[]
}

interface NameClash {
  readonly worker: string
  /** A task of each plan that could have a worker of that name. */
  readonly mine: string
  readonly theirs: string
}

/** The first colliding name; null without one. */
export function workerNameClash(mine: NamedTasks, theirs: NamedTasks): NameClash | null {
  const [own, others] = [stemsOf(mine), stemsOf(theirs)]
  for (const [stem, task] of own) {
    const same = others.get(stem)
    const isItself = mine.plan === theirs.plan && same === task
    if (same !== undefined && !isItself)
      return { worker: workerId(mine.plan, task, 1), mine: task, theirs: same }
  }
  const reviewed = reviewerClash(own, others, theirs.plan)
  if (reviewed !== null) return reviewed
  const back = reviewerClash(others, own, mine.plan)
  return back === null ? null : { worker: back.worker, mine: back.theirs, theirs: back.mine }
}

/** A task named like the reviewer of another: `7-1-review` beside `7`. */
function reviewerClash(
  called: ReadonlyMap<string, string>,
  reviewed: ReadonlyMap<string, string>,
  plan: string,
): NameClash | null {
  for (const [stem, task] of called) {
    const [, other = '', attempt] = /^(.+)-(\d+)-review$/.exec(stem) ?? []
    const theirs = reviewed.get(other)
    if (theirs !== undefined)
      return { worker: reviewerId(plan, theirs, Number(attempt), 1), mine: task, theirs }
  }
  return null
}

/** Whether names of two plans can collide: one is a prefix of the other. */
export const mayClash = (one: string, other: string): boolean =>
  one.startsWith(`${other}-`) || other.startsWith(`${one}-`)

const stemsOf = ({ plan, tasks }: NamedTasks): ReadonlyMap<string, string> =>
  new Map(tasks.map((task) => [`${plan}-${idSlug(task)}`, task]))
