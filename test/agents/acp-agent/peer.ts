/** JSON-RPC by lines over stdin and stdout, written by hand so that every rule of it can be broken. */
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

export type RpcAnswer = { readonly result: unknown } | { readonly error: RpcError }

export interface Incoming {
  /** Null for a notification. */
  readonly id: string | number | null
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

interface PeerOptions {
  /** All that comes in is appended to it, a line each. */
  readonly log: string | null
  /** How often each message is sent. */
  readonly copies: () => number
}

export class Peer {
  readonly #options: PeerOptions
  readonly #asked = new Map<string, (answer: RpcAnswer) => void>()
  #ids = 0

  constructor(options: PeerOptions) {
    this.#options = options
  }

  /** Calls back for each request and notification until stdin ends. */
  async listen(receive: (incoming: Incoming) => void): Promise<void> {
    for await (const line of createInterface({ input: process.stdin })) {
      if (line.trim() === '') continue
      const message = JSON.parse(line) as Partial<Incoming> & Record<string, unknown>
      this.note({ in: message })
      if (message.method === undefined) this.#settle(message)
      else receive({ id: message.id ?? null, method: message.method, params: message.params ?? {} })
    }
    this.note({ in: 'end of stdin' })
  }

  #settle(message: Readonly<Record<string, unknown>>): void {
    const id = String(message['id'])
    this.#asked.get(id)?.(message as unknown as RpcAnswer)
    this.#asked.delete(id)
  }

  note(what: object): void {
    const { log } = this.#options
    if (log !== null) appendFileSync(log, `${JSON.stringify(what)}\n`)
  }

  request(method: string, params: object): Promise<RpcAnswer> {
    const id = `agent-${++this.#ids}`
    return new Promise((resolve) => {
      this.#asked.set(id, resolve)
      this.send({ id, method, params })
    })
  }

  notify(method: string, params: object): void {
    this.send({ method, params })
  }

  answer(id: Incoming['id'], answer: RpcAnswer): void {
    this.send({ id, ...answer })
  }

  send(message: object): void {
    const line = `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`
    for (let sent = 0; sent < this.#options.copies(); sent++) this.print(line)
  }

  /** As it is: what this prints need not be of the protocol. */
  print(text: string | Uint8Array): void {
    process.stdout.write(text)
  }
}
