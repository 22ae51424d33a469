/** A log to which no event takes the value of a secret that Bosun holds. */
import type { LogEvent } from '../../core/log/log-events.ts'
import type { Redactor } from '../../lib/text/redactor.ts'
import type { InterviewLog } from '../interview/interview-log.ts'

/** What the user wrote, kept word by word with its hash. */
const USERS_OWN: ReadonlySet<string> = new Set(['plan.registered', 'plan.documented', 'plan.edited'])

export function hidingSecrets(log: InterviewLog, hide: Redactor): InterviewLog {
  const clean = (event: LogEvent): LogEvent => (USERS_OWN.has(event.type) ? event : hide.inAll(event))
  return {
    append: (append) => log.append({ ...append, events: append.events.map(clean) }),
    read: (...asked) => log.read(...asked),
    streams: (filter) => log.streams(filter),
    closeStream: (stream) => log.closeStream(stream),
    loadSnapshot: (stream) => log.loadSnapshot(stream),
    saveSnapshot: (snapshot) => log.saveSnapshot(snapshot),
  }
}
