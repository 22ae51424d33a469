/** Puts together what a request was understood as. What the user says about it comes before what was concluded. */
import type { Scope } from '../choice/choose-agent.ts'
import { classifyTask } from '../planning/tiers/tiers.ts'
import type { Assessed } from './assess-scope.ts'
import type { Classified } from './classify.ts'
import { estimateOf, type CrewHistory } from './estimate.ts'
import type { Intake, IntakeForm, IntakeQuestion, IntakeType } from './intake.ts'
import type { RequestText } from './request-text.ts'
import {
  deeper,
  workflowFor,
  workflowSummary,
  WORKFLOWS,
  type WorkflowName,
  type WorkflowTable,
} from './workflows.ts'

/** What the user decided; each wins over what was concluded. */
export interface Overrides {
  readonly type?: IntakeType | undefined
  readonly scope?: Scope | undefined
  readonly workflow?: WorkflowName | undefined
}

export interface Findings {
  readonly request: RequestText
  readonly form: IntakeForm
  readonly classified: Classified
  readonly assessed: Assessed
  readonly history: CrewHistory
  readonly table: WorkflowTable
  /** Whether the settings name a fixer; absent: they do not. */
  readonly hasFixer?: boolean
}

export function intakeOf(findings: Findings, overrides: Overrides = {}): Intake {
  const { request, form, classified, assessed, history, table } = findings
  const type = overrides.type ?? classified.type
  const scope = overrides.scope ?? assessed.scope
  const risks = risksIn(request)
  const usual = workflowFor(type, scope, table)
  const raised = risks.length > 0 && scope !== 'trivial' ? deeper(usual) : usual
  const workflow = overrides.workflow ?? raised
  return {
    title: request.title,
    form,
    type,
    scope,
    workflow,
    questions: questionsOf(findings, overrides, workflow),
    estimate: estimateOf({ workflow, scope }, history),
    reasons: [
      `${type}: ${overrides.type === undefined ? classified.reasons.join('; ') : 'set by you'}`,
      `${scope}: ${overrides.scope === undefined ? assessed.reasons.join('; ') : 'set by you'}`,
      ...workflowReasons(form, { overrides, workflow, raised, usual, risks }),
    ],
  }
}
/** A plan and a spec are taken as they are, so no workflow was chosen for them. */
function workflowReasons(
  form: IntakeForm,
  chosen: {
    readonly overrides: Overrides
    readonly workflow: WorkflowName
    readonly raised: WorkflowName
    readonly usual: WorkflowName
    readonly risks: readonly string[]
  },
): readonly string[] {
  const { overrides, workflow, raised, usual, risks } = chosen
  const isTakenAsItIs = form === 'plan' || form === 'spec'
  if (!isTakenAsItIs && workflow === raised && raised !== usual)
    return [`workflow ${raised} instead of ${usual}: ${risks.join('; ')}`]
  return [
    ...(isTakenAsItIs || overrides.workflow === undefined ? [] : [`workflow ${workflow}: set by you`]),
    ...risks.map((risk) => `risk: ${risk}`),
  ]
}

/** What in the request touches auth, data, money, secrets or infrastructure, as a plan's task would be judged. */
export function risksIn({
  title,
  prose,
  paths,
}: Pick<RequestText, 'title' | 'prose' | 'paths'>): readonly string[] {
  const { tier, reasons } = classifyTask({
    title,
    description: prose,
    paths,
    tier: undefined,
    flags: [],
    breakingChange: false,
  })
  return tier === 'critical' ? reasons : []
}

const KINDS: Readonly<Record<IntakeType, string>> = {
  feature_request: 'Something to add or change',
  bug_fix: 'Something that is broken',
  new_project: 'A new project',
}

function questionsOf(
  { request, form, classified, assessed, table, hasFixer = false }: Findings,
  overrides: Overrides,
  workflow: WorkflowName,
): readonly IntakeQuestion[] {
  const isRisky = risksIn(request).length > 0
  const consequence = (type: IntakeType, scope: Scope): string =>
    workflowSummary(workflowFor(type, scope, table), { scope, isRisky, hasFixer })
  // A plan and a spec say themselves what they are.
  if (form === 'plan' || form === 'spec') return []
  if (!request.isReadable)
    return [
      {
        id: 'request',
        text:
          request.reference === null
            ? 'What should be done? The text has no request that can be read.'
            : `What should be done? The request only refers to “${request.reference}”: say what it asks for, or pass its text.`,
        options: [],
        default: null,
      },
    ]
  const isSettled = overrides.workflow !== undefined
  const type = overrides.type ?? classified.type
  const scope = overrides.scope ?? assessed.scope
  return [
    ...(classified.isUnsure && overrides.type === undefined && !isSettled
      ? [
          {
            id: 'type',
            text: 'What is it?',
            options: (['feature_request', 'bug_fix'] as const).map((key) => ({
              key,
              label: KINDS[key],
              consequence: consequence(key, scope),
            })),
            default: 'feature_request',
          },
        ]
      : []),
    ...(assessed.isUnsure &&
    overrides.scope === undefined &&
    !isSettled &&
    WORKFLOWS[workflow].interview === 'none'
      ? [
          {
            id: 'scope',
            text: 'How large is it?',
            options: (
              [
                ['trivial', 'One line'],
                ['small', 'One file'],
                ['medium', 'Several files'],
                ['large', 'A change of the architecture'],
              ] as const
            ).map(([key, label]) => ({
              key,
              label,
              consequence: consequence(type, key),
            })),
            default: assessed.scope,
          },
        ]
      : []),
  ]
}
