/** Check-ins over plain sockets, so that the caller costs as little as possible, at a pace. */
import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'

export interface Target {
  readonly port: number
  readonly tokenOf: (worker: string) => string
}

/** One connection, one request at a time. */
class Connection {
  readonly #socket: Socket
  readonly #port: number
  #received = ''
  #answered: ((status: number) => void) | null = null
  #failed: ((error: Error) => void) | null = null

  constructor(port: number) {
    this.#port = port
    this.#socket = connect(port, '127.0.0.1')
    this.#socket.setNoDelay(true)
    this.#socket.setEncoding('latin1').on('data', (text: string) => this.#hear(text))
    this.#socket.on('error', (error) => this.#failed?.(error))
    this.#socket.on('close', () => this.#failed?.(new Error('the connection was closed')))
  }

  ask(path: string, body: string, token: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#answered = resolve
      this.#failed = reject
      this.#socket.write(
        `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${this.#port}\r\nAuthorization: Bearer ${token}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      )
    })
  }

  close(): void {
    this.#failed = null
    this.#socket.destroy()
  }

  #hear(text: string): void {
    this.#received += text
    const head = this.#received.indexOf('\r\n\r\n')
    if (head === -1) return
    const length = /content-length: (\d+)/i.exec(this.#received.slice(0, head))?.[1]
    const isWhole =
      length === undefined
        ? this.#received.endsWith('0\r\n\r\n')
        : this.#received.length >= head + 4 + Number(length)
    if (!isWhole) return
    const status = Number(this.#received.slice(9, 12))
    this.#received = ''
    this.#answered?.(status)
  }
}

export interface Load {
  /** `/api/workers/<id>/checkins` of these, each in turn. */
  readonly workers: readonly string[]
  readonly count: number
  readonly connections: number
  readonly perSecond: number
}

export interface Loaded {
  readonly perSecond: number
  /** How long each took, sorted. */
  readonly latenciesMs: readonly number[]
}

/** Throws unless every one was acknowledged. */
export async function load(target: Target, asked: Load): Promise<Loaded> {
  const { workers, count, connections, perSecond } = asked
  const latenciesMs: number[] = []
  const idle = Array.from({ length: connections }, () => new Connection(target.port))
  const all = [...idle]
  const tokens = new Map(workers.map((worker) => [worker, target.tokenOf(worker)]))
  const speak = async (connection: Connection, index: number): Promise<void> => {
    const worker = workers[index % workers.length] ?? ''
    const body = JSON.stringify({
      worker_id: worker,
      status: 'in_progress',
      progress_pct: Math.floor((index * 100) / count),
      current_step: `step ${index} of the work`,
      next_step: 'writing the tests that are still missing',
      token_usage: 1200 + index,
      metrics: { files_modified: 3, tests_written: 4, tests_passing: 4 },
    })
    const began = performance.now()
    const status = await connection.ask(`/api/workers/${worker}/checkins`, body, tokens.get(worker) ?? '')
    latenciesMs.push(performance.now() - began)
    if (status !== 202) throw new Error(`a check-in was answered with ${status}`)
  }
  const began = performance.now()
  await paced({ idle, count, perSecond }, speak)
  const seconds = (performance.now() - began) / 1000
  for (const connection of all) connection.close()
  return { perSecond: count / seconds, latenciesMs: latenciesMs.sort((a, b) => a - b) }
}

async function paced(
  {
    idle,
    count,
    perSecond,
  }: { readonly idle: Connection[]; readonly count: number; readonly perSecond: number },
  speak: (connection: Connection, index: number) => Promise<void>,
): Promise<void> {
  const began = performance.now()
  const spoken: Promise<void>[] = []
  for (let index = 0; index < count; index++) {
    const due = began + (index * 1000) / perSecond
    const waitMs = due - performance.now()
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    const connection = idle.shift()
    if (connection === undefined) throw new Error('no free connection: check-ins are answered too slowly')
    spoken.push(speak(connection, index).then(() => void idle.push(connection)))
  }
  await Promise.all(spoken)
}

export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
