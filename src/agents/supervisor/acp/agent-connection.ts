/**
 * A connection to an agent by the Agent Client Protocol: opens its session, runs its turns one after the other, and answers
 * what the agent asks. What a turn came to is judged, not believed.
 */
import { setTimeout as pause } from 'node:timers/promises'
import * as acp from '@agentclientprotocol/sdk/unstable'
import { z } from 'zod'
import type { PermissionPolicy } from '../../../core/crew/permission-policy.ts'
import {
  turnOutcome,
  typedError,
  type TurnEnd,
  type TurnOutcome,
  type TypedError,
} from '../../../core/crew/turn-outcome.ts'
import type { ProgramExit, Spawned } from '../../../lib/process/spawn-contained.ts'
import { zoneOffsetMs } from '../../../lib/system/local-time.ts'
import type { SessionUsage } from '../../../ports/agent.ts'
import { readingAmounts } from '../../command/reported-amounts.ts'
import type { AcpJob } from '../../worker-folder.ts'
import { FileRefused, writeFileSchema, writeTextFile } from './client-files.ts'
import { messageStream } from './message-stream.ts'
import { messageOf, openSession, type EnteredSession, type OpeningJob } from './open-session.ts'
import { PermissionRequests } from './permission-requests.ts'
import { promptBlocks } from './prompts.ts'
import { ToolCalls, type SessionLog } from './session-log.ts'
import { unreportedError } from './unreported-error.ts'
import {
  parseUpdate,
  permissionParamsSchema,
  promptResponseSchema,
  type PermissionParams,
  type SessionUpdate,
  type Update,
} from './updates.ts'
import { UsageMeter } from './usage-meter.ts'

export interface ConnectionParts {
  readonly started: Spawned
  readonly session: OpeningJob & Pick<AcpJob, 'usage' | 'usdBefore' | 'errorsIn'>
  /** Of the agent. */
  readonly env: Readonly<Record<string, string>>
  readonly workspace: string
  readonly policy: PermissionPolicy
  readonly log: SessionLog
  /** Something came from the agent. */
  readonly onSign?: () => void
  readonly onUpdate: (update: Update) => void
  /** The agent sent what makes no sense. */
  readonly onRefused?: (what: string) => void
  readonly onNews?: (usage: SessionUsage) => void
  readonly onUsed?: (usage: SessionUsage) => void
}

export interface EndedTurn {
  readonly end: TurnEnd
  readonly outcome: TurnOutcome
  /** What the agent was not allowed to do, and did not go on after. */
  readonly refused: string | null
}

/** What is known of a turn beside what the agent reports. */
export interface TurnWork {
  /** The end of its messages. */
  readonly text: () => string
  readonly hasDoneAnything: () => boolean
  /** Ends the turn without an answer of the agent. */
  readonly until: Promise<TurnEnd>
}

/** Slow agents take half a minute to begin on a busy machine. */
const ANSWER_MS = 120_000
const EXIT_MS = 1000

export class AgentConnection {
  readonly usage: UsageMeter
  readonly tools: ToolCalls
  readonly permissions: PermissionRequests
  readonly #parts: ConnectionParts
  readonly #connection: acp.ClientConnection
  #session: string | null = null
  /** While a session is loaded, its history comes again. */
  #isReplay = false
  #error: TypedError | null = null
  #refused: string | null = null
  #pending: Promise<unknown> | null = null

