/** Secret values that must never appear in a tree: the user's token, those of the task's workers, and the user's variables. */
import type { PlanPlace } from '../app/host/plan-place.ts'
import { secretsIn, worthHolding, type HeldSecret } from '../core/gates/secrets/held-values.ts'
import { workerId } from '../core/planning/ids.ts'

export function knownSecrets(
  place: Pick<PlanPlace, 'plan' | 'tokenOf' | 'userToken'>,
  env: Readonly<Record<string, string | undefined>>,
): (draft: { readonly task: string; readonly attempt: number }) => readonly HeldSecret[] {
  const variables = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  const { plan } = place
  const ofUser = secretsIn(variables, 'the environment', 'by name')
  return ({ task, attempt }) => {
    const workers = Array.from({ length: attempt }, (_, at) => workerId(plan.id, task, at + 1))
    const tokens = workers.map((worker) => ({ kind: `the token of ${worker}`, value: place.tokenOf(worker) }))
    return worthHolding([{ kind: 'the token of the user', value: place.userToken }, ...tokens, ...ofUser])
  }
}
