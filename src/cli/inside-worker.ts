/** Inside a worker only the worker's own commands and those that read may run: the others are the user's. */
import { Refusal } from '../lib/refusal.ts'
import type { Call, CommandDefinition } from './command.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The worker whose environment this is; null outside of any. */
export function workerIn(env: Environment): string | null {
  const id = env['BOSUN_WORKER_ID'] ?? ''
  return id === '' ? null : id
}

/** Throws a Refusal (`usage`) for a user's command that is called inside a worker. */
export function refuseInsideWorker(
  { name, insideWorker }: Pick<CommandDefinition, 'name' | 'insideWorker'>,
  args: Call['args'],
  env: Environment,
): void {
  const worker = workerIn(env)
  if (worker === null) return
  const isAllowed = typeof insideWorker === 'function' ? insideWorker(args) : insideWorker === true
  if (isAllowed) return
  throw new Refusal({
    code: 'usage',
    message: `bosun ${name} cannot run inside worker ${worker}: only the user may call it`,
    remedy:
      'A worker asks with `bosun request` and tells with `bosun report`. If you are the user, unset BOSUN_WORKER_ID.',
  })
}
