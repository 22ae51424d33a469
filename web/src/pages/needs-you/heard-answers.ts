/** Who answered which item, as the events of the stream tell it. Pure. */
import type { EventMessage, InboxEntry } from '../../../../src/protocol/answers.ts'

export interface HeardAnswer {
  readonly plan: string | null
  /** Of its plan. */
  readonly id: string
  readonly answer: {
    readonly by: string
    readonly at: string
    readonly choice: string
    readonly feedback: string
  }
}

const ANSWERED = /^(escalation|approval|permission|question|release)_answered$/

export const heardAnswers = (events: readonly EventMessage[]): readonly HeardAnswer[] =>
  events.flatMap(({ plan, activity }) =>
    activity
      .filter(({ event }) => ANSWERED.test(event))
      .map(({ timestamp, data }) => {
        const by = textOf(data['by'])
        return {
          plan,
          id: textOf(data['id']),
          answer: {
            by: by === '' || by === 'user' ? 'Someone else' : by,
            at: timestamp,
            choice: textOf(data['choice']),
            feedback: textOf(data['feedback']),
          },
        }
      }),
  )

/** Where two plans have an item of the same id, the plan stands before it. */
export const isSameItem = (heard: HeardAnswer, item: Pick<InboxEntry, 'plan' | 'id'>): boolean =>
  heard.plan === item.plan && (item.id === heard.id || item.id === `${item.plan}:${heard.id}`)

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
