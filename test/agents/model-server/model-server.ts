/**
 * A model provider on 127.0.0.1 that does what a script says, for tests with real agents and with our own.
 * - It speaks Anthropic Messages, OpenAI Responses and Chat Completions, and Gemini, streaming and not.
 * - Every request is recorded, those it does not know too.
 * - A tool call the script wants and the agent offers no tool for is said as text, and recorded under `missing`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { chooseTool } from './choose-tool.ts'
import { readBody } from './read-body.ts'
import type { ModelRequest } from './request.ts'
import { laneOf, routeOf, type Route } from './routes.ts'
import { sendJson, sendStream, sendWhole } from './send-reply.ts'
import type { Intention, ReplyStep, Script, Step } from './script.ts'
import { anthropic } from './wires/anthropic.ts'
import { chat } from './wires/chat.ts'
import { gemini } from './wires/gemini.ts'
import { responses } from './wires/responses.ts'
import type { Reply, Wire } from './wires/wire.ts'

export interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly lane: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: unknown
  readonly kind: Route['kind'] | 'invalid'
  /** Null for what is no question to the model. */
  readonly request: ModelRequest | null
  readonly step: Step | null
  /** What the step wanted done and no offered tool can do. */
  readonly missing: readonly Intention[]
  readonly outcome: 'open' | 'complete' | 'cut' | 'client_gone'
}

type Recording = { -readonly [Key in keyof RecordedRequest]: RecordedRequest[Key] }

const WIRES: Readonly<Record<Wire['name'], Wire>> = { anthropic, responses, chat, gemini }

export interface ModelServer {
  /** Without a path; OpenAI's clients want `/v1` after it. */
  readonly url: string
  readonly requests: readonly RecordedRequest[]
  /** The questions to the model. */
  readonly asked: () => readonly (RecordedRequest & { readonly request: ModelRequest })[]
  /** Resolves with the first recorded request of which this holds, now or later. */
  readonly until: (holds: (request: RecordedRequest) => boolean) => Promise<RecordedRequest>
  /** The requests after this are answered by another script. */
  readonly play: (script: Script) => void
  /** The base address of a lane: requests to it have its name. */
  readonly lane: (name: string) => string
  readonly close: () => Promise<void>
}

export async function startModelServer(first: Script): Promise<ModelServer> {
  const requests: Recording[] = []
  const waiting = new Set<() => void>()
  const changed = () => {
    for (const look of waiting) look()
  }
  let script = first
  const server = createServer((incoming, outgoing) => {
    const recording = record(incoming)
    requests.push(recording)
    outgoing.once('close', () => {
      if (recording.outcome === 'open')
        recording.outcome = outgoing.writableFinished ? 'complete' : 'client_gone'
      changed()
    })
    answer({ incoming, outgoing, recording, script: (request) => script(request), changed }).catch(
      (error: unknown) => {
        if (!outgoing.headersSent) sendJson(outgoing, 500, { error: { message: String(error) } })
        else outgoing.destroy()
      },
    )
  })
  // An agent may be silent for minutes, and so may the script.
  server.requestTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    requests,
    asked: () => requests.flatMap((one) => (one.request === null ? [] : [{ ...one, request: one.request }])),
    until: (holds) =>
      new Promise((resolve) => {
        const look = () => {
          const found = requests.find(holds)
          if (found === undefined) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      }),
    play: (next) => {
      script = next
    },
    lane: (name) => `${url}/lane/${name}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)))
        server.closeAllConnections()
      }),
  }
}

function record(incoming: IncomingMessage): Recording {
  const path = incoming.url ?? '/'
  return {
    method: incoming.method ?? 'GET',
    path,
    lane: laneOf(path),
    headers: incoming.headers,
    body: null,
    kind: 'unknown',
    request: null,
    step: null,
    missing: [],
    outcome: 'open',
  }
}

interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly recording: Recording
  readonly script: Script
  readonly changed: () => void
}

async function answer(exchange: Exchange): Promise<void> {
  const { incoming, outgoing, recording, changed } = exchange
  const route = routeOf(recording.method, new URL(recording.path, 'http://127.0.0.1'))
  recording.kind = route.kind
  recording.body = await readBody(incoming)
  switch (route.kind) {
    case 'model':
      return answerModel(exchange, route)
    case 'count_tokens':
    case 'list_models':
      sendJson(outgoing, 200, route.answer)
      break
    case 'alive':
      sendJson(outgoing, 200, {})
      break
    case 'unknown':
      sendJson(outgoing, 404, { type: 'error', error: { type: 'not_found_error', message: 'Not found' } })
      break
  }
  changed()
}

async function answerModel(exchange: Exchange, route: Extract<Route, { kind: 'model' }>): Promise<void> {
  const { outgoing, recording, script, changed } = exchange
  const wire = WIRES[route.wire]
  let request: ModelRequest
  try {
    request = wire.parse(recording.body, route.address)
  } catch (error) {
    recording.kind = 'invalid'
    sendJson(outgoing, 400, {
      type: 'error',
      error: { type: 'invalid_request_error', message: String(error) },
    })
    return changed()
  }
  const step = script(request)
  Object.assign(recording, { request, step })
  changed()
  switch (step.kind) {
    case 'hang':
      return
    case 'fail': {
      const { status, headers, body } = wire.failure(step, Date.now())
      return sendJson(outgoing, status, body, headers)
    }
    case 'reply': {
      await untilFirstToken(step, outgoing)
      const { reply, missing } = replyTo(request, step)
      Object.assign(recording, { missing })
      // Set before the connection closes, which completes it otherwise.
      if (step.ending === 'cut') recording.outcome = 'cut'
      if (request.isStream) sendStream(outgoing, { wire, reply, ending: step.ending, framing: route.framing })
      else sendWhole(outgoing, wire.whole(reply), step.ending)
      return
    }
  }
}

async function untilFirstToken({ firstTokenMs, after }: ReplyStep, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  const left = new Promise<void>((resolve) => gone.signal.addEventListener('abort', () => resolve()))
  if (firstTokenMs > 0) await Promise.race([delay(firstTokenMs, undefined, { ref: false }), left])
  if (after !== null) await Promise.race([after, left])
}

let replies = 0

function replyTo(request: ModelRequest, step: ReplyStep): { reply: Reply; missing: readonly Intention[] } {
  const id = `scripted${++replies}`
  const chosen = step.does.map((intention) => ({ intention, call: chooseTool(intention, request) }))
  const missing = chosen.flatMap(({ intention, call }) => (call === null ? [intention] : []))
  const excuse = missing.map(
    (intention) =>
      `The script wants ${JSON.stringify(intention)}, which none of the offered tools can do: ` +
      `${request.tools.map(({ name }) => name).join(', ')}.`,
  )
  return {
    missing,
    reply: {
      id,
      model: request.model,
      thought: step.thought,
      text: [...(step.text === '' ? [] : [step.text]), ...excuse].join('\n'),
      calls: chosen.flatMap(({ call }, at) => (call === null ? [] : [{ ...call, id: `${id}x${at}` }])),
      usage: step.usage,
    },
  }
}
