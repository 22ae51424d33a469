/** What the user is asked: the questions of a model, or menus where none judged. */
import type { Scope } from '../choice/choose-agent.ts'
import { isTakenAsItIs, type Intake, type IntakeQuestion, type Understanding, type Work } from './intake.ts'
import { risksIn, statedCriteria, type Decided, type Findings } from './work.ts'
import { workflowFor, workflowSummary, WORKFLOWS } from './workflows.ts'

type About = Pick<Intake, 'form' | 'type' | 'scope' | 'workflow'>

export function questionsAbout(about: About, given: Findings, decided: Decided): readonly IntakeQuestion[] {
  const { request, judgement, mayAsk } = given
  // A plan and a spec say themselves what they are.
  if (isTakenAsItIs(about.form)) return []
  if (!/\p{L}/u.test(request.prose)) return [REQUEST]
  const { type, scope, workflow } = about
  const isAtOnce = workflow !== null && WORKFLOWS[workflow].interview === 'none'
  if (judgement !== null) {
    const questions = mayAsk ? asked(judgement.understanding.questions) : []
    const isUnchecked = isAtOnce && decided.criteria === undefined && namesNothing(judgement.understanding)
    return questions.length === 0 && isUnchecked ? [UNCHECKED] : questions
  }
  const hasCriteria = decided.criteria !== undefined || statedCriteria(request, type).length > 0
  return [
    ...(type === null ? [menu('type', 'What is it?', TYPES)] : []),
    ...(scope === null && (workflow === null || isAtOnce) ? [scopeMenu(type, given)] : []),
    ...(isAtOnce && !hasCriteria ? [CRITERIA] : []),
  ]
}

const namesNothing = ({ files: { create, modify }, tests_to_add }: Work): boolean =>
  create.length + modify.length + tests_to_add.length === 0

const inLines = (id: string, text: string, usual: '' | null): IntakeQuestion => ({
  id,
  text,
  by: 'lines',
  options: [],
  default: usual,
})

const REQUEST = inLines('request', 'What should be done? The request has no words.', null)
const CRITERIA = inLines(
  'criteria',
  'What must be true when it is done? One line each; nothing: the request itself, word for word.',
  '',
)
/** Words alone, such as "it works", show nothing: the person says that they are enough. */
const UNCHECKED = inLines(
  'criteria',
  'The model names neither a file nor a test that would show it. What must be true when it is done? One line each; nothing: what it says.',
  null,
)

const asked = (questions: Understanding['questions']): readonly IntakeQuestion[] =>
  questions.map(({ text, options, default: usual }, at) => ({
    id: `q${at + 1}`,
    text,
    by: 'option_or_words',
    options: options.map((label, place) => ({ key: String(place + 1), label, consequence: '' })),
    default: usual === null ? null : String(options.indexOf(usual) + 1),
  }))

type Choice = readonly [key: string, label: string, consequence: string]

const menu = (id: string, text: string, choices: readonly Choice[]): IntakeQuestion => ({
  id,
  text,
  by: 'option',
  options: choices.map(([key, label, consequence]) => ({ key, label, consequence })),
  default: null,
})

const TYPES: readonly Choice[] = [
  ['feature_request', 'Something to add or change', 'a developer builds it'],
  ['bug_fix', 'Something that is broken', 'its cause is found and fixed'],
  ['new_project', 'A new project', 'an interview, then a plan'],
]

const SCOPES: readonly (readonly [Scope, string])[] = [
  ['trivial', 'One line'],
  ['small', 'One file and its test'],
  ['medium', 'Several files'],
  ['large', 'The architecture'],
]

/** What follows from a scope is known once the type is. */
function scopeMenu(type: About['type'], { request, table, hasFixer, hasBrain }: Findings): IntakeQuestion {
  const isRisky = risksIn(request, null).length > 0
  const consequence = (scope: Scope): string =>
    type === null || type === 'question'
      ? ''
      : workflowSummary(workflowFor(type, scope, table), { scope, isRisky, hasFixer, hasBrain })
  return menu(
    'scope',
    'How much does it change?',
    SCOPES.map(([scope, label]) => [scope, label, consequence(scope)]),
  )
}
