/** The socket: this machine's own address and no other, with limits on what may come through it. */
import type { AddressInfo } from 'node:net'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connectionsWithin, openFilesLimit } from '../lib/files/open-files.ts'
import { Refusal } from '../lib/refusal.ts'
import { ConnectionRoom } from './connection-room.ts'

const ADDRESS = '127.0.0.1'
const MAX_HEADER_BYTES = 16 * 1024
const MAX_HEADERS = 100
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 60_000
const MAX_CONNECTIONS = 512
const LAST_WORDS_MS = 500

/** Answers a call, sooner or later. */
export type Respond = (incoming: IncomingMessage, outgoing: ServerResponse) => void

export interface Listening {
  readonly port: number
  readonly url: string
  /** Takes no more; who is still being answered has a moment to read it. */
  close(): Promise<void>
}

export interface ListenRequest {
  /** Zero for any that is free. */
  readonly port: number
  readonly respond: Respond
  /** Whether this request has the token of the state root; the connections of its holder come before all others. */
  readonly isOwner: (incoming: IncomingMessage) => boolean
}

/** Refuses with `conflict` if somebody else has the port. */
export async function listen({ port, respond, isOwner }: ListenRequest): Promise<Listening> {
  const room = new ConnectionRoom(connectionsWithin(openFilesLimit(), MAX_CONNECTIONS))
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      requireHostHeader: false,
      insecureHTTPParser: false,
    },
    (incoming, outgoing) => {
      const use = isOwner(incoming) ? 'answering the owner' : 'answering'
      const answering = room.answers(incoming.socket, use)
      outgoing.once('close', () => answering.done())
      respond(incoming, outgoing)
    },
  )
  server.maxHeadersCount = MAX_HEADERS
  server.on('connection', (socket) => room.add(socket))
  await bound(server, port)
  const actual = (server.address() as AddressInfo).port
  return { port: actual, url: `http://${ADDRESS}:${actual}`, close: () => closed(server) }
}

function bound(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' || error.code === 'EACCES' ? portRefusal(port, error) : error)
    })
    server.listen({ host: ADDRESS, port, exclusive: true }, resolve)
  })
}

function portRefusal(port: number, cause: NodeJS.ErrnoException): Refusal {
  const why = cause.code === 'EACCES' ? 'may not be used by this user' : 'is taken by another program'
  const remedy = 'Choose another one, or leave --port out: bosun serve'
  return new Refusal({ code: 'conflict', message: `port ${port} ${why}`, remedy, cause })
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cutOff = setTimeout(() => server.closeAllConnections(), LAST_WORDS_MS)
    server.close(() => {
      clearTimeout(cutOff)
      resolve()
    })
    server.closeIdleConnections()
  })
}

/** Bosun listens to this machine only; who is elsewhere comes through ssh. */
export function refuseWiderAddress(address: string | undefined, port: number): void {
  if (address === undefined || address === ADDRESS || address === 'localhost') return
  const shown = port === 0 ? 'PORT' : String(port)
  throw new Refusal({
    code: 'usage',
    message: `Bosun listens on ${ADDRESS} only, not on ${address}`,
    remedy: `From another machine: ssh -L ${shown}:${ADDRESS}:${shown} USER@THIS-MACHINE, then open http://${ADDRESS}:${shown}`,
  })
}
