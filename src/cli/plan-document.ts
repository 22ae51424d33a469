/** A plan as `bosun plan --json` prints it. The keys and their order are the contract with scripts. */
import type { Plan, TaskSpec } from '../core/planning/plan.ts'
import type { DocumentOf } from '../protocol/documents.ts'

export function planDocument(plan: Plan): DocumentOf<'plan'> {
  const { header } = plan
  return {
    plan: {
      id: header.id,
      title: header.title,
      source: header.source,
      design: header.design,
      format: header.format,
    },
    tasks: plan.tasks.map(taskDocument),
    order: plan.order,
    removed_steps: plan.removedSteps.map(({ task, line, text, reason }) => ({ task, line, text, reason })),
    problems: plan.problems.map(({ severity, file, line, message, remedy }) => ({
      severity,
      file,
      line,
      message,
      remedy,
    })),
    questions: plan.tasks.flatMap(({ id, questions = [] }) =>
      questions.map(({ kind, words, line, choices }) => ({ task: id, line, kind, words, choices })),
    ),
  }
}

function taskDocument(task: TaskSpec): DocumentOf<'plan'>['tasks'][number] {
  return {
    id: task.id,
    title: task.title,
    tier: task.tier,
    tier_reasons: task.tierReasons,
    security_flags: task.securityFlags,
    ownership: task.ownership,
    layer: task.layer,
    depends_on: task.dependsOn,
    acceptance_criteria: task.acceptanceCriteria,
    files: { create: task.files.create, modify: task.files.modify, delete: task.files.delete },
    tests_to_add: task.testsToAdd,
    tests_to_run: task.testsToRun,
    gates: gateLabels(task),
    time_budget: durationText(task.timeBudgetMs),
    inferred: task.inferred,
    line: task.line,
    requirements: task.requirements ?? [],
    story: task.story ?? null,
    role: task.role ?? null,
    scope: task.scope ?? null,
    red_on_base: task.redOnBase ?? null,
  }
}

/** The gates of a task beyond those of every task: kinds, and custom gates by name. */
export const gateLabels = (task: Pick<TaskSpec, 'gates' | 'ownGates'>): readonly string[] => [
  ...task.gates,
  ...(task.ownGates ?? []).map((own) => own.name),
]

/** As written in bosun.yaml: `30m`, `90s`, `1500ms`. */
export function durationText(ms: number): string {
  if (ms % 60_000 === 0) return `${ms / 60_000}m`
  return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`
}
