import { expect, test } from 'vitest'
import { eventCodec } from '../../core/events/codec.ts'
import { fold } from '../../core/events/fold.ts'
import type { PlanEvent } from '../../core/events/plan-events.ts'
import { workerEnding } from '../../core/log/worker-end.ts'
import { workerMessages, type SentMessage } from '../../core/log/worker-messages.ts'
import type { PlanState } from '../../core/state/state.ts'
import type { Entry } from '../../ports/event-log.ts'
import { drawFaults } from '../../simulation/faults.ts'
import { Random } from '../../simulation/random.ts'
import { samplePlan } from '../../simulation/sample-plans.ts'
import { simulate } from '../../simulation/simulation.ts'
import { MemoryEventLog } from '../../store/memory-event-log.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import { workerEntries, workerIn } from './worker-entries.ts'

const SEEDS = Array.from({ length: 12 }, (_, nth) => nth + 1)

/** The same by the rules themselves: whatever waits for the worker after an event was sent to it. */
function messagesByFold(entries: readonly Entry<PlanEvent>[], worker: string): readonly SentMessage[] {
  const sent = new Map<number, SentMessage>()
  let state: PlanState | null = null
  for (const entry of entries) {
    const { at, event } = entry
    state = fold(state, entry)
    for (const { live } of state.active)
      for (const message of live?.worker === worker ? live.watch.waiting : [])
        if (!sent.has(message.id))
          sent.set(message.id, { message, sentAt: at, delivered: null, readAt: null })
    if (event.type !== 'worker.heard' && event.type !== 'message.read') continue
    for (const id of event.worker === worker ? event.messages : []) {
      const known = sent.get(id)
      if (known === undefined) throw new Error(`message ${id} was never sent`)
      const via = event.type === 'worker.heard' ? event.via : null
      const to =
        via === null ? { readAt: at } : { delivered: { at, via }, readAt: via === 'session' ? null : at }
      sent.set(id, { ...known, ...to })
    }
  }
  return [...sent.values()]
}

test('what is found about a worker tells the same of its messages and its end as the whole log', async () => {
  const kinds = new Set<string>()
  for (const seed of SEEDS) {
    const log = new MemoryEventLog(eventCodec)
    const registered = samplePlan(new Random(seed, 'plan'), 6)
    const rates = drawFaults(new Random(seed, 'faults'))
    const { entries } = await simulate({ registered, seed, rates, log })
    const host = { parts: { log } } as unknown as HostToRead
    const workers = new Set(entries.flatMap(({ event }) => workerIn(event) ?? []))
    for (const worker of workers) {
      const found = await workerEntries(host, entries[0]?.stream ?? '', worker)
      const about = `seed ${seed}, ${worker}`
      expect(found?.entries.length, about).toBeLessThan(entries.length)
      const messages = workerMessages(found?.entries ?? [], worker)
      expect(messages, about).toEqual(messagesByFold(entries, worker))
      expect(workerEnding(found?.entries ?? [], worker), about).toEqual(workerEnding(entries, worker))
      for (const { message } of messages) kinds.add(message.kind)
    }
  }
  // Else the seeds would show nothing.
  expect([...kinds].toSorted()).toEqual(expect.arrayContaining(['answer', 'nudge', 'reminder', 'warning']))
})

test('a worker that the plan never had is not found', async () => {
  const log = new MemoryEventLog(eventCodec)
  const seed = 1
  const registered = samplePlan(new Random(seed, 'plan'), 2)
  const { entries } = await simulate({ registered, seed, rates: new Map(), log })
  const host = { parts: { log } } as unknown as HostToRead
  expect(await workerEntries(host, entries[0]?.stream ?? '', 'w-sample-9-1')).toBeNull()
})
