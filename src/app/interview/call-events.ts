/** The events that a call comes to. */
import type { InterviewEvent, InterviewEventOf } from '../../core/interview/events/interview-events.ts'
import type { Recoverable } from '../../core/interview/machine.ts'
import { restoreEvents } from '../../core/interview/owed.ts'

/** The same key of another call is another key. */
export const keyOf = (call: string, key: string | undefined): string | undefined =>
  key === undefined ? undefined : `${call}:${key}`

const KEYED = ['interview.started', 'interview.spec_uploaded', 'interview.message_received'] as const
type KeyedEvent = InterviewEventOf<(typeof KEYED)[number]>
const isKeyed = (event: InterviewEvent): event is KeyedEvent => KEYED.some((type) => type === event.type)

/** The key of a call goes into its first event that has room for one. */
export function withKey(
  events: readonly InterviewEvent[],
  key: string | undefined,
): readonly InterviewEvent[] {
  const at = key === undefined ? -1 : events.findIndex(isKeyed)
  return events.map((event, index) =>
    index === at && key !== undefined && isKeyed(event) ? { ...event, callKey: key } : event,
  )
}

export const received = (
  by: string,
  text: string,
  answers: Readonly<Record<string, string>> = {},
): readonly InterviewEvent[] => [{ type: 'interview.message_received', v: 1, by, text, answers }]

/** A message is noticed at once where the interview waits for one; null where it is at work. */
export const noticed = (upTo: number | null): readonly InterviewEvent[] =>
  upTo === null ? [] : [{ type: 'interview.message_noticed', v: 1, upTo }]

/** Continues an interview; what the user adds goes into the conversation, also where a draft was in preview. */
export function restored(
  recoverable: Recoverable,
  by: string,
  text: string | undefined,
): readonly InterviewEvent[] {
  const events = restoreEvents(recoverable, by)
  if (text === undefined) return events
  const last = events.at(-1)
  if (last?.type !== 'interview.spec_uploaded') return [...events, ...received(by, text)]
  const { sha256 } = last.draft
  return [...events, { type: 'interview.continued', v: 1, by, sha256, post: null }, ...received(by, text)]
}
