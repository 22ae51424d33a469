/** What a person does to a running worker: instruct it, nudge it, give it more time, take it over. */
import type { PlanEvent } from '../../core/events/plan-events.ts'
import { normalPath } from '../../core/languages/paths.ts'
import {
  changedContract,
  changedContractText,
  namedCriteria,
  type ContractChange,
} from '../../core/planning/compare-plans.ts'
import { pathObjection } from '../../core/spec/story-problems.ts'
import { deliveryText } from '../../core/watch/message-delivery.ts'
import { type Refusal, refusal } from '../../lib/refusal.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { Host } from '../host/host.ts'
import type { WorkerRow } from '../../protocol/answers.ts'
import type { InstructRequest as InstructBody } from '../../protocol/requests.ts'
import {
  deliveryChannel,
  findRunning,
  workerRefusal,
  takenTask,
  plansNear,
  type WorkerName,
} from './workers.ts'
import { formatDuration } from '../../lib/text/format-time.ts'
import { extendBy, nudgeBy, type PersonAction } from '../../core/watch/person-actions.ts'
import type { WorkerActionAnswer } from '../../protocol/worker-views.ts'
import type { TaskState } from '../../core/state/state.ts'

type InstructionType = NonNullable<InstructBody['type']>

/** Its text may be empty for types with a default text. */
type InstructRequest = WorkerName & Omit<InstructBody, 'repo' | 'id'> & { readonly ref?: string | undefined }

/** Default texts; the other types need one. */
const BY_ITSELF: Partial<Record<InstructionType, string>> = {
  continue: 'continue as you are',
  pause: 'stop here and wait for the next instruction',
  abort: 'stop, hand in what you have, and exit',
}

/** Durable when this resolves, and delivered as soon as the worker can receive it; `note` says when that is. */
export async function instructWorker(
  host: Host,
  request: InstructRequest,
): Promise<WorkerRow & { readonly note: string }> {
  const { id, type, by, ref } = request
  const change = contractChange(request)
  const instruction = request.text.trim() || (type === undefined ? undefined : BY_ITSELF[type])
  if (instruction === undefined && change === null) {
    throw refusal(
      'usage',
      `${type ?? 'an instruction'} needs a text that says what ${id} should do`,
      `Add it: bosun worker instruct ${id} "…"`,
    )
  }
  const { plan, row } = await findRunning(host, request)
  const subject = ref === undefined ? `instruction by ${by}` : `instruction ${ref}`
  let isKnown = false
  let contractProblem: string | null = null
  const done = await plan.proposeAsNow((state) => {
    const task = state.tasks.get(row.task)
    const live = task?.live
    if (task === undefined || live?.worker !== id) return `${id} has already ended`
    isKnown = ref !== undefined && live.watch.sentAt[subject] !== undefined
    if (isKnown) return `${id} has this instruction already`
    const about = { worker: id, task: row.task, attempt: live.attempt }
    const changed = change === null ? null : changedContract(task.spec, change)
    if (changed?.ok === false) return (contractProblem = changed.why)
    const contract = change === null || changed === null ? '' : changedContractText(changed.spec, change)
    const words = [instruction ?? '', contract].filter((part) => part !== '').join('\n')
    const text = type === undefined ? words : `${type.replace('_', ' ')}: ${words}`
    const message = {
      id: live.watch.messages + 1,
      kind: 'instruction' as const,
      text,
      about: subject,
      by,
      ...(type === undefined ? {} : { instruction: type }),
    }
    const told: PlanEvent = { type: 'worker.told', v: 1, ...about, message, why: `instruction by ${by}` }
    if (change === null) return [told]
    const [files, criteria] = [[...change.files], [...namedCriteria(task.spec, change)]]
    return [{ type: 'contract.changed', v: 1, ...about, way: change.way, files, criteria, by }, told]
  })
  if (!done.ok && contractProblem !== null)
    throw refusal('conflict', contractProblem, `Read its contract: bosun task show ${row.task}`)
  if (!done.ok && !isKnown) throw workerRefusal('conflict', done.why)
  const message = { kind: 'instruction' as const, ...(type === undefined ? {} : { instruction: type }) }
  const when = deliveryText(message, deliveryChannel(plan, { worker: id, task: row.task }))
  return { ...row, note: `delivered ${when}` }
}