  constructor(parts: ConnectionParts) {
    const { started, session, policy, workspace, log } = parts
    const { stdin, stdout } = started.child
    if (stdin === null || stdout === null) throw new Error('the agent has no pipes')
    this.#parts = parts
    this.usage = new UsageMeter(session, parts.onNews, parts.onUsed)
    this.tools = new ToolCalls(log)
    this.permissions = new PermissionRequests(policy, log)
    const onNotification = (method: string, params: unknown): void =>
      this.#reading(() => this.#onNotification(method, params))
    const onRefused = (what: string): void => parts.onRefused?.(what)
    this.#connection = acp
      .client({ name: 'bosun' })
      .onRequest('session/request_permission', permissionParamsSchema, ({ params, signal }) =>
        this.#onPermission(params, signal),
      )
      // OpenCode does so, although it was told that its client writes no files.
      .onRequest('fs/write_text_file', writeFileSchema, async ({ params: { path, content } }) => {
        if (policy.isReadOnly === true) throw new FileRefused('nothing may be written here')
        await writeTextFile(policy.roots[0] ?? workspace, path, content)
        return {}
      })
      .connect(messageStream({ stdin, stdout }, { onNotification, onRefused }))
  }

  get isOpen(): boolean {
    return !this.#connection.signal.aborted
  }

  get closed(): Promise<unknown> {
    return this.#connection.closed
  }

  /** The prompt that is not answered yet, which may outlast its turn. */
  get pending(): Promise<unknown> | null {
    return this.#pending
  }

  async open(onLostSession: (id: string, why: string) => void): Promise<EnteredSession> {
    const { session, env, workspace, log } = this.#parts
    const opened = await openSession({
      job: session,
      env,
      workspace,
      ask: (method, params) => this.ask(method, params),
      onReplay: (replayed) => {
        log.flush()
        this.#session = replayed
        this.#isReplay = replayed !== null
      },
      onLostSession,
    })
    this.#session = opened.session
    if (opened.model !== null) this.usage.model(opened.model)
    return opened
  }

