/** Sends a person's instruction to a running worker. */
import type { PlanEvent } from '../../core/events/plan-events.ts'
import { normalPath } from '../../core/languages/paths.ts'
import {
  changedContract,
  changedContractText,
  namedCriteria,
  type ContractChange,
} from '../../core/planning/change-contract.ts'
import { pathObjection } from '../../core/spec/story-paths.ts'
import { deliveryText } from '../../core/watch/message-delivery.ts'
import { Refusal } from '../../lib/refusal.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { Host } from '../host/host.ts'
import type { WorkerRow } from '../../protocol/answers.ts'
import type { InstructRequest as InstructBody } from '../../protocol/requests.ts'
import { deliveryChannel } from './message-states.ts'
import { findRunning, workerRefusal, type WorkerName } from './workers.ts'

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
    throw new Refusal({
      code: 'usage',
      message: `${type ?? 'an instruction'} needs a text that says what ${id} should do`,
      remedy: `Add it: bosun worker instruct ${id} "…"`,
    })
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
    throw new Refusal({
      code: 'conflict',
      message: contractProblem,
      remedy: `Read its contract: bosun task show ${row.task}`,
    })
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
    throw new Refusal({
      code: 'usage',
      message: `${type} changes the contract that the gates go by, so it needs files or criteria`,
      remedy: `Name them: bosun worker instruct ${id} --type ${type} --files PATH --criteria TEXT. For words alone use --type revise.`,
    })
  }
  if (!isOfScope)
    throw new Refusal({
      code: 'usage',
      message: 'files and criteria belong to expand_scope and reduce_scope',
      remedy: `Name the type: bosun worker instruct ${id} --type expand_scope --files PATH`,
    })
  for (const path of files) {
    const objection = pathObjection(path)
    if (objection !== null)
      throw new Refusal({
        code: 'usage',
        message: `files: ${terminalLine(path)} ${objection}`,
        remedy: 'Name single files, from the root of the repository.',
      })
  }
  return { way: type === 'expand_scope' ? 'expand' : 'reduce', files: files.map(normalPath), criteria }
}
