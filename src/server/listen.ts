/** The listening socket: loopback only, with limits. */
import type { AddressInfo, Socket } from 'node:net'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connectionsWithin, openFilesLimit } from '../lib/files/open-files.ts'
import { Refusal, usageRefusal } from '../lib/refusal.ts'

const ADDRESS = '127.0.0.1'
const MAX_HEADER_BYTES = 16 * 1024
const MAX_HEADERS = 100
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 60_000
const MAX_CONNECTIONS = 512
const LAST_WORDS_MS = 500

export type Respond = (incoming: IncomingMessage, outgoing: ServerResponse) => void

export interface Listening {
  readonly port: number
  readonly url: string
  /** Accepts no more connections; running responses get a moment to finish. */
  close(): Promise<void>
}

export interface ListenRequest {
  /** 0 for any free port. */
  readonly port: number
  readonly respond: Respond
  /** Whether the request has the token of the state root; its connections have priority. */
  readonly isOwner: (incoming: IncomingMessage) => boolean
}

/** Throws a `conflict` refusal if the port is taken. */
export async function listen({ port, respond, isOwner }: ListenRequest): Promise<Listening> {
  const room = new ConnectionRoom(connectionsWithin(openFilesLimit(), MAX_CONNECTIONS), isOwner)
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      requireHostHeader: false,
      insecureHTTPParser: false,
    },
    (incoming, outgoing) => {
      // Node's parser takes a request line without a version for HTTP/0.9.
      if (incoming.httpVersionMajor !== 1) {
        incoming.socket.destroy()
        return
      }
      const answering = room.answers(incoming)
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
  const why = cause.code === 'EACCES' ? 'needs privileges that this user lacks' : 'is already in use'
  const remedy = 'Choose another port, or leave --port out: bosun serve'
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

/** Bosun listens on loopback only; remote users connect through ssh. */
export function refuseWiderAddress(address: string, port: number): void {
  if (address === ADDRESS || address === 'localhost') return
  throw usageRefusal(
    `Bosun listens on ${ADDRESS} only, not on ${address}`,
    `From another machine run: ssh -L ${port}:${ADDRESS}:${port} USER@THIS-MACHINE (keep the port), then open the link that \`bosun open --print\` prints here.`,
  )
}

/** What a connection is used for, and since when, in the order in which uses began. */
interface Use {
  order: number
  /** The request that it answers; null if idle. */
  incoming: IncomingMessage | null
}

export class ConnectionRoom {
  readonly #most: number
  readonly #isOwner: (incoming: IncomingMessage) => boolean
  /**
   * Changed in place: a map that entries leave and enter with every request keeps the requests of before
   * alive through several collections, which takes more time than all the rest of a check-in.
   */
  readonly #uses = new Map<Socket, Use>()
  #order = 0

  /** Whose request it is costs too much to find out for each; `isOwner` is called only when there is no room. */
  constructor(most: number, isOwner: (incoming: IncomingMessage) => boolean) {
    this.#most = most
    this.#isOwner = isOwner
  }

  get size(): number {
    return this.#uses.size
  }

  add(socket: Socket): void {
    if (this.#uses.size >= this.#most && !this.#makeRoom()) {
      socket.destroy()
      return
    }
    this.#uses.set(socket, { order: this.#order++, incoming: null })
    socket.once('close', () => this.#uses.delete(socket))
  }

  /** A complete request is being answered until `done`. */
  answers(incoming: IncomingMessage): { done(): void } {
    const use = this.#uses.get(incoming.socket)
    this.#begin(use, incoming)
    return { done: () => this.#begin(use, null) }
  }

  #begin(use: Use | undefined, incoming: IncomingMessage | null): void {
    if (use === undefined) return
    use.order = this.#order++
    use.incoming = incoming
  }

  /** Closes an idle connection, or else one that answers a stranger: never the owner's for another. */
  #makeRoom(): boolean {
    const byAge = [...this.#uses].sort(([, one], [, other]) => one.order - other.order)
    const closed =
      byAge.find(([, { incoming }]) => incoming === null) ??
      byAge.find(([, { incoming }]) => incoming !== null && !this.#isOwner(incoming))
    if (closed === undefined) return false
    const [socket] = closed
    this.#uses.delete(socket)
    socket.destroy()
    return true
  }
}
