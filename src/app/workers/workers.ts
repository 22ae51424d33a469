/** Shows one worker, with what became of messages to it and who took it over; kills it at a person's request. */
import { rendered } from '../../core/events/activity.ts'
import type { PlanEvent } from '../../core/events/plan-events.ts'
import { workerEnding, type WorkerEnding } from '../../core/log/worker-end.ts'
import { type Refusal, refusal } from '../../lib/refusal.ts'
import type { WorkerAnswer, WorkerRow } from '../../protocol/answers.ts'
import type { Host } from '../host/host.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import type { WorkerPlace } from '../host/plan-place.ts'
import { workerRows, type PlanWorkerRow } from './worker-rows.ts'
import { workerEntries, workerIn } from './worker-entries.ts'
import { readActivity } from '../activity/read-activity.ts'
import { workerMessages, type SentMessage } from '../../core/log/worker-messages.ts'
import type { Instant, PlanState, TaskState } from '../../core/state/state.ts'
import { deliveryText, type DeliveryChannel } from '../../core/watch/message-delivery.ts'
import { iso } from '../../lib/text/format-time.ts'

export interface WorkerName {
  readonly id: string
  readonly repository?: string | undefined
}

/** A worker of a plan, running or not, with all that happened to it. Null where no plan had one of that name. */
export async function findWorker(host: HostToRead, name: WorkerName) {
  // A plan's workers have its name in theirs.
  const plans = plansNear(host, name.repository).filter(({ id }) => name.id.startsWith(`w-${id}-`))
  for (const plan of plans) {
    const found = await workerEntries(host, plan.home.stream, name.id)
    if (found === null) continue
    const { entries, task } = found
    return { plan, entries, own: entries.filter(({ event }) => workerIn(event) === name.id), task }
  }
  return null
}

export async function showWorker(host: HostToRead, name: WorkerName): Promise<WorkerAnswer> {
  const found = await findWorker(host, name)
  if (found === null) return showAdopted(host, name.id)
  const { plan, entries, own, task } = found
  const history = own.flatMap((entry) => {
    const { text } = rendered(entry)
    return text === null ? [] : [{ timestamp: iso(entry.at), text }]
  })
  const place = (await plan.world.workerPlace?.(name.id)) ?? (await savedPlace(host, plan, name.id))
  const ref = place === null ? savedIn(own) : place.salvage
  const salvage = ref === null ? null : { ref, repository: place?.repository ?? null }
  const workspace = place?.workspace ?? null
  const takeover = takeoverOf(plan, name.id)
  const session = sessionIn(own)
  const now = rowOf(host, plan, name.id)
  const channel = now === null ? null : deliveryChannel(plan, { worker: name.id, task })
  const messages = messageStates(entries, { worker: name.id, channel }).map(messageRow)
  const task_title = plan.state.tasks.get(task)?.spec.title ?? null
  const end = now === null ? endRow(workerEnding(entries, name.id)) : null
  const about = { id: name.id, plan: plan.id, repo: plan.home.repository.path, task, task_title, now, end }
  return { ...about, workspace, salvage, session, takeover, messages, history }
}

function endRow(ending: WorkerEnding | null): WorkerAnswer['end'] {
  if (ending === null) return null
  const { at, how, by, title, why, followed } = ending
  const line = (text: string): string => text.slice(0, LONGEST_LINE)
  return {
    at: iso(at),
    how,
    by: by === null ? null : line(by),
    title: line(title),
    why: line(why),
    followed: followed.map((step) => ({
      at: iso(step.at),
      text: line(step.text),
      worker: step.worker,
      item: step.item,
      is_open: step.isOpen,
    })),
  }
}

const LONGEST_LINE = 2000

/** What is known of a process that Bosun did not start: it stands in the activity log. */
async function showAdopted(host: HostToRead, id: string): Promise<WorkerAnswer> {
  const { activity } = await readActivity(host, { worker: id, limit: MOST_LINES })
  const now = host.adopted.rows().find(({ row }) => row.id === id)?.row ?? null
  const isAdopted = activity.some(
    ({ plan_id, event }) => plan_id === undefined && event === 'worker_registered',
  )
  if (now === null && !isAdopted) throw workerRefusal('not_found', `no worker ${id}`)
  const history = activity.map(({ timestamp, event, data }) => ({
    timestamp,
    text: `${event} ${factsIn(data)}`.trim(),
  }))
  const about = { id, plan: null, repo: null, task: null, task_title: null, now, end: null }
  return { ...about, workspace: null, salvage: null, session: null, takeover: null, messages: [], history }
}

const MOST_LINES = 1000

function messageRow({ message, sentAt, delivered, readAt, why }: MessageState) {
  const { id, kind, instruction, text, by } = message
  return {
    id,
    kind,
    type: instruction ?? null,
    text,
    by,
    sent_at: iso(sentAt),
    delivered_at: delivered === null ? null : iso(delivered.at),
    via: delivered?.via ?? null,
    read_at: readAt === null ? null : iso(readAt),
    why,
  }
}

const factsIn = (data: Readonly<Record<string, unknown>>): string =>
  Object.entries(data)
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')

/** Of a plan that is only looked at; null where nothing was ever worked on. */
async function savedPlace(host: HostToRead, plan: HostedPlan, worker: string): Promise<WorkerPlace | null> {
  const caretaker = await host.parts.caretakerOf(plan.home.repository)
  if (caretaker === null) return null
  const { repository, ref, folder } = await caretaker.saved(worker)
  return { workspace: folder, repository, salvage: ref }
}

