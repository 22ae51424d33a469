/** What the user is asked: the questions of a model, or menus where none judged. */
import type { Scope } from '../choice/choose-agent.ts'
import type { Decided, Findings } from './findings.ts'
import { isTakenAsItIs, type Intake, type IntakeQuestion, type WorkType } from './intake.ts'
import { risksIn } from './risks.ts'
import { statedCriteria } from './work.ts'
import {
  workflowFor,
  workflowSummary,
  WORKFLOWS,
  type WorkflowName,
  type WorkflowTable,
} from './workflows.ts'

type About = Pick<Intake, 'form' | 'type' | 'scope' | 'workflow'>
type Given = Pick<Findings, 'request' | 'judgement' | 'mayAsk' | 'hasFixer'> & {
  readonly table: WorkflowTable
  readonly decided: Decided
}

export function questionsAbout(about: About, given: Given): readonly IntakeQuestion[] {
  const { request, judgement, mayAsk, decided } = given
  // A plan and a spec say themselves what they are.
  if (isTakenAsItIs(about.form)) return []
  if (!/\p{L}/u.test(request.prose)) return [REQUEST]
  if (judgement !== null) return mayAsk ? asked(judgement.understanding.questions) : []
  const { type, scope, workflow } = about
  return [
    ...(type === null ? [typeMenu()] : []),
    ...(scope === null && (workflow === null || hasNoInterview(workflow)) ? [scopeMenu(type, given)] : []),
    ...(workflow !== null &&
    hasNoInterview(workflow) &&
    decided.criteria === undefined &&
    statedCriteria(request, type).length === 0
      ? [CRITERIA]
      : []),
  ]
}

const hasNoInterview = (workflow: WorkflowName): boolean => WORKFLOWS[workflow].interview === 'none'

const REQUEST: IntakeQuestion = {
  id: 'request',
  text: 'What should be done? The request has no words.',
  by: 'lines',
  options: [],
  default: null,
}

const CRITERIA: IntakeQuestion = {
  id: 'criteria',
  text: 'What must be true when it is done? One line each; nothing: the request itself, word for word.',
  by: 'lines',
  options: [],
  default: '',
}

const asked = (
  questions: readonly { text: string; options: readonly string[]; default: string | null }[],
): readonly IntakeQuestion[] =>
  questions.map(({ text, options, default: usual }, at) => ({
    id: `q${at + 1}`,
    text,
    by: 'option_or_words',
    options: options.map((label, place) => ({ key: String(place + 1), label, consequence: '' })),
    default: usual === null ? null : String(options.indexOf(usual) + 1),
  }))

const TYPES: readonly (readonly [WorkType, string, string])[] = [
  ['feature_request', 'Something to add or change', 'a developer builds it'],
  ['bug_fix', 'Something that is broken', 'its cause is found and fixed'],
  ['new_project', 'A new project', 'an interview, then a plan'],
]

const typeMenu = (): IntakeQuestion => ({
  id: 'type',
  text: 'What is it?',
  by: 'option',
  options: TYPES.map(([key, label, consequence]) => ({ key, label, consequence })),
  default: null,
})

const SCOPES: readonly (readonly [Scope, string])[] = [
  ['trivial', 'One line'],
  ['small', 'One file and its test'],
  ['medium', 'Several files'],
  ['large', 'The architecture'],
]

/** What follows from a scope is known once the type is. */
const scopeMenu = (type: About['type'], { request, table, hasFixer }: Given): IntakeQuestion => ({
  id: 'scope',
  text: 'How much does it change?',
  by: 'option',
  options: SCOPES.map(([scope, label]) => ({
    key: scope,
    label,
    consequence:
      type === null || type === 'question'
        ? ''
        : workflowSummary(workflowFor(type, scope, table), {
            scope,
            isRisky: risksIn(request, null).length > 0,
            hasFixer,
          }),
  })),
  default: null,
})
