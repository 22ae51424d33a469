/** Where a request goes on after it was understood. */
import type { Intake } from './intake.ts'
import { WORKFLOWS } from './workflows.ts'

/**
 * `run_plan`: the text is a plan. `upload_spec`: it is a spec, which the user previews. `answered`: it was a question.
 * `one_task`: it becomes a plan that needs no interview. `interview`: it needs one first. `ask`: only the user knows what is
 * meant.
 */
export type NextStep = 'run_plan' | 'upload_spec' | 'answered' | 'one_task' | 'interview' | 'ask'

/** A plan and a spec enter where they belong, whatever their size. */
export function nextStep({
  form,
  type,
  workflow,
  questions,
}: Pick<Intake, 'form' | 'type' | 'workflow' | 'questions'>): NextStep {
  if (form === 'plan') return 'run_plan'
  if (form === 'spec') return 'upload_spec'
  if (type === 'question') return 'answered'
  if (type === null || workflow === null || questions.some(({ id }) => id === 'request')) return 'ask'
  // An interview asks by itself.
  if (WORKFLOWS[workflow].interview !== 'none') return 'interview'
  return questions.some((question) => question.default === null) ? 'ask' : 'one_task'
}
