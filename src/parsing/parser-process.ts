/** One parser process and the request it works on. */
import { spawn, type ChildProcess } from 'node:child_process'
import type { PackedTree } from '../core/languages/packed-tree.ts'
import type { Unread } from '../core/languages/syntax.ts'
import type { ParseAnswer, ParseRequest } from './parse-messages.ts'

export interface ParserCommand {
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Seconds of processor time; ends a hanging parser whose daemon has died. */
const CPU_LIMIT = 120
const LIMITED = `ulimit -t ${CPU_LIMIT}; exec "$@"`

export class ParserProcess {
  readonly #child: ChildProcess
  readonly #exited: Promise<void>
  #isUsable = true
  #settle: ((result: PackedTree | Unread) => void) | null = null

  constructor({ command, env }: ParserCommand) {
    this.#child = spawn('/bin/sh', ['-c', LIMITED, 'sh', ...command], {
      cwd: '/',
      env,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
    })
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#exited = promise
    this.#child.on('error', () => {
      this.#fail('unavailable')
      resolve()
    })
    this.#child.on('exit', () => {
      this.#fail('crashed')
      resolve()
    })
    this.#child.on('message', (answer) => this.#receive(answer as ParseAnswer))
    this.#keepNothingAlive()
  }

  /** Whether it accepts another request. */
  get isUsable(): boolean {
    return this.#isUsable
  }

  /** One request at a time; kills the process after `timeoutMs`. */
  async ask(request: ParseRequest, timeoutMs: number): Promise<PackedTree | Unread> {
    const { promise, resolve } = Promise.withResolvers<PackedTree | Unread>()
    this.#settle = resolve
    this.#child.ref()
    this.#child.channel?.ref()
    const timer = setTimeout(() => {
      this.#child.kill('SIGKILL')
      this.#fail('timed_out')
    }, timeoutMs)
    this.#child.send(request, (error) => {
      if (error !== null) this.#fail('crashed')
    })
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      this.#keepNothingAlive()
    }
  }

  /** Resolves when it has ended. It has nothing to finish, so it is killed. */
  async end(): Promise<void> {
    this.#fail('unavailable')
    this.#child.ref()
    this.#child.kill('SIGKILL')
    await this.#exited
  }

  #receive({ result, isWorn }: ParseAnswer): void {
    this.#settle?.(result)
    this.#settle = null
    if (isWorn) void this.end()
  }

  #fail(unread: Unread['unread']): void {
    this.#isUsable = false
    this.#settle?.({ unread })
    this.#settle = null
  }

  #keepNothingAlive(): void {
    this.#child.unref()
    this.#child.channel?.unref()
  }
}
