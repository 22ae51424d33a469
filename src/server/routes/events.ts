/**
 * Server-sent events of everything that happens. Each message carries its place in the log, so that a client can resume
 * without a gap.
 */
import { followEvents, type Followed } from '../../app/activity/follow-events.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { EventMessage } from '../../protocol/answers.ts'
import { eventsQuery } from '../../protocol/requests.ts'
import type { Door, Routes } from '../app.ts'
import { readQuery } from '../read-request.ts'

/** Plenty for people, and few enough to be cheap. */
const MOST_STREAMS = 100
const HEARTBEAT_MS = 15_000

export function eventRoutes(routes: Routes, { host, ending, onError }: Door): void {
  let streams = 0
  routes.get('/events', async (c) => {
    const { repo, plan, after } = readQuery(c, eventsQuery)
    const repository = await host.repositoryAt(repo)
    const from = lastEventId(c.req.header('last-event-id')) ?? after ?? (await host.parts.log.head())
    if (streams >= MOST_STREAMS) {
      throw new Refusal({
        code: 'conflict',
        message: 'too many event streams are open',
        remedy: 'Close some of them.',
      })
    }
    streams++
    const gone = new AbortController()
    const until = AbortSignal.any([gone.signal, ending])
    const asked = { after: from, repository, plan, until, idleMs: HEARTBEAT_MS }
    const blocks = blocksOf(followEvents(host, asked), () => {
      streams--
    })
    return c.body(streamOf(blocks, { onGone: () => gone.abort(), onError }), 200, HEADERS)
  })
}

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache',
  'Transfer-Encoding': 'chunked',
  Connection: 'keep-alive',
}

/** The text of the stream, one block per event. */
async function* blocksOf(all: AsyncIterable<Followed>, ended: () => void): AsyncGenerator<string> {
  try {
    yield 'retry: 1000\n\n'
    for await (const followed of all)
      yield followed === 'nothing' ? ': here\n\n' : followed.map(blockOf).join('')
  } finally {
    ended()
  }
}

function blockOf(message: EventMessage): string {
  const id = message.seq === null ? '' : `id: ${message.seq}\n`
  return `event: happened\ndata: ${JSON.stringify(message)}\n${id}\n`
}

interface StreamEnds {
  readonly onGone: () => void
  readonly onError: Door['onError']
}

/** Builds the next block only when the previous one was consumed. */
function streamOf(blocks: AsyncGenerator<string>, { onGone, onError }: StreamEnds): ReadableStream {
  const encoder = new TextEncoder()
  let isGone = false
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await blocks.next()
        if (isGone) return
        if (done === true) controller.close()
        else controller.enqueue(encoder.encode(value))
      } catch (error) {
        // The client resumes from its last event.
        onError('the event stream', error)
        if (!isGone) controller.close()
      }
    },
    async cancel() {
      isGone = true
      onGone()
      await blocks.return(undefined)
    },
  })
}

function lastEventId(header: string | undefined): number | undefined {
  if (header === undefined || header === '') return undefined
  if (/^\d{1,15}$/.test(header)) return Number(header)
  throw new Refusal({
    code: 'usage',
    message: 'Last-Event-ID is not a sequence number',
    remedy: 'Send the id of the last message received.',
  })
}
