import type { PlanEvent } from '../../src/core/events/plan-events.ts'
import type { EventLog } from '../../src/ports/event-log.ts'

/** The log with some of its methods in the hands of the test. */
export function logWith(
  log: EventLog<PlanEvent>,
  own: Partial<Pick<EventLog<PlanEvent>, 'append' | 'read'>>,
): EventLog<PlanEvent> {
  return {
    append: own.append ?? ((append) => log.append(append)),
    read: own.read ?? ((stream, afterVersion, limit) => log.read(stream, afterVersion, limit)),
    search: (stream, search) => log.search(stream, search),
    tail: (afterSeq, limit) => log.tail(afterSeq, limit),
    back: (beforeSeq, limit, prefixes) => log.back(beforeSeq, limit, prefixes),
    subscribe: (...asked) => log.subscribe(...asked),
    head: () => log.head(),
    streams: (filter) => log.streams(filter),
    closeStream: (stream) => log.closeStream(stream),
    saveSnapshot: (snapshot) => log.saveSnapshot(snapshot),
    loadSnapshot: (stream) => log.loadSnapshot(stream),
    close: () => log.close(),
  }
}
