/** A question to a person: asked, answered, withdrawn; and what people decide unasked: a risk, a remembered permission. */
import { MAX_RESTARTS } from '../../state/budgets.ts'
import { closeItem, answerItem, answerText } from '../../fold/answers.ts'
import { closeBreaker, noteProviderAlert } from '../../fold/providers.ts'
import { decided, moveTask, taskIn } from '../../fold/moves.ts'
import { alerted } from '../../fold/watch.ts'
import { askedAbout, type Instant, type PlanState, type TaskState } from '../../state/state.ts'
import { always, eventShape, type EventDefinition } from '../define.ts'
import { cameFrom } from '../../event-schemas/origin.ts'
import { inboxItemSchema, itemKind, text, by } from '../../event-schemas/schemas.ts'
import { cut, fact, aboutPlan, aboutTask } from '../rendering.ts'
import { z } from 'zod'
import { answerRefusal, noAnswer } from '../../answers/answer-rules.ts'
import { PERMISSION_SCOPES } from '../../event-schemas/requests.ts'

const openedShape = eventShape('inbox.opened', 1, () => ({ item: inboxItemSchema }))

export const inboxOpened: EventDefinition<typeof openedShape> = {
  shape: openedShape,
  rejectionReason: always,
  apply(state, { type, item }, at) {
    state.inbox.set(item.id, { item, since: at })
    state.asked.add(askedAbout(item))
    state.itemsOpened++
    if (item.subject === 'worker') alerted(state, item, at)
    if (item.subject === 'provider') noteProviderAlert(state, item.about ?? '')
    if (item.subject !== 'task' || item.task === null) return
    const task = taskIn(state, item.task)
    state.reask.delete(task)
    decided(task, at, `asked a person (${item.id}): ${item.problem}`)
    if (item.kind !== 'approval' && task.step !== 'escalated') {
      moveTask(state, task, { to: 'escalated', on: type, at })
    }
  },
  render: ({ item: { id, kind, problem, recommended, blocking, task } }) =>
    aboutTask(
      task,
      `${id} asks: ${problem}`,
      fact(`${kind}_opened`, { id, problem: cut(problem), recommended, blocking }),
    ),
}

const withdrawnShape = eventShape('inbox.withdrawn', 1, () => ({ id: text, why: text }))

/** The item is closed because it no longer needs an answer. */
export const inboxWithdrawn: EventDefinition<typeof withdrawnShape> = {
  shape: withdrawnShape,
  rejectionReason: rejectUnlessOpen,
  apply(state, { id }, at) {
    const open = state.inbox.get(id)
    if (open === undefined) throw new Error(`no open item ${id}`)
    closeItem(state, open)
    const { subject, about, task } = open.item
    if (subject === 'effect') state.trouble.delete(about ?? '')
    if (subject === 'breaker') closeBreaker(state, 'one more try')
    if (subject === 'task') requeue(state, taskIn(state, task ?? ''), at)
    if (subject === 'takeover') {
      const taken = taskIn(state, task ?? '')
      taken.cause = { kind: 'stopped_for_pause' }
      moveTask(state, taken, { to: 'collecting', on: 'inbox.withdrawn', at })
    }
  },
  render: ({ id, why }) =>
    aboutPlan(`${id} closed: ${why}`, fact(`${itemKind(id)}_withdrawn`, { id, why: cut(why) })),
}

function rejectUnlessOpen(state: PlanState, { id }: { readonly id: string }): string | null {
  return state.inbox.has(id) ? null : `${id} is not open`
}

/** Other tasks fail the same way: this one goes back to the queue with one attempt left. */
function requeue(state: PlanState, task: TaskState, at: Instant): void {
  task.requeued = 'again'
  task.cause = null
  task.counters = { ...task.counters, restarts: Math.min(task.counters.restarts, MAX_RESTARTS - 1) }
  moveTask(state, task, { to: 'ready', on: 'inbox.withdrawn', at })
}

/** A person answers an inbox item, or settles a risk unasked. */
const answeredShape = eventShape('inbox.answered', 1, () => ({
  id: text,
  choice: text,
  feedback: text,
  by,
  /** Of a permission; absent: this once, and in older logs. */
  scope: z.enum(PERMISSION_SCOPES).optional(),
  /** Of an approval of critical work: whether the person had the diff open; absent where that is not known. */
  diffOpened: z.boolean().optional(),
  ...cameFrom,
}))

export const inboxAnswered: EventDefinition<typeof answeredShape> = {
  shape: answeredShape,
  rejectionReason: (state, event) =>
    noAnswer(event) ?? answerRefusal(state, { ...event, proof: 'token' })?.why ?? null,
  apply: answerItem,
  render: (answer) => {
    const { id, choice, feedback, by, scope, diffOpened, via, process } = answer
    const data = { id, choice, by, via, process, feedback: cut(feedback), scope, diff_opened: diffOpened }
    return aboutPlan(answerText(answer), fact(`${itemKind(id)}_answered`, data))
  },
}

const settledShape = eventShape('risk.settled', 1, () => ({
  risk: text,
  status: z.enum(['mitigated', 'accepted']),
  by,
  reason: text,
}))

export const riskSettled: EventDefinition<typeof settledShape> = {
  shape: settledShape,
  rejectionReason: ({ risks }, { risk }) =>
    risks.get(risk)?.status === 'open' ? null : `risk ${risk} is not open`,
  apply(state, { risk: id, status, by, reason }, at) {
    const risk = state.risks.get(id)
    if (risk === undefined) throw new Error(`no risk ${id}`)
    state.risks.set(risk.id, { ...risk, status, acceptedBy: by, acceptedAt: at, reason })
  },
  render: ({ risk, status, by, reason }) =>
    aboutPlan(
      `${risk} ${status} by ${by}: ${reason}`,
      fact('risk_settled', { risk, status, by, reason: cut(reason) }),
    ),
}

/** A person revokes what they, or another, decided about equal permissions: the next equal one is asked again. */
const revokedShape = eventShape('permission.revoked', 1, () => ({
  /** The inbox item whose answer was remembered. */
  item: text,
  by,
}))

export const permissionRevoked: EventDefinition<typeof revokedShape> = {
  shape: revokedShape,
  rejectionReason: ({ permissions }, { item }) =>
    permissions.some((one) => one.item === item) ? null : `no remembered permission ${item}`,
  apply(state, { item }) {
    state.permissions = state.permissions.filter((one) => one.item !== item)
  },
  render: ({ item, by }) =>
    aboutPlan(`${by} revoked the permission ${item}`, fact('permission_revoked', { id: item, by })),
}