/** The session that the log names last. */
function sessionIn(entries: readonly { readonly event: PlanEvent }[]): WorkerAnswer['session'] {
  const opened = entries.map(({ event }) => event).findLast((event) => event.type === 'session.opened')
  if (opened === undefined) return null
  const { session: id, agent, protocol, continues, isContinued: continued } = opened
  return { id, agent, protocol, continues, continued }
}

/** What the log says about where its work is. */
function savedIn(entries: readonly { readonly event: PlanEvent }[]): string | null {
  const refs = entries.flatMap(({ event }) => (event.type === 'work.collected' ? [event.salvage] : []))
  return refs.findLast((ref) => ref !== '') ?? null
}

export interface KillRequest extends WorkerName {
  readonly by: string
  readonly reason: string
}

/** Its work is saved, then it is stopped; the rules decide how its task goes on. Durable when it resolves. */
export async function killWorker(host: Host, request: KillRequest): Promise<WorkerRow> {
  const adopted = await killAdopted(host, request)
  if (adopted !== null) return adopted
  const { plan, row } = await findRunning(host, request)
  const { task, attempt } = row
  const why = reasonOf(request)
  const about = { worker: request.id, task, attempt }
  const done = await plan.propose({
    type: 'worker.condemned',
    v: 1,
    ...about,
    cause: 'killed',
    why,
    by: request.by,
  })
  if (!done.ok) throw workerRefusal('conflict', done.why)
  return row
}

/** Throws a refusal for an ended or unknown worker. */
export async function findRunning(
  host: Host,
  name: WorkerName,
): Promise<{ readonly plan: HostedPlan; readonly row: PlanWorkerRow }> {
  for (const plan of plansNear(host, name.repository)) {
    const row = rowOf(host, plan, name.id)
    if (row !== null) return { plan, row }
  }
  const { now } = await showWorker(host, name)
  throw workerRefusal(
    'conflict',
    now === null
      ? `${name.id} has already ended`
      : `${name.id} was not started by Bosun and cannot receive messages`,
  )
}

/** Null where no process was adopted under this name. */
async function killAdopted(host: Host, request: KillRequest): Promise<WorkerRow | null> {
  const known = host.adopted.rows().find(({ row }) => row.id === request.id)
  return known !== undefined && (await host.adopted.kill(request.id, reasonOf(request))) ? known.row : null
}

const reasonOf = ({ by, reason }: KillRequest): string =>
  `${by} killed it${reason === '' ? '' : `: ${reason}`}`

const rowOf = (host: HostToRead, plan: HostedPlan, worker: string): PlanWorkerRow | null =>
  workerRows(plan, host.parts.clock.now()).find((row) => row.id === worker) ?? null

/** All plans, those of the repository one stands in first. */
export function plansNear(host: HostToRead, repository: string | undefined): readonly HostedPlan[] {
  const isNear = (plan: HostedPlan): boolean => plan.home.repository.id === repository
  return [...host.plans().filter(isNear), ...host.plans().filter((plan) => !isNear(plan))]
}

export const workerRefusal = (code: 'conflict' | 'not_found', message: string): Refusal =>
  refusal(code, message, 'List running workers: bosun worker list')

/** What became of each message to a worker, in words. */
interface MessageState extends SentMessage {
  /** Why it is not delivered; null where it is. */
  readonly why: string | null
}

/** Null for a worker that has ended. */
export type MessageChannel = DeliveryChannel | null

/** How messages reach a running worker now. */
export function deliveryChannel(
  { state, world }: Pick<HostedPlan, 'state' | 'world'>,
  { worker, task }: { readonly worker: string; readonly task: string },
): DeliveryChannel {
  const live = state.tasks.get(task)?.live
  if (live?.worker === worker && live.step === 'launching') return 'not_started'
  const channel = world.channelOf?.(worker) ?? 'checkin'
  return channel === 'session' && live?.worker === worker && live.watch.pause !== null ? 'paused' : channel
}

interface Entry {
  readonly at: Instant
  readonly event: PlanEvent
}

/** `entries` are those about the worker, and those about inbox items. */
export const messageStates = (
  entries: readonly Entry[],
  { worker, channel }: { readonly worker: string; readonly channel: MessageChannel },
): readonly MessageState[] =>
  workerMessages(entries, worker).map((sent) => ({
    ...sent,
    why: sent.delivered === null ? whyWaiting(sent, channel) : null,
  }))

const whyWaiting = ({ message }: SentMessage, channel: MessageChannel): string =>
  channel === null ? 'the worker ended first' : `queued, to be delivered ${deliveryText(message, channel)}`

/** The task in which a person works in the place of this worker, or is about to; null where none does. */
export function takenTask(state: PlanState, worker: string): TaskState | null {
  for (const task of state.active) {
    if (task.step === 'taken_over' && task.draft?.worker === worker) return task
    if (task.live?.worker === worker && task.live.stopCause === 'taken_over') return task
  }
  return null
}

function takeoverOf(plan: HostedPlan, worker: string): WorkerAnswer['takeover'] {
  const task = takenTask(plan.state, worker)
  if (task === null) return null
  const isReady = task.step === 'taken_over'
  const open = [...plan.state.inbox.values()].find(
    ({ item }) => item.subject === 'takeover' && item.about === worker,
  )
  const { session } = task
  const repository = plan.home.repository.id
  const isOwn = session?.worker === worker
  return {
    by: task.takenOverBy ?? '',
    ready: isReady && open !== undefined,
    item: open === undefined ? null : `${repository}:${plan.id}:${open.item.id}`,
    repository,
    agent: isOwn ? session.agent : null,
    session: isOwn ? session.id : null,
  }
}
