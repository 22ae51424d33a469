/** Where a request goes on after it was understood. */
import type { Intake } from './intake.ts'
import { WORKFLOWS } from './workflows.ts'

/**
 * `run_plan`: the text is a plan. `upload_spec`: it is a spec, which the user previews. `one_task`: it becomes a plan of
 * one task. `interview`: it needs one first. `ask`: it cannot be read, and only the user knows what was meant.
 */
export type NextStep = 'run_plan' | 'upload_spec' | 'one_task' | 'interview' | 'ask'

/** A plan and a spec enter where they belong, whatever their size. */
export function nextStep({
  form,
  workflow,
  questions,
}: Pick<Intake, 'form' | 'workflow' | 'questions'>): NextStep {
  if (form === 'plan') return 'run_plan'
  if (form === 'spec') return 'upload_spec'
  if (questions.some((question) => question.default === null)) return 'ask'
  return WORKFLOWS[workflow].interview === 'none' ? 'one_task' : 'interview'
}
