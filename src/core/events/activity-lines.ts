/** The lines of the activity log. */
export interface Activity {
  readonly event: string
  readonly worker: string | null
  readonly task: string | null
  readonly data: Readonly<Record<string, unknown>>
}

type Data = Activity['data']

export function workerLine(
  { worker, task }: Pick<Activity, 'worker' | 'task'>,
  event: string,
  data: Data,
): Activity {
  return { event, worker, task, data }
}

export const taskLine = (task: string, event: string, data: Data): Activity =>
  workerLine({ worker: null, task }, event, data)

export const planLine = (event: string, data: Data): Activity =>
  workerLine({ worker: null, task: null }, event, data)

const LONGEST_TEXT = 2000

export const cut = (text: string): string =>
  text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}…`
