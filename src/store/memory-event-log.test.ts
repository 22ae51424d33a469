import { expect, test } from 'vitest'
import { describeEventLog } from '../../test/conformance/event-log.conformance.ts'
import { MemoryEventLog } from './memory-event-log.ts'
import { note, sampleCodec } from '../../test/helpers/store-events.ts'

describeEventLog('the log in memory', async () => {
  const log = new MemoryEventLog(sampleCodec)
  return { log, reopen: null, dispose: () => log.close() }
})

test('keeps the events it was given, without copying them', async () => {
  const event = note('a')
  const log = new MemoryEventLog({ check: () => event })
  await log.append({ stream: 'shop', expectedVersion: 0, at: 1, events: [event] })
  expect((await log.tail(0, 1))[0]?.event).toBe(event)
})
