/**
 * The plan of a request that needs no interview: one task, or the tasks that a model splits larger work into. The same
 * request again attaches to its plan while that is open, and is a new one after it has ended.
 */
import { createHash } from 'node:crypto'
import type { Intake } from '../../core/intake/intake.ts'
import { oneTaskPlan, planIdFor } from '../../core/intake/one-task-plan.ts'
import type { ProjectContext } from '../../core/intake/project-context.ts'
import type { RequestText } from '../../core/intake/request-text.ts'
import { WORKFLOWS } from '../../core/intake/workflows.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Host } from '../host/host.ts'
import { isOver, type HostedPlan } from '../host/hosted-plan.ts'
import { streamOf } from '../host/stream-name.ts'
import { unjudged, type Ask, type Answered } from './ask-brain.ts'

export interface RequestToPlan {
  readonly intake: Intake
  readonly request: RequestText
  /** As the user wrote it. */
  readonly text: string
  /** Root of the repository that it is for; null outside of any. */
  readonly repository: string | null
  readonly context: ProjectContext
  readonly files: readonly string[]
}

export interface RequestPlan {
  readonly id: string
  readonly text: string
  readonly tasks: number
  /** Who split it; null where nothing was asked. */
  readonly answered: Answered<unknown> | null
}

/** Enough for anybody who starts the same thing again and again. */
const MOST_PLANS = 1000

export async function planRequest(
  host: Pick<Host, 'plan' | 'repositoryAt'> & { readonly parts: Pick<Host['parts'], 'log'> },
  asked: RequestToPlan,
  ask: Ask,
): Promise<RequestPlan> {
  const { intake, repository, request, text } = asked
  const isSplit = ask !== unjudged && (intake.scope === 'medium' || intake.scope === 'large')
  const known = repository === null ? undefined : await host.repositoryAt(repository)
  for (let n = 1; n <= MOST_PLANS; n++) {
    const id = planIdFor(intake.title, n)
    const earlier = known === undefined ? null : await host.plan(streamOf(known, id))
    if (isSplit && earlier !== null) {
      const { sameRequest } = await import('./split-request.ts')
      const again = isOver(earlier.state) ? null : await sameRequest(host.parts.log, earlier, asked)
      if (again !== null) return { id, ...again, answered: null }
      continue
    }
    if (isSplit) {
      const { splitRequest } = await import('./split-request.ts')
      const split = await splitRequest({ ...asked, id, roles: WORKFLOWS[intake.workflow].roles }, ask)
      if (split.text !== null) return { id, ...split, text: split.text }
      return { id, text: oneTaskPlan({ intake, request, text, id }), tasks: 1, answered: split.answered }
    }
    const plan = { id, text: oneTaskPlan({ intake, request, text, id }), tasks: 1, answered: null }
    if (earlier === null || isSamePlan(earlier, plan.text)) return plan
  }
  throw new Refusal({
    code: 'conflict',
    message: `there are ${MOST_PLANS} plans named ${planIdFor(intake.title, 1)}`,
    remedy: 'Word the request differently.',
  })
}

const isSamePlan = ({ state, home }: HostedPlan, text: string): boolean =>
  !isOver(state) && home.sha256 === createHash('sha256').update(text).digest('hex')
