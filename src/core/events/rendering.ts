/** How an event is shown: in one sentence for people, and as data under the names that people and tools watch for. */
export interface Rendered {
  readonly worker: string | null
  readonly task: string | null
  /** On one line; null for an event that is of no interest to people. */
  readonly text: string | null
  /** Further lines. */
  readonly details?: readonly string[]
  /** The activity log has a line for each. */
  readonly facts: readonly Fact[]
}

type Data = Readonly<Record<string, unknown>>

export interface Fact {
  readonly event: string
  readonly data: Data
  /** Its own sentence, where the event's is about several. */
  readonly text?: string | undefined
  /** Whom it is about, where that is another than of the event. */
  readonly worker?: string | null
  readonly task?: string
}

export const fact = (event: string, data: Data, text?: string): Fact => ({ event, data, text })

export const aboutWorker = (
  { worker, task }: Pick<Rendered, 'worker' | 'task'>,
  text: Rendered['text'],
  ...facts: readonly Fact[]
): Rendered => ({ worker, task, text, facts })

export const aboutTask = (task: string | null, text: Rendered['text'], ...facts: readonly Fact[]): Rendered =>
  aboutWorker({ worker: null, task }, text, ...facts)

export const aboutPlan = (text: Rendered['text'], ...facts: readonly Fact[]): Rendered =>
  aboutTask(null, text, ...facts)

/** For events that nobody is shown. */
export const notShown = (): Rendered => aboutPlan(null)

/** A line of the activity log. */
export interface Activity {
  readonly event: string
  readonly worker: string | null
  readonly task: string | null
  readonly text: string
  readonly data: Data
}

export const activityOf = ({ worker, task, text, facts }: Rendered): readonly Activity[] =>
  facts.map((one) => ({
    event: one.event,
    worker: one.worker ?? worker,
    task: one.task ?? task,
    text: cut(one.text ?? text ?? one.event.replaceAll('_', ' ')),
    data: one.data,
  }))

const LONGEST_TEXT = 2000

export const cut = (text: string): string =>
  text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}…`
