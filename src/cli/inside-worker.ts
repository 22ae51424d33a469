/** Inside a worker only commands for workers and read-only commands may run. */
import { usageRefusal } from '../lib/refusal.ts'
import type { Call, CommandDefinition } from './command.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The worker this process runs in; null outside a worker. */
export function workerIn(env: Environment): string | null {
  const id = env['BOSUN_WORKER_ID'] ?? ''
  return id === '' ? null : id
}

/** Throws a Refusal (`usage`) for a user command inside a worker. */
export function refuseInsideWorker(
  { name, insideWorker }: Pick<CommandDefinition, 'name' | 'insideWorker'>,
  args: Call['args'],
  env: Environment,
): void {
  const worker = workerIn(env)
  if (worker === null) return
  const isAllowed = typeof insideWorker === 'function' ? insideWorker(args) : insideWorker === true
  if (isAllowed) return
  throw usageRefusal(
    `bosun ${name} cannot run inside worker ${worker}: only the user may call it`,
    'Workers use `bosun request` and `bosun report`. If you are the user, unset BOSUN_WORKER_ID.',
  )
}
