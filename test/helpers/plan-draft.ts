/** Drafts for tests, with defaults for everything a test leaves out. */
import {
  EMPTY_DRAFT,
  type DraftFiles,
  type DraftRun,
  type DraftTask,
  type PlanDraft,
} from '../../src/core/planning/draft.ts'

export function aTask(id: string, fields: Partial<DraftTask> = {}): DraftTask {
  return {
    id,
    title: `Do ${id}`,
    line: 10 * (Number.parseInt(id, 10) || 1),
    phase: null,
    description: '',
    steps: [],
    files: undefined,
    addedPaths: [],
    commitSubject: undefined,
    dependsOn: undefined,
    ownership: undefined,
    layer: undefined,
    tier: undefined,
    acceptanceCriteria: undefined,
    nonGoals: undefined,
    testsToAdd: undefined,
    testsToRun: undefined,
    heldOut: undefined,
    gates: undefined,
    interfaces: undefined,
    breakingChange: undefined,
    securityFlags: undefined,
    timeBudgetMs: undefined,
    ...fields,
  }
}

export function someFiles(fields: Partial<DraftFiles>): DraftFiles {
  return { create: [], modify: [], delete: [], test: [], read: [], ...fields }
}

/** A task with explicit dependencies. */
export function needing(id: string, ...ids: string[]): DraftTask {
  const task = aTask(id)
  return { ...task, dependsOn: { ids, line: task.line + 1 } }
}

export function aRun(
  command: string,
  expects: DraftRun['expects'],
  expected: string | null = null,
): DraftRun {
  return { line: 1, command, expects, expected }
}

export function aDraft(tasks: readonly DraftTask[], fields: Partial<PlanDraft> = {}): PlanDraft {
  return {
    ...EMPTY_DRAFT,
    format: 'markdown',
    source: 'docs/plans/2026-02-19-shop-plan.md',
    title: 'Shop',
    tasks,
    ...fields,
  }
}
