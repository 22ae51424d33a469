/** Puts together what a request was understood as: what the user decided, else what a model judged, else what its structure says. */
import type { Scope } from '../choice/choose-agent.ts'
import { counted } from '../../lib/text/counted.ts'
import { estimateOf, type CrewHistory } from './estimate.ts'
import type { Decided, Findings } from './findings.ts'
import { isTakenAsItIs, type Intake, type IntakeForm, type IntakeType } from './intake.ts'
import { questionsAbout } from './menus.ts'
import { isProjectBrief } from './request-form.ts'
import { risksIn } from './risks.ts'

import { deeper, scopeOfParts, workflowFor, workflowOfType, type WorkflowName } from './workflows.ts'
import { workOf } from './work.ts'

export function conclude(findings: Findings, decided: Decided = {}): Intake {
  const { request, form, judgement, history, table } = findings
  const told = judgement?.understanding ?? null
  const structure = typeByStructure(findings)
  const type = decided.type ?? told?.type ?? structure?.type ?? null
  const scope = decided.scope ?? told?.scope ?? (isTakenAsItIs(form) ? scopeOfParts(request.parts) : null)
  const risks = risksIn(request, told)
  const { workflow, raised } = workflowOf(findings, { type, scope, workflow: decided.workflow, risks })
  const intake = {
    title: decided.title ?? told?.title ?? request.title,
    form,
    type,
    scope,
    workflow,
    estimate: estimated(form, { type, scope, workflow, tasks: request.parts }, history),
    judgedBy: judgement?.by ?? null,
    answer: told?.type === 'question' && type === 'question' ? told.answer : null,
    work: workOf({ request, form, told, type, scope }, decided.criteria),
  }
  return {
    ...intake,
    questions: questionsAbout(intake, { ...findings, table, decided }),
    reasons: [
      ...reasonsFor(findings, decided, {
        type,
        scope,
        structure,
        risks: raised.length === 0 && (workflow !== null || isTakenAsItIs(form)) ? risks : [],
      }),
      ...raised.map((why) => `workflow ${workflow} instead of direct: ${why}`),
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

function workflowOf(
  { table, form }: Findings,
  given: {
    readonly type: IntakeType | null
    readonly scope: Scope | null
    readonly workflow: WorkflowName | undefined
    readonly risks: readonly string[]
  },
): { readonly workflow: WorkflowName | null; readonly raised: readonly string[] } {
  const { type, scope, risks } = given
  if (type === null || type === 'question') return { workflow: null, raised: [] }
  if (given.workflow !== undefined) return { workflow: given.workflow, raised: [] }
  if (scope === null) return { workflow: workflowOfType(type, table), raised: [] }
  const usual = workflowFor(type, scope, table)
  const isRaised = risks.length > 0 && scope !== 'trivial' && deeper(usual) !== usual && !isTakenAsItIs(form)
  return { workflow: isRaised ? deeper(usual) : usual, raised: isRaised ? [risks.join('; ')] : [] }
}

function estimated(
  form: IntakeForm,
  work: {
    readonly type: IntakeType | null
    readonly scope: Scope | null
    readonly workflow: WorkflowName | null
    readonly tasks: number
  },
  history: CrewHistory,
) {
  const { scope, workflow, tasks } = work
  if (scope === null) return null
  if (form === 'plan') return estimateOf({ workflow: 'planned', scope, tasks: Math.max(1, tasks) }, history)
  if (form === 'spec') return estimateOf({ workflow: workflow ?? 'planned', scope }, history)
  return workflow === null ? null : estimateOf({ workflow, scope }, history)
}

function reasonsFor(
  { request, form, judgement }: Findings,
  decided: Decided,
  found: {
    readonly type: IntakeType | null
    readonly scope: Scope | null
    readonly structure: { readonly why: string } | null
    readonly risks: readonly string[]
  },
): readonly string[] {
  const yours = (['type', 'scope', 'workflow', 'title'] as const).filter((key) => decided[key] !== undefined)
  return [
    ...(judgement?.understanding.reasons ?? []),
    ...(judgement === null && decided.type === undefined && found.structure !== null
      ? [`${found.type}: ${found.structure.why}`]
      : []),
    ...(isTakenAsItIs(form) && decided.scope === undefined
      ? [`${found.scope}: ${counted(request.parts, form === 'plan' ? 'task' : 'requirement')}`]
      : []),
    ...(yours.length === 0 ? [] : [`${yours.join(', ')}: set by you`]),
    ...found.risks.map((risk) => `risk: ${risk}`),
  ]
}
