/** Lists, whole or a page at a time: `next` and `total` are there when the request has a `limit`. */
import { z } from 'zod'
import { inboxEntry, interviewRow, planRow, taskRow, workerRow } from '../answers.ts'
import { pageFields } from '../paging.ts'

const paged = { next: pageFields.next.optional(), total: pageFields.total.optional() }

export const plansAnswer = z.strictObject({ plans: z.array(planRow), ...paged })
export const tasksAnswer = z.strictObject({ tasks: z.array(taskRow), ...paged })
export const workersAnswer = z.strictObject({ workers: z.array(workerRow), ...paged })
/** With the interviews that are open. */
export const inboxAnswer = z.strictObject({
  inbox: z.array(inboxEntry),
  interviews: z.array(interviewRow),
  ...paged,
})
