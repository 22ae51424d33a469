/**
 * Serves check-ins, most of the calls of a busy daemon, as directly as it can, also before the other routes are loaded. The
 * same guard applies; any other call goes to the other routes. bench/checkins needs it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { receiveCheckin } from '../app/checkins/receive-checkin.ts'
import type { KnownWorker } from '../app/workers/live-workers.ts'
import type { CheckinAnswer } from '../protocol/answers.ts'
import { answerThrown, SECURITY_HEADERS } from './answer-error.ts'
import type { Door } from './app.ts'
import { headersOf, refusal } from './guard.ts'
import { parsedJson } from './read-request.ts'

const ROUTE = /^\/api\/workers\/[a-z0-9-]{1,200}\/checkins$/

/** True if it takes the call and will answer it. */
export type Direct = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean

export function directCheckins(door: Door): Direct {
  const { host, token, facts } = door
  return (incoming, outgoing) => {
    const { method = '', url: target = '' } = incoming
    if (method !== 'POST' || !ROUTE.test(target)) return false
    let worker: KnownWorker | null = null
    const isWorker = (id: string | null, token: string): boolean => {
      worker = id === null ? null : host.workers.withToken(id, token)
      return worker !== null
    }
    const request = { method, target, headers: headersOf(incoming.rawHeaders) }
    if (refusal(request, { port: facts.port, token, isWorker }) !== null || worker === null) return false
    const known = worker
    collectBody(incoming, (body) => void answer(door, known, { body, target, outgoing }))
    return true
  }
}

interface Call {
  readonly body: string
  readonly target: string
  readonly outgoing: ServerResponse
}

/** Never rejects: errors become responses. */
async function answer(door: Door, worker: KnownWorker, { body, target, outgoing }: Call): Promise<void> {
  try {
    respondTo(outgoing, await receiveCheckin(door.host, worker, parsedJson(body)))
  } catch (error) {
    const thrown = answerThrown(error, `POST ${target}`, door.onError)
    respond(outgoing, thrown.status, thrown.body)
  }
}

/** Names and values in turn, the way that costs least. */
const headersFor = (body: string): string[] => [
  ...Object.entries({ ...SECURITY_HEADERS, 'Content-Type': 'application/json' }).flat(),
  'Content-Length',
  String(Buffer.byteLength(body)),
]

/** The usual response, built once. */
const USUAL = JSON.stringify({ accepted: true, instructions: [], notes: [] } satisfies CheckinAnswer)
const USUAL_HEADERS = headersFor(USUAL)
const isUsual = ({ accepted, instructions, notes }: CheckinAnswer): boolean =>
  accepted && instructions.length === 0 && notes.length === 0

function respondTo(outgoing: ServerResponse, answered: CheckinAnswer): void {
  if (isUsual(answered)) outgoing.writeHead(202, USUAL_HEADERS).end(USUAL)
  else respond(outgoing, 202, JSON.stringify(answered))
}

function respond(outgoing: ServerResponse, status: number, body: string): void {
  outgoing.writeHead(status, headersFor(body)).end(body)
}

/** The guard has checked the length. */
function collectBody(incoming: IncomingMessage, then: (body: string) => void): void {
  const chunks: Buffer[] = []
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
  incoming.on('end', () => then(Buffer.concat(chunks).toString('utf8')))
  // The caller hung up; there is no one to respond to.
  incoming.on('error', () => undefined)
}
