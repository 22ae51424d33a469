/** A person takes a worker over: it is stopped, its files stay, and its task waits until the work is handed back. */
import type { TaskState } from '../../core/state/state.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Host } from '../host/host.ts'
import { takenTask } from './taken-over.ts'
import { findRunning, plansNear, workerRefusal, type WorkerName } from './workers.ts'

export interface OpenRequest extends WorkerName {
  readonly by: string
}

/** Durable when it resolves; the worker stops soon after. Asked again it changes nothing. */
export async function takeOver(host: Host, request: OpenRequest): Promise<{ readonly id: string }> {
  const { id, by } = request
  const isTaken = plansNear(host, request.repository).some(({ state }) => takenTask(state, id) !== null)
  if (isTaken) return { id }
  const { plan, row } = await findRunning(host, request)
  const done = await plan.proposeAsNow((state) => {
    const live = state.tasks.get(row.task)?.live
    if (live?.worker !== id) return `${id} has already ended`
    const refusal = whyNot(live)
    if (refusal !== null) throw refusal
    const about = { worker: id, task: row.task, attempt: live.attempt }
    const why = `${by} took it over`
    return [{ type: 'worker.condemned', v: 1, ...about, cause: 'taken_over', why, by }]
  })
  if (done.ok) return { id }
  throw workerRefusal('conflict', done.why)
}

function whyNot({ worker, role, step }: NonNullable<TaskState['live']>): Refusal | null {
  if (role === 'reviewer')
    return new Refusal({
      code: 'conflict',
      message: `${worker} is a reviewer, whose verdict has to be its own`,
      remedy: `See what it does: bosun worker log ${worker} -f`,
    })
  if (step === 'launching')
    return new Refusal({
      code: 'conflict',
      message: `${worker} is still starting`,
      remedy: 'Try again in a moment.',
    })
  return null
}
