/** A worker that checks in over HTTP, with a connection that is kept. */
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { workerToken } from '../../src/app/workers/live-workers.ts'

export interface Answer {
  readonly status: number
  readonly body: string
}

export class CheckinClient {
  readonly #agent: Agent
  readonly #port: number
  readonly #secret: string
  readonly #stream: string
  readonly #tokens = new Map<string, string>()

  constructor(at: {
    readonly root: string
    readonly port: number
    readonly stream: string
    readonly sockets?: number
  }) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: at.sockets ?? 64 })
    this.#port = at.port
    this.#stream = at.stream
    this.#secret = readFileSync(join(at.root, 'token'), 'utf8').trim()
  }

  tokenOf(worker: string): string {
    const known = this.#tokens.get(worker) ?? workerToken(this.#secret, this.#stream, worker)
    this.#tokens.set(worker, known)
    return known
  }

  post(worker: string, body: string, token = this.tokenOf(worker)): Promise<Answer> {
    return this.#ask(`/api/workers/${worker}/checkins`, { method: 'POST', body, token })
  }

  instructions(worker: string): Promise<Answer> {
    return this.#ask(`/api/workers/${worker}/instructions`, {
      method: 'GET',
      body: null,
      token: this.tokenOf(worker),
    })
  }

  close(): void {
    this.#agent.destroy()
  }

  #ask(
    path: string,
    {
      method,
      body,
      token,
    }: { readonly method: string; readonly body: string | null; readonly token: string },
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers: Record<string, string> = { Authorization: `Bearer ${token}` }
      if (body !== null) {
        headers['Content-Type'] = 'application/json'
        headers['Content-Length'] = String(Buffer.byteLength(body))
      }
      const call = request(
        { host: '127.0.0.1', port: this.#port, path, method, headers, agent: this.#agent },
        (answer) => {
          let text = ''
          answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: text }))
          answer.on('error', reject)
        },
      )
      call.on('error', reject)
      call.end(body ?? undefined)
    })
  }
}
