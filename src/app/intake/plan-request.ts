/**
 * The plan of a request that needs no interview: one task, or the tasks that a model splits larger work into. The same
 * request again attaches to its plan while that is open, and is a new one after it has ended.
 */
import { createHash } from 'node:crypto'
import type { Intake } from '../../core/intake/intake.ts'
import { yamlOf } from '../../lib/files/yaml-text.ts'
import { oneTaskPlan } from '../../core/intake/one-task-plan.ts'
import type { RequestText } from '../../core/intake/request-text.ts'
import { MOST_PLANS_OF_NAME, planIdFor } from '../../core/planning/ids.ts'
import { defaultSettings } from '../../core/settings/settings.ts'
import { planRecord } from '../../core/spec/plan-of-stories.ts'
import { specOfRequest } from '../../core/spec/spec-of-request.ts'
import { refusal } from '../../lib/refusal.ts'
import type { Host } from '../host/host.ts'
import { isOver } from '../host/hosted-plan.ts'
import { readDocument } from '../host/plan-place.ts'
import { streamOf, streamParts } from '../host/stream-name.ts'
import type { Judged } from './judge-request.ts'
import type { StartRequest } from './understand-request.ts'

export interface RequestToPlan
  extends Pick<StartRequest, 'text' | 'repository' | 'decided' | 'answers'>, Omit<Judged, 'why'> {
  readonly intake: Intake
  readonly request: RequestText
  /** Null where a model judged it. */
  readonly notJudged: string | null
}

export interface RequestPlan {
  readonly id: string
  readonly text: string
  readonly tasks: number
  /** Why the tasks that a model proposed were not taken. */
  readonly refused: string | null
}

export async function planRequest(host: Host, asked: RequestToPlan): Promise<RequestPlan> {
  const { intake, repository } = asked
  const mark = markOf(asked)
  const known = repository === null ? undefined : await host.repositoryAt(repository)
  const earlier = known === undefined ? null : await earlierPlan(host, known, mark)
  if (earlier !== null) return earlier
  for (let n = 1; n <= MOST_PLANS_OF_NAME; n++) {
    const id = planIdFor(intake.title, n)
    const isTaken = known !== undefined && (await host.plan(streamOf(known, id))) !== null
    if (isTaken) continue
    const { text, ...plan } = (await splitPlan(asked, id)) ?? {
      id,
      text: singlePlan(asked, id),
      tasks: 1,
      refused: null,
    }
    return { ...plan, text: `${mark}\n${text}` }
  }
  throw refusal(
    'conflict',
    `there are ${MOST_PLANS_OF_NAME} plans named ${planIdFor(intake.title, 1)}`,
    'Word the request differently.',
  )
}

/** The first line of a plan: what it was made from. A model may word its answer otherwise the next time. */
function markOf({ text, decided, answers }: Pick<RequestToPlan, 'text' | 'decided' | 'answers'>): string {
  const { type, scope, workflow, title, criteria } = decided
  const request = JSON.stringify([text.trim(), type, scope, workflow, title, criteria, answers])
  return `# made by bosun start, request ${createHash('sha256').update(request).digest('hex').slice(0, 16)}`
}

async function earlierPlan(host: Host, repository: string, mark: string): Promise<RequestPlan | null> {
  for (const { state, home } of host.plans()) {
    const named = streamParts(home.stream)
    if (named?.repository !== repository || isOver(state)) continue
    const document = await readDocument(host.parts.log, home.stream, state.documentedAt)
    if (document?.text.startsWith(`${mark}\n`) !== true) continue
    return { id: named.plan, text: document.text, tasks: state.tasks.size, refused: null }
  }
  return null
}

function singlePlan({ intake, ...asked }: RequestToPlan, id: string): string {
  const { title, type, scope, workflow, work } = intake
  if (type === null || type === 'question' || scope === null || workflow === null)
    throw new Error('a request is planned once its type and its scope are known')
  return yamlOf(oneTaskPlan({ ...asked, title, type, scope, workflow, work, id }))
}

/** Null for one task. A plan that could not be registered is no plan: then the request is one task as well. */
async function splitPlan(asked: RequestToPlan, id: string): Promise<RequestPlan | null> {
  const { intake, stories, judgement, answers, text: written } = asked
  if (stories.flatMap(({ tasks }) => tasks).length < 2) return null
  const { title, type, work } = intake
  const spec = specOfRequest({ ...work, title, text: written, answers })
  const isFix = type === 'bug_fix'
  const record = planRecord(spec, stories, { id, ...(isFix ? { type: 'bug_fix' as const } : {}) })
  const { planFromRecord } = await import('../plans/read-plan.ts')
  const { tasks, problems } = planFromRecord(record, defaultSettings())
  const fault = problems.find(({ severity }) => severity === 'error')
  if (fault === undefined) return { id, text: yamlOf(record), tasks: tasks.length, refused: null }
  const refused = `one task: the tasks that ${judgement?.by ?? 'the model'} proposed are no valid plan: ${fault.message}`
  return { id, text: singlePlan(asked, id), tasks: 1, refused }
}
