/** Splits larger work that needs no interview into tasks, by a model. Loaded only where one is configured. */
import type { WorkflowRole } from '../../core/intake/workflows.ts'
import { planText } from '../../core/spec/plan-of-stories.ts'
import { specOfRequest } from '../../core/spec/spec-of-request.ts'
import { specText } from '../../core/spec/write-spec.ts'
import { defaultSettings } from '../../core/settings/settings.ts'
import { decompose } from '../../core/thinking/questions/decompose.ts'
import type { Host } from '../host/host.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import { readDocument } from '../host/plan-place.ts'
import { planFromText } from '../plans/read-plan.ts'
import type { Answered, Ask } from './ask-brain.ts'
import type { RequestToPlan } from './plan-request.ts'

export interface SplitRequest {
  /** Null where the request stays one task. */
  readonly text: string | null
  readonly tasks: number
  readonly answered: Answered<unknown>
}

/** A plan that could not be registered is no plan: then the request stays one task, as it does by the rules. */
export async function splitRequest(
  asked: RequestToPlan & { readonly id: string; readonly roles: readonly WorkflowRole[] },
  ask: Ask,
): Promise<SplitRequest> {
  const { intake, text: written, context: project, files, roles, id } = asked
  const request = { title: intake.title, text: written }
  const answered = await ask(decompose, { request, project, files, roles })
  if (answered.by === 'nobody') return { text: null, tasks: 1, answered }
  const { stories } = answered.answer
  const text = planText(specOfRequest(request), stories, { id, architecture: project.architecture })
  const { tasks, problems } = await planFromText('plan.yaml', text, defaultSettings())
  const fault = problems.find(({ severity }) => severity === 'error')
  if (fault === undefined) return { text, tasks: tasks.length, answered }
  const fallback = `the tasks that ${answered.by} proposed are not a valid plan: ${fault.message}`
  return { text: null, tasks: 1, answered: { ...answered, by: 'nobody', fallback } }
}

/** The text of a plan that the same request became before, as it is now; null for another request. */
export async function sameRequest(
  log: Host['parts']['log'],
  plan: HostedPlan,
  { intake, text }: RequestToPlan,
): Promise<{ readonly text: string; readonly tasks: number } | null> {
  const document = await readDocument(log, plan.home.stream, plan.state.documentedAt)
  if (document === null) return null
  const { spec } = await planFromText(plan.state.plan.source, document.text, document.settings)
  const isSame = spec === specText(specOfRequest({ title: intake.title, text }))
  return isSame ? { text: document.text, tasks: plan.state.tasks.size } : null
}