  /** One turn, and what it came to. Rejects where the connection is lost. */
  async prompt(text: string, images: readonly string[], work: TurnWork): Promise<EndedTurn> {
    this.#error = null
    this.#refused = null
    this.usage.begin(text.length)
    const prompt = promptBlocks(text, images)
    const asked = this.#connection.agent.request('session/prompt', { sessionId: this.#session ?? '', prompt })
    const settled = (): void => {
      this.#pending = null
    }
    this.#pending = asked.then(settled, settled)
    let tokens: number | null = null
    const answered = async (): Promise<TurnEnd> => {
      const answer = await asked
      const response = this.#reading(() => promptResponseSchema.parse(answer))
      tokens = this.usage.turn(response)
      this.#error = typedError(metaOf(answer)) ?? this.#error
      const { session, env } = this.#parts
      const message = unreportedError(session.errorsIn, this.#session ?? '', env)
      if (message !== null) return { kind: 'error', code: null, message }
      return { kind: 'stopped', reason: response.stopReason }
    }
    let end: TurnEnd
    try {
      end = await Promise.race([work.until, answered()])
    } catch (error) {
      if (!this.isOpen) {
        this.usage.abandon()
        throw error
      }
      end = errorEnd(error)
      this.#error = errorType(error) ?? this.#error
      this.#refused = null
    }
    const outcome = turnOutcome({
      end,
      tokens,
      reportsUsage: this.usage.isReliable,
      error: this.#error,
      text: work.text(),
      hasDoneAnything: work.hasDoneAnything,
      ...clock(),
    })
    this.usage.abandon()
    return { end, outcome, refused: this.#refused }
  }

  /** Cancels the turn that runs. Resolves once the agent was told. */
  async cancel(): Promise<void> {
    this.permissions.cancel()
    try {
      await this.#connection.agent.notify('session/cancel', { sessionId: this.#session ?? '' })
    } catch {
      // A closed connection ends the turn as well.
    }
  }

  /** A sign of life. Any answer will do: agents answer that they do not know the method. */
  async ping(): Promise<void> {
    try {
      await this.#connection.agent.request('_bosun/ping', {})
    } catch (error) {
      if (!(error instanceof acp.RequestError)) throw error
    }
  }

  /** Asks for something that has to be answered soon. */
  async ask<M extends acp.AgentRequestMethod>(
    method: M,
    params: acp.AgentRequestParamsByMethod[M],
  ): Promise<acp.AgentRequestResponsesByMethod[M]> {
    const { promise, reject } = Promise.withResolvers<never>()
    const late = new Error(`no answer to ${method} within ${ANSWER_MS / 1000} s`)
    const timer = setTimeout(reject, ANSWER_MS, late)
    try {
      return await Promise.race([this.#connection.agent.request(method, params), promise])
    } finally {
      clearTimeout(timer)
    }
  }

  /** How its program ended; null where it only closed the connection. */
  exit(): Promise<ProgramExit | null> {
    return Promise.race([this.#parts.started.exited, pause(EXIT_MS, null)])
  }

  readonly #reading = <T>(read: () => T): T => readingAmounts(read, (what) => this.#parts.onRefused?.(what))

  async #onPermission(params: PermissionParams, signal: AbortSignal): Promise<acp.RequestPermissionResponse> {
    this.#parts.onSign?.()
    const call = this.tools.find(params.toolCall.toolCallId)
    // Some agents announce a tool call only when they ask for permission, and never mention a refused one again.
    if (call === null) this.tools.take({ ...params.toolCall, status: 'pending' })
    const { outcome, refused } = await this.permissions.ask(params, call, signal)
    if (refused !== null) this.tools.take({ ...params.toolCall, status: 'failed' })
    this.#refused = refused
    return { outcome }
  }

  #onNotification(method: string, params: unknown): void {
    const { onSign, onRefused } = this.#parts
    onSign?.()
    if (method !== 'session/update') return
    const parsed = parseUpdate(params)
    if (parsed === null) return onRefused?.(`${method} without a session`)
    if (this.#session !== null && parsed.session !== this.#session)
      return onRefused?.(`an update of another session, ${parsed.session}`)
    this.#onUpdate(parsed)
  }

  #onUpdate({ update, raw }: SessionUpdate): void {
    // Beside a tool call stands what the tool answered, which may be an error of anything.
    const error = update?.kind === 'tool' ? null : typedError(raw['_meta'])
    if (error !== null) this.#error = error
    if (update === null) return
    // What it goes on with is behind it.
    if (error === null && update.kind !== 'usage') this.#error = null
    const isGoingOn = update.kind !== 'usage' && !(update.kind === 'tool' && update.call.status === 'failed')
    if (isGoingOn) this.#refused = null
    this.#parts.onUpdate(update)
    const { log } = this.#parts
    switch (update.kind) {
      case 'message':
      case 'thought':
        this.usage.text(update.text, raw)
        return log.text(this.#isReplay ? 'replay' : update.kind, update.text)
      case 'user':
        return this.#isReplay ? log.text('replay', update.text) : undefined
      case 'tool':
        return this.#isReplay ? undefined : this.usage.tool(this.tools.take(update.call), raw)
      case 'usage':
        return this.usage.reading(update)
      case 'plan':
        return log.remark('plan', { text: update.entries.map(({ content }) => content).join('\n') })
    }
  }
}

export const clock = () => ({ now: Date.now(), offsetMs: zoneOffsetMs })

/** What a session came to that could not be opened, or whose connection was lost; `cause` is where that showed. */
export const brokenOutcome = (error: unknown, cause: unknown, text: string): TurnOutcome =>
  turnOutcome({
    end: errorEnd(error),
    tokens: null,
    reportsUsage: false,
    error: errorType(cause),
    text,
    hasDoneAnything: () => false,
    ...clock(),
  })

const errorEnd = (error: unknown): TurnEnd => ({
  kind: 'error',
  code: error instanceof acp.RequestError ? error.code : null,
  message: messageOf(error),
})

const errorType = (error: unknown): TypedError | null =>
  error instanceof acp.RequestError ? typedError(error.data) : null

const metaSchema = z.object({ _meta: z.unknown() })

/** Beside an answer, agents put what the protocol has no field for. */
const metaOf = (answer: unknown): unknown => metaSchema.safeParse(answer).data?._meta
