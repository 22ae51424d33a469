/** Problems of a plan as a whole. All are reported; none stops the reading. */
import type { DraftTask, PlanDraft } from './draft.ts'
import { compareText, taskName } from './ids.ts'
import { isOutside, isPattern, normalPath } from '../languages/paths.ts'
import type { Problem, TaskSpec } from './plan.ts'
import type { PathLookup, RepoFacts } from './repo-facts.ts'
import { writtenPaths, type TaskFiles } from './task-files.ts'
import { testsLeftRed } from './task-tests.ts'
import { workerNameClash } from './worker-names.ts'

const MOST_PROBLEMS = 300

/** By line; errors first within a line. */
export function sortProblems(problems: readonly Problem[]): readonly Problem[] {
  return problems.toSorted((a, b) => a.line - b.line || compareText(a.severity, b.severity))
}

/** Sorted and limited: errors are kept first, and the rest is counted. */
export function listedProblems(problems: readonly Problem[], file: string): readonly Problem[] {
  const errorsFirst = problems.toSorted((a, b) => compareText(a.severity, b.severity))
  const kept = sortProblems(errorsFirst.slice(0, MOST_PROBLEMS))
  const [next] = errorsFirst.slice(MOST_PROBLEMS)
  if (next === undefined) return kept
  const message = `${errorsFirst.length - kept.length} more problems not listed`
  return [
    ...kept,
    { severity: next.severity, file, line: 1, message, remedy: 'Fix these and read the plan again.' },
  ]
}

export function wholePlanProblems(draft: PlanDraft, facts: RepoFacts): readonly Problem[] {
  const problems: Problem[] = []
  const at = (line: number, severity: Problem['severity'], message: string, remedy: string): void => {
    problems.push({ severity, file: draft.source, line, message, remedy })
  }
  const hasErrors = draft.problems.some((problem) => problem.severity === 'error')
  if (draft.tasks.length === 0 && !hasErrors) {
    at(
      1,
      'error',
      'the plan has no tasks',
      'Write each task under a heading like "### Task 1: Title", or as an item of `tasks:` in YAML.',
    )
  }
  if (draft.design !== undefined && facts.designPresent === false) {
    at(
      draft.design.line,
      'warning',
      `design document ${draft.design.path} not found`,
      'Correct its path or add the document; reviewers compare the work with it.',
    )
  }
  if (facts.planLies === 'outside' && !draft.tasks.some(holdsOut)) {
    at(
      1,
      'warning',
      'the plan is outside this repository',
      'Its paths are relative to the root of this repository; run this in the repository the plan is for.',
    )
  }
  if (facts.planLies === 'in_git') problems.push(...shownChecks(draft))
  problems.push(...sharedWorkerNames(draft))
  const tasks = new Set(draft.tasks.map((task) => task.id))
  for (const test of draft.integration) {
    const unknown = test.tasksCovered.filter((id) => !tasks.has(id))
    if (unknown.length === 0) continue
    at(
      1,
      'error',
      `integration test ${test.id} covers ${unknown.join(', ')}, which is not in the plan`,
      'Name tasks of this plan in tasks_covered.',
    )
  }
  return problems
}

/** A milestone of a layer without tasks would never run. */
export function milestoneProblems(tasks: readonly TaskSpec[], draft: PlanDraft): readonly Problem[] {
  const layers = new Set(tasks.flatMap(({ layer }) => layer ?? []))
  const never = draft.integration.filter(({ afterLayer }) => !layers.has(afterLayer))
  const known = layers.size === 0 ? '' : ` (${[...layers].slice(0, 10).join(', ')})`
  return never.map(({ id, afterLayer }) => ({
    severity: 'error',
    file: draft.source,
    line: 1,
    message: `integration test ${id} waits for layer ${afterLayer}, which has no tasks`,
    remedy: `Name a layer of this plan${known} in after_layer, or give its tasks \`layer: ${afterLayer}\`.`,
  }))
}

const holdsOut = ({ heldOut = [] }: DraftTask): boolean => heldOut.length > 0

