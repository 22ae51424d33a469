/** What a worker says of itself. Only its own attempt may, and only while that attempt lives. */
import type { Spent } from '../core/spending.ts'
import { sameSecret } from '../lib/same-secret.ts'
import type { Host } from './host/host.ts'
import type { HostedPlan } from './host/hosted-plan.ts'
import { workerToken } from './host/worker-token.ts'

export const WORKER_WORDS = {
  checkins: 'checkin_received',
  reports: 'report_received',
} as const
export type WorkerWord = keyof typeof WORKER_WORDS

export interface KnownWorker {
  readonly id: string
  readonly task: string
  readonly plan: HostedPlan
}

/** The worker that this token belongs to; null for any other token, and after its attempt has ended. */
export function knownWorker(host: Host, id: string, token: string): KnownWorker | null {
  for (const plan of host.plans()) {
    const task = [...plan.state.active].find(({ live }) => live?.worker === id)
    if (task === undefined) continue
    const own = workerToken(host.parts.secret, plan.home.stream, id)
    if (sameSecret(own, token)) return { id, task: task.spec.id, plan }
  }
  return null
}

/** Keeps what it says; it is durable when this resolves. */
export async function hearWorker(
  host: Host,
  worker: KnownWorker,
  said: { readonly word: WorkerWord; readonly data: Readonly<Record<string, unknown>> },
): Promise<void> {
  await host.journal.note(worker.plan.home.repository.id, {
    timestamp: new Date(host.parts.clock.now()).toISOString(),
    event: WORKER_WORDS[said.word],
    worker_id: worker.id,
    task_id: worker.task,
    plan_id: worker.plan.id,
    data: said.data,
  })
  const used = usedIn(said.data)
  if (said.word === 'checkins' && used !== null) worker.plan.noteUsage(worker.id, used)
}

/** `token_usage`, and `usd` among its metrics: a sum of all it has used so far. */
function usedIn({ token_usage: tokens, metrics }: Readonly<Record<string, unknown>>): Spent | null {
  const usd = typeof metrics === 'object' && metrics !== null && 'usd' in metrics ? metrics.usd : 0
  const spent = { tokens: amountIn(tokens), usd: amountIn(usd) }
  return spent.tokens > 0 || spent.usd > 0 ? spent : null
}

function amountIn(value: unknown): number {
  const amount = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof amount === 'number' && Number.isFinite(amount) && amount > 0 ? amount : 0
}
