/** Twenty kinds of events of the size real ones have, for benches that must pay for schema checks. */
import { z } from 'zod'
import type { EventCodec } from '../../src/ports/event-log.ts'

const NOUNS = ['task', 'gate', 'worker', 'review', 'plan'] as const
const VERBS = ['started', 'passed', 'failed', 'ended'] as const

const kind = <T extends string>(type: T) =>
  z.strictObject({
    type: z.literal(type),
    v: z.literal(1),
    task: z.string().min(1).max(80),
    attempt: z.int().min(1),
    worker: z.string().min(1).max(120).optional(),
    reasons: z.array(z.string().max(500)).max(20),
    usage: z.strictObject({ tokens_in: z.int().min(0), tokens_out: z.int().min(0) }).optional(),
  })

const kinds = NOUNS.flatMap((noun) => VERBS.map((verb) => kind(`${noun}.${verb}`)))
const [first, ...others] = kinds
if (first === undefined) throw new Error('no kinds of events')
const schema = z.discriminatedUnion('type', [first, ...others])

export type BenchEvent = z.infer<typeof schema>
export const benchCodec: EventCodec<BenchEvent> = { check: (event) => schema.parse(event) }

export function benchEvent(index: number): BenchEvent {
  const noun = NOUNS[index % NOUNS.length] ?? 'task'
  const verb = VERBS[index % VERBS.length] ?? 'started'
  return {
    type: `${noun}.${verb}`,
    v: 1,
    task: `${(index % 40) + 1}`,
    attempt: (index % 3) + 1,
    worker: `w-shop-${(index % 40) + 1}-1`,
    reasons: ['unit: 2 of 14 tests failed', 'lint: no problems'],
    usage: { tokens_in: index * 7, tokens_out: index },
  }
}
