/** Adopts a process that Bosun did not start, to watch its time limit. */
import { plainLine } from '../../lib/text/quoted.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { commandLineOf } from '../../lib/process/processes.ts'
import { identify, type ProcessIdentity } from '../../lib/process/processes.ts'
import { ancestorsOf, isOfBosun, ownerOf } from '../../lib/process/process-tree.ts'
import { refusal } from '../../lib/refusal.ts'
import type { WorkerRow } from '../../protocol/answers.ts'
import type { AdoptRequest as AdoptBody } from '../../protocol/requests.ts'
import type { Adopted } from './adopted-workers.ts'
import type { Host } from '../host/host.ts'

export interface AdoptRequest extends Omit<AdoptBody, 'cwd' | 'time_limit_ms'> {
  /** What the settings say where it is absent. */
  readonly timeLimitMs?: number | undefined
  /** Root of the repository one stands in; null outside of any. */
  readonly repository: string | null
  readonly settings: Pick<Settings, 'watch'>
}

const LONGEST_COMMAND = 200

/** It is durable when this resolves. */
export async function adoptWorker(host: Host, request: AdoptRequest): Promise<WorkerRow> {
  const { pid, repository, by } = request
  const { watch } = request.settings
  if (repository === null)
    throw refusal('usage', 'not inside a git repository', 'Change to the repository it works for.')
  const id = request.name ?? `adopted-${pid}`
  refuseName(id)
  const process = adoptable(pid, request.caller)
  const { clock, repositories } = host.parts
  const home = await repositories.register(repository, clock.now())
  const adopted: Adopted = {
    id,
    process,
    command: plainLine(commandLineOf(pid) ?? '', LONGEST_COMMAND),
    by,
    since: clock.now(),
    sinceMonotonic: clock.monotonic(),
    limitMs: request.timeLimitMs ?? watch.time_limit,
    warnings: [...watch.warnings],
    terminateAt: watch.terminate_at,
    mode: watch.mode,
    warned: 0,
    isOverdue: false,
  }
  return (await host.adopted.adopt(home.id, adopted, (known) => refuseTwice(adopted, known))).row
}

/** The process identity. Throws a refusal for missing processes and those that must never be stopped. */
function adoptable(pid: number, caller: number | undefined): ProcessIdentity {
  const which = `process ${pid}`
  const choose = 'Pass the process id of the agent to watch (see ps).'
  if (pid === 1)
    throw refusal('conflict', `${which} is the init process, which holds the whole system`, choose)
  const identity = identify(pid)
  if (identity === null) throw refusal('not_found', `no ${which}`, choose)
  if (pid === process.pid) throw refusal('conflict', `${which} is the daemon itself`, choose)
  if (ancestorsOf(process.pid).has(pid))
    throw refusal('conflict', `the daemon was started by ${which}, and would end with it`, choose)
  if (caller !== undefined && (pid === caller || ancestorsOf(caller).has(pid)))
    throw refusal('conflict', `this very command was started by ${which}`, choose)
  const owner = ownerOf(pid)
  if (owner !== process.getuid?.())
    throw refusal('conflict', `${which} belongs to another user (${owner ?? 'unknown'})`, choose)
  if (isOfBosun(pid))
    throw refusal('conflict', `${which} belongs to a worker of Bosun's, which is watched already`, choose)
  return identity
}

function refuseName(id: string): void {
  if (/^[a-z0-9][a-z0-9-]{0,59}$/.test(id) && !id.startsWith('w-')) return
  throw refusal(
    'usage',
    `a worker cannot be named ${JSON.stringify(plainLine(id))}`,
    'Use lower-case letters, digits and dashes, at most 60; w- is for workers of plans.',
  )
}

function refuseTwice({ id, process: { pid } }: Adopted, known: readonly Adopted[]): void {
  const same = known.find((one) => one.process.pid === pid)
  if (same !== undefined)
    throw refusal('conflict', `process ${pid} is adopted already, as ${same.id}`, 'See: bosun worker list')
  if (known.some((one) => one.id === id))
    throw refusal('conflict', `an adopted worker named ${id} already exists`, 'Give it another --name.')
}