/** A worker can read every file in git and its history, so held-out checks must not be there. */
function shownChecks({ tasks, source }: PlanDraft): readonly Problem[] {
  return tasks.filter(holdsOut).map(({ id, line }) => ({
    severity: 'warning',
    file: source,
    line,
    message: `task ${id} has held-out checks that its worker can read, because this plan is in git`,
    remedy: `Remove the plan from git (git rm --cached ${source}, add it to .gitignore, commit) or move it out of the repository, and use checks that no commit contains.`,
  }))
}

/** Two tasks whose ids would result in the same branch, review note and worker. */
export function idProblems(
  tasks: readonly TaskSpec[],
  draft: Pick<PlanDraft, 'source' | 'problems'>,
): readonly Problem[] {
  const reported = new Set(draft.problems.filter((one) => one.severity === 'error').map((one) => one.line))
  const first = new Map<string, TaskSpec>()
  return tasks.flatMap((task): readonly Problem[] => {
    const name = taskName(task.id)
    const other = first.get(name)
    if (other === undefined) {
      first.set(name, task)
      return []
    }
    if (reported.has(task.line)) return []
    const message =
      other.id === task.id
        ? `duplicate task id ${task.id}, first used in line ${other.line}`
        : `task ids ${other.id} and ${task.id} result in the same name ${name}`
    return [
      {
        severity: 'error',
        file: draft.source,
        line: task.line,
        message,
        remedy: 'Give one of them another id.',
      },
    ]
  })
}

export function cycleProblems(cycles: readonly (readonly number[])[], draft: PlanDraft): readonly Problem[] {
  return cycles.map((cycle) => {
    const tasks = cycle.flatMap((place) => draft.tasks[place] ?? [])
    const [first] = tasks
    const ids = [...tasks, ...tasks.slice(0, 1)].map((task) => task.id)
    return {
      severity: 'error',
      file: draft.source,
      line: first?.dependsOn?.line ?? first?.line ?? 1,
      message: `cycle ${ids.join(' → ')}`,
      remedy:
        tasks.length === 1
          ? 'Remove the task from its own dependencies.'
          : 'Remove one of these dependencies.',
    }
  })
}

/** Tasks whose gates cannot pass as written. */
export function taskProblems(draft: PlanDraft, filesOf: readonly TaskFiles[]): readonly Problem[] {
  return draft.tasks.flatMap((task, place): readonly Problem[] => {
    const files = filesOf[place]
    if (files === undefined) return []
    const warning = { severity: 'warning', file: draft.source, line: task.line } as const
    const [red] = testsLeftRed(task, files)
    if (red !== undefined) {
      const message = `task ${task.id} leaves ${red} failing, so its gates cannot pass`
      return [{ ...warning, message, remedy: 'Write the test in the task that makes it pass.' }]
    }
    return []
  })
}

/** Files to change or delete that do not exist and that no earlier task creates. */
export function repositoryProblems(
  draft: PlanDraft,
  filesOf: readonly TaskFiles[],
  exists: PathLookup,
): readonly Problem[] {
  const problems: Problem[] = []
  const written = new Set<string>()
  for (const [place, task] of draft.tasks.entries()) {
    const files = filesOf[place]
    if (files === undefined) continue
    const own = new Set(files.files.create.map(normalPath))
    const changes = files.inferred ? [] : [...files.files.modify, ...files.files.delete]
    for (const path of changes) {
      const plain = normalPath(path)
      if (
        isOutside(path) ||
        isPattern(path) ||
        own.has(plain) ||
        exists(path) !== false ||
        isMade(plain, written)
      )
        continue
      problems.push({
        severity: 'warning',
        file: draft.source,
        line: task.line,
        message: `task ${task.id} changes ${path}, which is not in the repository`,
        remedy: 'Correct the path, list it under Create, or let an earlier task create it.',
      })
    }
    for (const path of writtenPaths(files)) written.add(normalPath(path))
  }
  return problems
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
  return [{ severity: 'error', file: source, line, message, remedy: 'Give it another id.' }]
}
