/** One turn of the misbehaving agent: what it can say and do, all of it by the protocol unless a behaviour breaks it. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Peer, RpcAnswer, RpcError } from './peer.ts'
import type { AgentScript } from './script.ts'

export interface StdioServer {
  readonly command: string
  readonly args: readonly string[]
  readonly env: readonly { readonly name: string; readonly value: string }[]
}

export interface Session {
  readonly id: string
  readonly cwd: string
  /** As the client handed them over. */
  readonly mcpServers: readonly StdioServer[]
  turns: number
}

export interface Ended {
  readonly stopReason: string
  readonly usage?: object | null
  readonly _meta?: object
}

export type TurnEnd =
  | Ended
  | { readonly error: RpcError }
  /** It is never answered. */
  | 'never'

export interface Asked {
  readonly kind: string
  readonly title: string
  readonly paths?: readonly string[]
  readonly rawInput?: object
}

/** How the name of that file goes on after the log's. */
export const LET_GO = '.go'

const OPTIONS = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'yes-always', name: 'Always allow', kind: 'allow_always' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
]

export class Turn {
  readonly peer: Peer
  readonly session: Session
  readonly script: AgentScript
  /** Resolves when the client cancels it. */
  readonly cancelled: Promise<void>
  #calls = 0

  constructor(options: {
    readonly peer: Peer
    readonly session: Session
    readonly script: AgentScript
    readonly cancelled: Promise<void>
  }) {
    this.peer = options.peer
    this.session = options.session
    this.script = options.script
    this.cancelled = options.cancelled
  }

  /** Resolves when the test puts the file beside the log. */
  async letGo(): Promise<void> {
    while (!existsSync(`${this.script.log}${LET_GO}`)) await delay(10)
  }

  update(update: object): void {
    this.peer.notify('session/update', { sessionId: this.session.id, update })
  }

  say(text: string): void {
    this.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
  }

  think(text: string): void {
    this.update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } })
  }

  nextCall(): string {
    return `call-${this.session.turns}-${++this.#calls}`
  }

  startTool(call: string, { kind, title, paths = [], rawInput = {} }: Asked): void {
    const locations = paths.map((path) => ({ path }))
    this.update({
      sessionUpdate: 'tool_call',
      toolCallId: call,
      title,
      kind,
      status: 'pending',
      locations,
      rawInput,
    })
  }

  endTool(call: string, status: 'completed' | 'failed' = 'completed', more: object = {}): void {
    this.update({ sessionUpdate: 'tool_call_update', toolCallId: call, status, ...more })
  }

  /** Writes the files of the script, each as a tool call of its own. */
  work(): void {
    for (const { path, text } of this.script.writes) {
      const whole = resolve(this.session.cwd, path)
      const call = this.nextCall()
      this.startTool(call, {
        kind: 'edit',
        title: `Write ${path}`,
        paths: [whole],
        rawInput: { path: whole, text },
      })
      mkdirSync(dirname(whole), { recursive: true })
      writeFileSync(whole, text)
      this.endTool(call, 'completed', {
        content: [{ type: 'diff', path: whole, oldText: null, newText: text }],
      })
    }
  }

  /** Whether the client allowed it. */
  async ask(asked: Asked, sessionId = this.session.id): Promise<boolean> {
    const call = this.nextCall()
    const { kind, title, paths = [], rawInput = {} } = asked
    const answer = await this.peer.request('session/request_permission', {
      sessionId,
      toolCall: {
        toolCallId: call,
        title,
        kind,
        status: 'pending',
        locations: paths.map((path) => ({ path })),
        rawInput,
      },
      options: OPTIONS,
    })
    this.peer.note({ permission: title, answer })
    return isAllowed(answer)
  }

  /** The cost of a session adds up over its turns. */
  usage(): object {
    this.update({
      sessionUpdate: 'usage_update',
      used: 190,
      size: 200_000,
      cost: { amount: 0.01 * this.session.turns, currency: 'USD' },
    })
    return { totalTokens: 190, inputTokens: 120, outputTokens: 30, cachedReadTokens: 40 }
  }

  done(): Ended {
    return { stopReason: 'end_turn', usage: this.usage() }
  }
}

function isAllowed(answer: RpcAnswer): boolean {
  if ('error' in answer) return false
  const outcome = (answer.result as { readonly outcome?: { readonly optionId?: string } }).outcome
  return outcome?.optionId?.startsWith('yes') === true
}