/** Null where it changes nothing. Work that follows words alone would not fit its contract, and fail the gates. */
function contractChange({ id, type, files = [], criteria = [] }: InstructRequest): ContractChange | null {
  const isOfScope = type === 'expand_scope' || type === 'reduce_scope'
  if (files.length === 0 && criteria.length === 0) {
    if (!isOfScope) return null
    throw refusal(
      'usage',
      `${type} changes the contract that the gates go by, so it needs files or criteria`,
      `Name them: bosun worker instruct ${id} --type ${type} --files PATH --criteria TEXT. For words alone use --type revise.`,
    )
  }
  if (!isOfScope)
    throw refusal(
      'usage',
      'files and criteria belong to expand_scope and reduce_scope',
      `Name the type: bosun worker instruct ${id} --type expand_scope --files PATH`,
    )
  for (const path of files) {
    const objection = pathObjection(path)
    if (objection !== null)
      throw refusal(
        'usage',
        `files: ${terminalLine(path)} ${objection}`,
        'Name single files, from the root of the repository.',
      )
  }
  return { way: type === 'expand_scope' ? 'expand' : 'reduce', files: files.map(normalPath), criteria }
}

/** A person nudges a running worker, or gives it more time. */
interface Asked extends WorkerName {
  readonly by: string
}

/** Durable when it resolves; delivered as soon as the worker can receive it, and the answer says when that is. */
export async function nudgeWorker(host: Host, asked: Asked): Promise<WorkerActionAnswer> {
  const { plan, row } = await findRunning(host, asked)
  const isSent = await propose({ plan, row }, asked, nudgeBy)
  const channel = deliveryChannel(plan, { worker: asked.id, task: row.task })
  const when = deliveryText({ kind: 'nudge' }, channel)
  const never = channel === 'checkin' && row.last_checkin === null ? ' (it has not checked in so far)' : ''
  const text = isSent
    ? `nudge queued for ${asked.id}: delivered ${when}${never}`
    : `an earlier nudge for ${asked.id} is still queued: delivered ${when}${never}`
  return { id: asked.id, done: isSent, text }
}

/** Durable when it resolves; its supervisor gets the new limit next. */
export async function extendWorker(
  host: Host,
  asked: Asked & { readonly minutes: number },
): Promise<WorkerActionAnswer> {
  const done = await propose(await findRunning(host, asked), asked, (action) =>
    extendBy(action, asked.minutes),
  )
  const text = `${asked.id} has ${formatDuration(asked.minutes * 60_000)} more`
  return { id: asked.id, done, text }
}

/** False where there is nothing to do. */
async function propose(
  { plan, row }: Awaited<ReturnType<typeof findRunning>>,
  asked: Asked,
  eventsOf: (action: PersonAction) => readonly PlanEvent[] | null,
): Promise<boolean> {
  let isNeeded = true
  const done = await plan.proposeAsNow((state) => {
    const live = state.tasks.get(row.task)?.live
    if (live === null || live?.worker !== asked.id) return `${asked.id} has already ended`
    const events = eventsOf({ live, task: row.task, by: asked.by })
    isNeeded = events !== null
    return events ?? 'there is nothing to do'
  })
  if (!isNeeded) return false
  if (!done.ok) throw workerRefusal('conflict', done.why)
  return true
}

/** A person takes a worker over: it is stopped, its files stay, and its task waits until the work is handed back. */
interface OpenRequest extends WorkerName {
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
    const objection = whyNot(live)
    if (objection !== null) throw objection
    const about = { worker: id, task: row.task, attempt: live.attempt }
    const why = `${by} took it over`
    return [{ type: 'worker.condemned', v: 1, ...about, cause: 'taken_over', why, by }]
  })
  if (done.ok) return { id }
  throw workerRefusal('conflict', done.why)
}

function whyNot({ worker, role, step }: NonNullable<TaskState['live']>): Refusal | null {
  if (role === 'reviewer')
    return refusal(
      'conflict',
      `${worker} is a reviewer, whose verdict has to be its own`,
      `See what it does: bosun worker log ${worker} -f`,
    )
  if (step === 'launching')
    return refusal('conflict', `${worker} is still starting`, 'Try again in a moment.')
  return null
}
