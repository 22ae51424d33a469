/** Signs off a release in a person's name. Merging stays up to them. */
import type { PlanState } from '../../core/state/state.ts'
import type { SignedAnswer } from '../../protocol/release-answer.ts'
import { answerItem } from '../inbox/answer-item.ts'
import { stateConflict } from '../host/find-stream.ts'
import type { Host } from '../host/host.ts'

export interface SignRequest {
  readonly plan: string
  readonly by: string
  readonly repository?: string | undefined
}

/** It is durable when this resolves. */
export async function signRelease(host: Host, request: SignRequest): Promise<SignedAnswer> {
  const plan = await host.find(request.plan, request.repository)
  const branch = `feat/${plan.id}/working`
  const { step } = plan.state.release
  if (step === 'signed') return { plan: plan.id, branch, by: signerOf(plan.state), changed: false }
  if (step !== 'prepared') throw stateConflict(`${plan.id} is not released yet (release gate: ${step})`)
  const { by } = request
  const asked = [...plan.state.inbox.values()].find(({ item }) => item.subject === 'sign_off')
  if (asked === undefined) {
    const done = await plan.propose({ type: 'release.signed', v: 1, by })
    if (!done.ok) throw stateConflict(done.why)
  } else {
    const id = `${plan.home.repository.id}:${plan.id}:${asked.item.id}`
    await answerItem(host, { id, choice: 'sign', feedback: '', by })
  }
  return { plan: plan.id, branch, by, changed: true }
}

export function signerOf({ humanDecisions }: Pick<PlanState, 'humanDecisions'>): string {
  return humanDecisions.findLast(({ choice }) => choice === 'sign')?.by ?? 'a person'
}
