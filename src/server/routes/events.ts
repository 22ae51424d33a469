/**
 * Everything that happens, as it happens. Each message carries its place in the log, so that whoever
 * was cut off reads on from there and misses nothing.
 */
import { Hono } from 'hono'
import { streamSSE, type SSEStreamingApi } from 'hono/streaming'
import { followEvents, type Followed } from '../../app/follow-events.ts'
import { Refusal } from '../../lib/refusal.ts'
import { eventsQuery } from '../../protocol/requests.ts'
import type { Door, DoorEnv } from '../app.ts'
import { readQuery } from '../read-request.ts'

/** More than anybody needs, and not so many that they cost. */
const MOST_STREAMS = 100
const HEARTBEAT_MS = 15_000

export function eventRoutes({ host, ending }: Door): Hono<DoorEnv> {
  const routes = new Hono<DoorEnv>()
  let streams = 0
  routes.get('/events', async (c) => {
    const { repo, plan, after } = readQuery(c, eventsQuery)
    const repository = await host.repositoryAt(repo)
    const from = lastEventId(c.req.header('last-event-id')) ?? after ?? (await host.parts.log.head())
    if (streams >= MOST_STREAMS) {
      throw new Refusal({ code: 'conflict', message: 'too many streams are open', remedy: 'Close some.' })
    }
    streams++
    return streamSSE(c, async (stream) => {
      const gone = new AbortController()
      stream.onAbort(() => gone.abort())
      const until = AbortSignal.any([gone.signal, ending])
      try {
        await stream.write('retry: 1000\n\n')
        for await (const message of followEvents(host, {
          after: from,
          repository,
          plan,
          until,
          idleMs: HEARTBEAT_MS,
        }))
          await send(stream, message)
      } finally {
        streams--
      }
    })
  })
  return routes
}

async function send(stream: SSEStreamingApi, message: Followed): Promise<void> {
  if (message === 'nothing') await stream.write(': here\n\n')
  else {
    const id = message.seq === null ? {} : { id: String(message.seq) }
    await stream.writeSSE({ ...id, event: 'happened', data: JSON.stringify(message) })
  }
}

function lastEventId(said: string | undefined): number | undefined {
  if (said === undefined || said === '') return undefined
  if (/^\d{1,15}$/.test(said)) return Number(said)
  throw new Refusal({
    code: 'usage',
    message: 'Last-Event-ID is not a sequence number',
    remedy: 'Send the id of the last message that was read.',
  })
}
