/** Puts together what a request was understood as: what the user decided, else what a model judged, else what its structure says. */
import { counted } from '../../lib/text/counted.ts'
import { estimateOf } from './estimate.ts'
import { isTakenAsItIs, type Intake, type NextStep, type SeenWork } from './intake.ts'
import { questionsAbout } from './menus.ts'
import { isProjectBrief } from './request-form.ts'
import { risksIn, TEST_REPRODUCES, workOf, type Decided, type Findings } from './work.ts'
import { deeper, scopeOfParts, workflowFor, workflowOfType, WORKFLOWS } from './workflows.ts'

export function conclude(findings: Findings, decided: Decided = {}): Intake {
  const { request, form, judgement, history } = findings
  const told = judgement?.understanding ?? null
  const structure = typeByStructure(findings)
  const type = decided.type ?? told?.type ?? structure?.type ?? null
  const scope = decided.scope ?? told?.scope ?? (isTakenAsItIs(form) ? scopeOfParts(request.parts) : null)
  const risks = risksIn(request, told)
  const usual = usualWorkflow(findings, type, scope)
  const isRaised =
    decided.workflow === undefined &&
    usual !== null &&
    deeper(usual) !== usual &&
    risks.length > 0 &&
    scope !== null &&
    scope !== 'trivial' &&
    !isTakenAsItIs(form)
  const isWork = type !== null && type !== 'question'
  const workflow = isWork ? (decided.workflow ?? (isRaised ? deeper(usual) : usual)) : null
  const about = { form, type, scope, workflow }
  const questions = questionsAbout(about, findings, decided)
  const work = workOf({ request, form, told, type, scope }, decided.criteria)
  const process = workflow ?? (isTakenAsItIs(form) ? 'planned' : null)
  const parts = Math.max(1, request.parts)
  const tasks = form === 'plan' ? { tasks: parts } : form === 'spec' ? { requirements: parts } : {}
  return {
    ...about,
    title: decided.title ?? told?.title ?? request.title,
    estimate:
      scope === null || process === null ? null : estimateOf({ workflow: process, scope, ...tasks }, history),
    judged_by: judgement?.by ?? null,
    answer: told?.type === 'question' && type === 'question' ? told.answer : null,
    work,
    questions,
    next: nextStep({ ...about, questions }),
    reasons: [
      ...(told?.reasons ?? []),
      ...(told === null && decided.type === undefined && structure !== null
        ? [`${type}: ${structure.why}`]
        : []),
      ...(isTakenAsItIs(form) && decided.scope === undefined
        ? [`${scope}: ${counted(request.parts, form === 'plan' ? 'task' : 'requirement')}`]
        : []),
      ...setByUser(decided),
      ...droppedSince(findings.seen, work.criteria),
      ...(isRaised
        ? [`workflow ${workflow} instead of ${usual}: ${risks.join('; ')}`]
        : workflow === null && !isTakenAsItIs(form)
          ? []
          : risks.map((risk) => `risk: ${risk}`)),
    ],
  }
}

/** What the file's name and an empty repository say without a judgement. */
function typeByStructure({ request, form, fileName, repository }: Findings) {
  if (form === 'plan') return null
  if (form !== 'spec' && isProjectBrief(request, fileName))
    return { type: 'new_project', why: 'it is a project brief' } as const
  if (repository?.sources === 0) return { type: 'new_project', why: 'there are no source files yet' } as const
  return null
}

function usualWorkflow({ table }: Findings, type: Intake['type'], scope: Intake['scope']) {
  if (type === null || type === 'question') return null
  return scope === null ? workflowOfType(type, table) : workflowFor(type, scope, table)
}

function setByUser(decided: Decided): readonly string[] {
  const yours = (['type', 'scope', 'workflow', 'title'] as const).filter((key) => decided[key] !== undefined)
  return yours.length === 0 ? [] : [`${yours.join(', ')}: set by you`]
}

/** What a model left out of what the user saw before, so that it does not go unnoticed. */
const droppedSince = (seen: SeenWork | null, criteria: readonly string[]): readonly string[] =>
  (seen?.criteria ?? [])
    .filter((one) => one !== TEST_REPRODUCES && !criteria.includes(one))
    .map((one) => `no longer a criterion: ${one}`)

/** A plan and a spec enter where they belong, whatever their size. */
function nextStep(intake: Pick<Intake, 'form' | 'type' | 'workflow' | 'questions'>): NextStep {
  const { form, type, workflow, questions } = intake
  if (form === 'plan') return 'run_plan'
  if (form === 'spec') return 'upload_spec'
  if (type === 'question') return 'answered'
  if (type === null || workflow === null || questions.some(({ id }) => id === 'request')) return 'ask'
  // An interview asks by itself.
  if (WORKFLOWS[workflow].interview !== 'none') return 'interview'
  return questions.some((question) => question.default === null) ? 'ask' : 'one_task'
}
