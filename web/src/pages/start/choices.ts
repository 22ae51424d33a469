/** What can be corrected about a request, in words. */
import type { IntakeAnswer, IntakeRequest } from '../../../../src/protocol/intake.ts'

export interface ChoiceItem<K extends string> {
  readonly key: K
  readonly label: string
  readonly hint: string
}

export const TYPES: readonly ChoiceItem<NonNullable<IntakeRequest['type']>>[] = [
  { key: 'feature_request', label: 'Feature', hint: 'something to add or change' },
  { key: 'bug_fix', label: 'Bug fix', hint: 'something that is broken' },
  { key: 'new_project', label: 'New project', hint: 'a repository without sources' },
]

export const SCOPES: readonly ChoiceItem<NonNullable<IntakeRequest['scope']>>[] = [
  { key: 'trivial', label: 'Trivial', hint: 'one line' },
  { key: 'small', label: 'Small', hint: 'one file and its test' },
  { key: 'medium', label: 'Medium', hint: 'several files' },
  { key: 'large', label: 'Large', hint: 'the architecture' },
]

export const WORKFLOWS: readonly ChoiceItem<NonNullable<IntakeRequest['workflow']>>[] = [
  { key: 'fix', label: 'Fix', hint: 'a bug: one task, no interview' },
  { key: 'direct', label: 'Direct', hint: 'a small change: one task, no interview' },
  { key: 'light', label: 'Light', hint: 'a short interview, a few tasks' },
  { key: 'planned', label: 'Planned', hint: 'an interview and a design' },
  { key: 'project', label: 'Project', hint: 'an interview and the set-up' },
]

export const FORM_WORDS: Readonly<Record<IntakeAnswer['form'], string>> = {
  sentence: 'a sentence',
  brief: 'several lines',
  spec: 'a spec',
  plan: 'a plan',
}

/** What the button does, and what happens then. */
export const NEXT_WORDS: Readonly<
  Record<IntakeAnswer['next'], { readonly action: string; readonly follows: string }>
> = {
  run_plan: { action: 'Start the plan', follows: 'It is registered and runs at once.' },
  one_task: { action: 'Start', follows: 'It starts at once.' },
  upload_spec: {
    action: 'Preview the spec',
    follows: 'You see it checked and decide. Nothing runs before that.',
  },
  interview: {
    action: 'Begin the interview',
    follows: 'A few questions, then a spec that you approve. Nothing runs before that.',
  },
  answered: { action: 'Start', follows: 'It was taken as a question: nothing is built.' },
  ask: { action: 'Start', follows: 'It starts once you have said what is open.' },
}
