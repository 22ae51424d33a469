/**
 * Server-sent events of everything that happens. Each message carries its place in the log, so that a client can resume
 * without a gap.
 */
import { followEvents, type Followed } from '../../app/activity/follow-events.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { EventMessage } from '../../protocol/answers.ts'
import { eventsQuery } from '../../protocol/requests.ts'
import type { Door } from '../app.ts'
import { readQuery } from '../read-request.ts'
import type { Routes } from '../routing.ts'

/** Plenty for people, and few enough to be cheap. */
const MOST_STREAMS = 100
const HEARTBEAT_MS = 15_000

export function eventRoutes(routes: Routes, { host, ending, onError }: Door): void {
  const streams = { open: 0 }
  routes.get('/events', async (c) => {
    const { repo, plan, after, notices } = readQuery(c, eventsQuery)
    const repository = await host.repositoryAt(repo)
    const from = lastEventId(c.header('last-event-id')) ?? after ?? (await host.parts.log.head())
    if (streams.open >= MOST_STREAMS) {
      throw new Refusal({
        code: 'conflict',
        message: 'too many event streams are open',
        remedy: 'Close some of them.',
      })
    }
    const until = AbortSignal.any([c.request.gone(), ending])
    const noticesFor = NOTICES_FOR[notices ?? 'false']
    const asked = { after: from, repository, plan, until, idleMs: HEARTBEAT_MS, noticesFor }
    return { status: 200, headers: HEADERS, body: blocksOf(followEvents(host, asked), streams, onError) }
  })
}

const NOTICES_FOR = { true: 'page', terminal: 'terminal', false: undefined } as const

const HEADERS = { 'Content-Type': 'text/event-stream', Connection: 'keep-alive' }

/** The text of the stream, one block per event. */
async function* blocksOf(
  all: AsyncIterable<Followed>,
  streams: { open: number },
  onError: Door['onError'],
): AsyncGenerator<string> {
  streams.open++
  try {
    yield 'retry: 1000\n\n'
    for await (const followed of all)
      yield followed === 'nothing' ? ': here\n\n' : followed.map(blockOf).join('')
  } catch (error) {
    // The client resumes from its last event.
    onError('the event stream', error)
  } finally {
    streams.open--
  }
}

function blockOf(message: EventMessage): string {
  const id = message.seq === null ? '' : `id: ${message.seq}\n`
  return `event: happened\ndata: ${JSON.stringify(message)}\n${id}\n`
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
