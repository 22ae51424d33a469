/** A question to a person: asked, delivered, withdrawn. */
import { MAX_RESTARTS } from '../../state/budgets.ts'
import { closeItem } from '../../fold/answers.ts'
import { closeBreaker } from '../../fold/breaker.ts'
import { decided, moveTask, taskIn } from '../../fold/moves.ts'
import { noteProviderAlert } from '../../fold/providers.ts'
import { alerted } from '../../fold/watch.ts'
import { askedAbout, type Instant, type PlanState, type TaskState } from '../../state/state.ts'
import { cut, planLine } from '../activity-lines.ts'
import { always, eventShape, type EventDefinition } from '../define.ts'
import { inboxItemSchema, itemKind, text } from '../../event-schemas/schemas.ts'

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
  activity({ item: { id, kind, problem, recommended, blocking, task } }) {
    const data = { id, problem: cut(problem), recommended, blocking }
    return [{ event: `${kind}_opened`, worker: null, task, data }]
  },
  timeline: ({ item }) => ({ task: item.task, text: `${item.id} asks: ${item.problem}` }),
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
  activity: ({ id, why }) => [planLine(`${itemKind(id)}_withdrawn`, { id, why: cut(why) })],
  timeline: ({ id, why }) => ({ task: null, text: `${id} closed: ${why}` }),
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
