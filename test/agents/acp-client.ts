/**
 * A client of the Agent Client Protocol for tests: it starts an agent, keeps all that comes, and believes none of it.
 * By hand and without the library that Bosun uses, so that a mistake in that is not repeated here.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'
import { createInterface } from 'node:readline'

export type Params = Readonly<Record<string, unknown>>

export interface AgentRequest {
  readonly method: string
  readonly params: Params
}

export interface Launch {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export class AcpError extends Error {
  override readonly name = 'AcpError'
  readonly code: number
  readonly data: unknown

  constructor({
    code,
    message,
    data,
  }: {
    readonly code: number
    readonly message: string
    readonly data?: unknown
  }) {
    super(message)
    this.code = code
    this.data = data
  }
}

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

const MAX_STDERR = 20_000

export class AcpClient {
  /** `session/update` in the order they came. */
  readonly updates: Params[] = []
  readonly requests: AgentRequest[] = []
  /** Notifications that are no update. */
  readonly notices: AgentRequest[] = []
  /** Lines on stdout that are no JSON. */
  readonly garbage: string[] = []
  readonly exited: Promise<number | NodeJS.Signals>
  stderr = ''
  readonly #child: ChildProcessWithoutNullStreams
  readonly #cwd: string
  readonly #waiting = new Map<number, Waiting>()
  #ids = 0

  constructor({ argv: [program = '', ...args], cwd, env }: Launch) {
    this.#cwd = cwd
    this.#child = spawn(program, args, { cwd, env, detached: true })
    this.#child.stderr.on('data', (chunk: Buffer) => {
      this.stderr = `${this.stderr}${chunk.toString()}`.slice(-MAX_STDERR)
    })
    // It may leave before it reads what it is sent; `exited` tells.
    this.#child.stdin.on('error', () => {})
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#receive(line))
    this.exited = new Promise((settle) => {
      this.#child.once('error', (error) => this.#end(error, () => settle(-1)))
      this.#child.once('close', (code, signal) =>
        this.#end(new Error(`the agent exited (${signal ?? code})\n${this.stderr}`), () =>
          settle(signal ?? code ?? -1),
        ),
      )
    })
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  request(method: string, params: object): Promise<Params> {
    const id = ++this.#ids
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: (result) => resolve(result as Params), reject })
      this.#send({ id, method, params })
    })
  }

  notify(method: string, params: object): void {
    this.#send({ method, params })
  }

  initialize(): Promise<Params> {
    return this.request('initialize', {
      protocolVersion: 1,
      clientCapabilities: {},
      clientInfo: { name: 'bosun-tests', title: 'Tests of Bosun', version: '1.0.0' },
    })
  }

  /** Of a new session in the folder of the agent. */
  async newSession(more: object = {}): Promise<string> {
    const { sessionId } = await this.request('session/new', { cwd: this.#cwd, mcpServers: [], ...more })
    return String(sessionId)
  }

  prompt(sessionId: string, text: string): Promise<Params> {
    return this.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] })
  }

  /** What the agent said, thoughts apart. */
  get text(): string {
    return this.updates
      .map((params) => params['update'] as Params | undefined)
      .filter((update) => update?.['sessionUpdate'] === 'agent_message_chunk')
      .map((update) => (update?.['content'] as { text?: string } | undefined)?.text ?? '')
      .join('')
  }

  /** End of stdin, then SIGTERM, then SIGKILL of its group; which of them it took. */
  async stop(graceMs = 3000): Promise<'stdin' | 'SIGTERM' | 'SIGKILL'> {
    this.#child.stdin.end()
    if (await this.#hasExited(graceMs)) return 'stdin'
    this.#child.kill('SIGTERM')
    if (await this.#hasExited(graceMs)) return 'SIGTERM'
    try {
      process.kill(-this.pid, 'SIGKILL')
    } catch {
      // It has ended since.
    }
    await this.exited
    return 'SIGKILL'
  }

  async #hasExited(withinMs: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => resolve(false), withinMs)
    void this.exited.then(() => resolve(true))
    const hasExited = await promise
    clearTimeout(timer)
    return hasExited
  }

  #end(error: Error, settle: () => void): void {
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
    settle()
  }

  #send(message: object): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  #receive(line: string): void {
    let message: unknown
    try {
      message = JSON.parse(line)
    } catch {
      this.garbage.push(line)
      return
    }
    if (typeof message !== 'object' || message === null) return
    const { id, method, params = {}, result, error } = message as Params & { readonly params?: Params }
    if (typeof method !== 'string') this.#settle(Number(id), result, error)
    else if (id === undefined) this.#notice({ method, params })
    else this.#answer(id, { method, params })
  }

  #settle(id: number, result: unknown, error: unknown): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error === undefined) waiting?.resolve(result ?? {})
    else waiting?.reject(new AcpError(error as AcpError))
  }

  #notice(notice: AgentRequest): void {
    if (notice.method === 'session/update') this.updates.push(notice.params)
    else this.notices.push(notice)
  }

  #answer(id: unknown, request: AgentRequest): void {
    this.requests.push(request)
    switch (request.method) {
      case 'session/request_permission':
        this.#send({ id, result: { outcome: allow(request.params) } })
        break
      case 'fs/write_text_file':
        this.#send({ id, ...this.#write(request.params) })
        break
      default:
        this.#send({ id, error: { code: -32601, message: `Method not found: ${request.method}` } })
    }
  }

  /** OpenCode calls it although it was not offered. */
  #write({ path, content }: Params): object {
    const whole = resolve(this.#cwd, String(path))
    if (!whole.startsWith(this.#cwd + sep)) return { error: { code: -32602, message: `${whole} is outside` } }
    mkdirSync(dirname(whole), { recursive: true })
    writeFileSync(whole, String(content))
    return { result: {} }
  }
}

function allow({ options }: Params): object {
  const offered = (Array.isArray(options) ? options : []) as readonly Params[]
  const chosen = offered.find(({ kind }) => kind === 'allow_once') ?? offered[0]
  return chosen === undefined
    ? { outcome: 'cancelled' }
    : { outcome: 'selected', optionId: chosen['optionId'] }
}
