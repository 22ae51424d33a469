/** The task contract as a worker receives it. */
import { z } from 'zod'
import {
  SECURITY_FLAGS,
  TIERS,
  type Command,
  type Environment,
  type Plan,
  type TaskSpec,
  type TestCommand,
} from '../plan.ts'
import type { PlanAnswer } from '../task-schema.ts'
import { plainLine, quoted } from '../../../lib/text/quoted.ts'

export const DEFINITION_OF_DONE = [
  'code implements all acceptance criteria',
  'tests_to_add written and passing',
  'tests_to_run all passing',
  'docs updated if public API or config changed',
  'migration and rollback notes if schema or infrastructure changed',
  'no TODO/FIXME without a linked follow-up task',
] as const

const texts = z.array(z.string()).readonly()
const command = z.union([z.string(), texts]).nullable()

export const taskContractSchema = z.strictObject({
  task_id: z.string().min(1),
  title: z.string().min(1),
  tier: z.enum(TIERS),
  /** Module or service this touches; no other worker works in it meanwhile. */
  ownership: z.string().min(1),
  acceptance_criteria: texts,
  /** What people decided about points that the plan leaves open. */
  decisions: texts,
  expected_files: z.strictObject({ create: texts, modify: texts, delete: texts }),
  non_goals: texts,
  tests_to_add: texts,
  tests_to_run: texts,
  /** Whether the tests to add have to fail without the work; null where the criteria decide. */
  red_on_base: z.boolean().nullable(),
  definition_of_done: texts,
  io_contract: z.strictObject({
    /** Ids of the tasks this one builds on. */
    dependencies: texts,
    /** Paths this task produces for others. */
    artifacts: texts,
    expected_interfaces: texts,
    breaking_change: z.boolean(),
  }),
  environment: z.strictObject({
    lint_command: command,
    typecheck_command: command,
    test_command: command,
    build_command: command,
  }),
  context: z.strictObject({ shared: z.string(), task_delta: z.string() }),
  retry_budget: z.int().min(0),
  time_budget_ms: z.int().min(0),
  /** The most files a change may touch. */
  patch_size_limit: z.int().min(1),
  security_flags: z.strictObject({
    touches_auth: z.boolean(),
    touches_schema: z.boolean(),
    touches_billing: z.boolean(),
    touches_secrets: z.boolean(),
  }),
})
export type TaskContract = z.infer<typeof taskContractSchema>

/** What a contract needs besides the task: shared context, recent changes, commands and limits. */
export interface ContractContext {
  readonly shared: string
  readonly taskDelta: string
  /** On one line each. */
  readonly decisions?: readonly string[]
  readonly commands: Partial<Pick<Environment, 'lint' | 'typecheck' | 'test' | 'build'>>
  readonly retryBudget: number
  readonly patchSizeLimit: number
}

/** Leaves out held-out checks, which a worker never sees. */
export function contractOf(
  plan: Pick<Plan, 'tasks'>,
  task: TaskSpec,
  context: ContractContext,
): TaskContract {
  const known = new Set(plan.tasks.map((other) => other.id))
  const flag = (name: (typeof SECURITY_FLAGS)[number]): boolean => task.securityFlags.includes(name)
  return {
    task_id: task.id,
    title: task.title,
    tier: task.tier,
    ownership: task.ownership,
    acceptance_criteria: task.acceptanceCriteria,
    decisions: context.decisions ?? [],
    expected_files: task.files,
    non_goals: task.nonGoals,
    tests_to_add: task.testsToAdd,
    tests_to_run: task.testsToRun,
    red_on_base: task.redOnBase ?? null,
    definition_of_done: DEFINITION_OF_DONE,
    io_contract: {
      dependencies: task.dependsOn.filter((id) => known.has(id)),
      artifacts: [...new Set([...task.files.create, ...task.files.modify, ...task.testsToAdd])],
      expected_interfaces: task.interfaces,
      breaking_change: task.breakingChange,
    },
    environment: {
      lint_command: context.commands.lint ?? null,
      typecheck_command: context.commands.typecheck ?? null,
      test_command: commandOf(context.commands.test ?? null),
      build_command: context.commands.build ?? null,
    },
    context: { shared: context.shared, task_delta: context.taskDelta },
    retry_budget: context.retryBudget,
    time_budget_ms: task.timeBudgetMs,
    patch_size_limit: context.patchSizeLimit,
    security_flags: {
      touches_auth: flag('auth'),
      touches_schema: flag('schema'),
      touches_billing: flag('billing'),
      touches_secrets: flag('secrets'),
    },
  }
}

function commandOf(test: TestCommand | null): Command | null {
  return test !== null && typeof test === 'object' && 'command' in test ? test.command : test
}

/** In characters. */
const LONGEST = 2000

export function decisionLine({ words, decision, by }: PlanAnswer): string {
  const open = `The plan leaves open ${quoted(words, 300)}`
  const who = plainLine(by)
  return decision === null
    ? `${open}: ${who} leaves it to you. Decide it, and note your decision and its reason in \`explanation\` of your report.`
    : `${open}. ${who} decided: ${plainLine(decision, LONGEST)}`
}
