/** What a task owes while a person works in the place of its worker. */
import { opened, takeoverItem } from '../delivery/inbox/inbox-items.ts'
import { askedAbout, type PlanState, type TaskState } from '../state/state.ts'
import type { Share } from './owed.ts'

/** A question is open until the person hands the work back; a cancelled plan saves it and ends. */
export function owedByTakeover(state: PlanState, task: TaskState): Share {
  const item = takeoverItem(state, task)
  const open = [...state.inbox.values()].find((one) => askedAbout(one.item) === askedAbout(item))
  if (open === undefined) return { decision: [opened(item)] }
  if (state.cancelled === null) return {}
  return { decision: [{ type: 'inbox.withdrawn', v: 1, id: open.item.id, why: 'the plan was cancelled' }] }
}
