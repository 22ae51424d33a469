/** The lines of the activity log. */
export interface Activity {
  readonly event: string
  readonly worker: string | null
  readonly task: string | null
  readonly data: Readonly<Record<string, unknown>>
}

export const planLine = (event: string, data: Activity['data']): Activity => ({
  event,
  worker: null,
  task: null,
  data,
})

export const taskLine = (task: string, event: string, data: Activity['data']): Activity => ({
  event,
  worker: null,
  task,
  data,
})

export const workerLine = (
  { worker, task }: { readonly worker: string; readonly task: string },
  event: string,
  data: Activity['data'],
): Activity => ({ event, worker, task, data })

const LONGEST_TEXT = 2000

export const cut = (text: string): string =>
  text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}…`
