/** A session in which an agent answers prompts: it may read in its folder and do nothing else. */
import { setTimeout as pause } from 'node:timers/promises'
import type * as acp from '@agentclientprotocol/sdk/unstable'
import { readingPolicy } from '../../core/crew/permission-policy.ts'
import { turnOutcome, type TurnEnd, type TurnOutcome } from '../../core/crew/turn-outcome.ts'
import { typedError, type TypedError } from '../../core/crew/typed-errors.ts'
import { detectContainment } from '../../lib/process/containment.ts'
import { endTree } from '../../lib/process/process-tree.ts'
import { spawnContained, type Spawned } from '../../lib/process/spawn-contained.ts'
import { within } from '../../lib/within.ts'
import type { TurnUsage } from '../../ports/agent.ts'
import { answerInTime } from '../supervisor/acp/answer-in-time.ts'
import { clientApp } from '../supervisor/acp/client-app.ts'
import { realPath } from '../supervisor/acp/client-files.ts'
import { messageStream } from '../supervisor/acp/message-stream.ts'
import { openSession } from '../supervisor/acp/open-session.ts'
import { PermissionRequests } from '../supervisor/acp/permission-requests.ts'
import { promptBlocks } from '../supervisor/acp/prompt-blocks.ts'
import { errorEnd, errorType, metaOf } from '../supervisor/acp/rpc-errors.ts'
import { SessionLog } from '../supervisor/acp/session-log.ts'
import { ToolCalls } from '../supervisor/acp/tool-calls.ts'
import { clock } from '../supervisor/acp/unopened.ts'
import { unreportedError } from '../supervisor/acp/unreported-error.ts'
import { parseUpdate, promptResponseSchema } from '../supervisor/acp/updates.ts'
import { UsageMeter } from '../supervisor/acp/usage-meter.ts'
import type { AgentCommand } from '../supervisor/with-agent.ts'
import type { AcpJob } from '../worker-folder.ts'

export interface AskedAgent extends AgentCommand {
  readonly session: Pick<
    AcpJob,
    'mode' | 'options' | 'authenticate' | 'mcpServers' | 'meta' | 'usage' | 'errorsIn' | 'choice'
  >
}

export interface AgentAnswer {
  readonly text: string
  readonly outcome: TurnOutcome
  /** Of this prompt alone; null where nothing is known. */
  readonly usage: TurnUsage | null
  readonly model: string | null
}

const MAX_TEXT = 400_000
const GRACE_MS = 2000
const CANCEL_MS = 2000
const EXIT_MS = 1000

/** It could not be opened. */
export class SessionNotOpened extends Error {
  override readonly name = 'SessionNotOpened'
  readonly outcome: TurnOutcome

  constructor(outcome: TurnOutcome) {
    super('why' in outcome ? outcome.why : 'the session could not be opened')
    this.outcome = outcome
  }
}

interface Turn {
  /** What it wrote, parted by its tool calls. */
  readonly pieces: string[]
  length: number
  error: TypedError | null
}

const newTurn = (): Turn => ({ pieces: [''], length: 0, error: null })

export class AskedSession {
  readonly #agent: AskedAgent
  readonly #started: Spawned
  readonly #connection: acp.ClientConnection
  readonly #usage: UsageMeter
  readonly #tools: ToolCalls
  #session = ''
  #model: string | null = null
  #turn = newTurn()
  /** What the agent answers to the newest prompt. */
  #answered: Promise<unknown> = Promise.resolve()
  #ended: Promise<unknown> | null = null

  private constructor(agent: AskedAgent, started: Spawned, folder: string) {
    const { stdin, stdout, stderr } = started.child
    if (stdin === null || stdout === null) throw new Error('the agent has no pipes')
    this.#agent = agent
    this.#started = started
    this.#usage = new UsageMeter(agent.session)
    // Nothing of it is kept: neither what it does nor what it is refused.
    const log = new SessionLog({ note: () => undefined, transcribe: () => undefined, now: Date.now })
    this.#tools = new ToolCalls(log)
    const permissions = new PermissionRequests(readingPolicy(folder), log)
    stderr?.resume()
    const onNotification = (method: string, params: unknown): void => this.#onNotification(method, params)
    const stream = messageStream({ stdin, stdout }, { onNotification, onRefused: () => undefined })
    this.#connection = clientApp({
      roots: [folder],
      workspace: folder,
      isReadOnly: true,
      onPermission: async (params, signal) => {
        const known = this.#tools.find(params.toolCall.toolCallId)
        return { outcome: (await permissions.ask(params, known, signal)).outcome }
      },
    }).connect(stream)
  }

  /** Rejects with `SessionNotOpened`, or with the reason of the signal. The agent has ended then. */
  static async open(agent: AskedAgent, path: string, signal: AbortSignal): Promise<AskedSession> {
    signal.throwIfAborted()
    const folder = await realPath(path)
    const { command, env } = agent
    const containment = await detectContainment()
    const started = await spawnContained({ command, cwd: folder, env, stdin: null, containment })
    if (!started.ok)
      throw new SessionNotOpened({ kind: 'failed', why: `it could not be started: ${started.why}` })
    const session = new AskedSession(agent, started, folder)
    try {
      await Promise.race([session.#open(folder), aborted(signal)])
      return session
    } catch (error) {
      const outcome = signal.aborted ? null : await session.#notOpened(error)
      await session.end()
      throw outcome === null ? (signal.reason as Error) : new SessionNotOpened(outcome)
    }
  }

  get isOpen(): boolean {
    return this.#ended === null && !this.#connection.signal.aborted
  }

  /** Rejects with the reason of the signal only: the turn was cancelled then, and the session must be ended. */
  async ask(prompt: string, signal: AbortSignal): Promise<AgentAnswer> {
    const turn = newTurn()
    this.#turn = turn
    this.#usage.begin(prompt.length)
    const asked = { sessionId: this.#session, prompt: promptBlocks(prompt, []) }
    const answered = this.#connection.agent.request('session/prompt', asked)
    this.#answered = answered
    let end: TurnEnd
    let tokens: number | null = null
    try {
      const answer = await Promise.race([answered, aborted(signal)])
      const response = promptResponseSchema.parse(answer)
      tokens = this.#usage.turn(response)
      turn.error = typedError(metaOf(answer)) ?? turn.error
      const message = unreportedError(this.#agent.session.errorsIn, this.#session, this.#agent.env)
      end =
        message === null
          ? { kind: 'stopped', reason: response.stopReason }
          : { kind: 'error', code: null, message }
    } catch (thrown) {
      if (signal.aborted) {
        await this.#cancel()
        throw signal.reason as Error
      }
      end = errorEnd(this.isOpen ? thrown : new Error(await this.#exitText()))
      turn.error = errorType(thrown) ?? turn.error
    }
    this.#usage.abandon()
    const text = answerIn(turn.pieces)
    const facts = { end, tokens, error: turn.error, text, reportsUsage: this.#usage.isReliable, ...clock() }
    const outcome = turnOutcome({ ...facts, hasDoneAnything: () => text.trim() !== '' })
    const { turns = [], model } = this.#usage.all
    return { text, outcome, usage: turns.at(-1) ?? null, model: model ?? this.#model }
  }

  /** Ends the turn that goes on; where the agent does not listen, the session too. */
  async endTurn(): Promise<void> {
    if (!(await this.#cancel())) await this.end()
  }

  /** Ends the agent with all it has started. Idempotent. */
  async end(): Promise<void> {
    this.#ended ??= endTree(this.#started.tree, GRACE_MS)
    await this.#ended
  }

  async #open(folder: string): Promise<void> {
    const opened = await openSession({
      job: { ...this.#agent.session, continues: null, additionalDirectories: [], session: null },
      env: {},
      workspace: folder,
      ask: (method, params) => answerInTime(method, this.#connection.agent.request(method, params)),
      onReplay: () => undefined,
      onLostSession: () => undefined,
    })
    this.#session = opened.session
    this.#model = opened.model
  }

  async #notOpened(thrown: unknown): Promise<TurnOutcome> {
    const end = errorEnd(this.isOpen ? thrown : new Error(await this.#exitText()))
    const facts = { tokens: null, error: errorType(thrown), text: '', reportsUsage: false, ...clock() }
    return turnOutcome({ end, ...facts, hasDoneAnything: () => false })
  }

  async #exitText(): Promise<string> {
    const exit = await Promise.race([this.#started.exited, pause(EXIT_MS, null)])
    if (exit === null) return 'it closed the connection'
    return exit.kind === 'exited' ? `it exited with ${exit.code}` : `it was ended by ${exit.signal}`
  }

  /** Whether the turn is over in time. */
  async #cancel(): Promise<boolean> {
    let isOver = false
    // A closed connection ends the turn as well.
    const over = this.#answered.catch(() => undefined).then(() => (isOver = true))
    const cancelled = this.#connection.agent.notify('session/cancel', { sessionId: this.#session })
    await within(CANCEL_MS, Promise.allSettled([cancelled, over]))
    return isOver
  }

  #onNotification(method: string, params: unknown): void {
    const parsed = method === 'session/update' ? parseUpdate(params) : null
    if (parsed === null) return
    const { update, raw } = parsed
    const turn = this.#turn
    turn.error = typedError(raw['_meta']) ?? (update === null || update.kind === 'usage' ? turn.error : null)
    if (update === null) return
    if (update.kind === 'usage') this.#usage.reading(update)
    if (update.kind === 'message' || update.kind === 'thought') this.#usage.text(update.text, raw)
    if (update.kind === 'message') write(turn, update.text)
    if (update.kind !== 'tool') return
    this.#usage.tool(this.#tools.take(update.call), raw)
    if (turn.pieces.at(-1) !== '') turn.pieces.push('')
  }
}

function write(turn: Turn, text: string): void {
  turn.length += text.length
  const last = turn.pieces.length - 1
  if (turn.length <= MAX_TEXT) turn.pieces[last] = `${turn.pieces[last] ?? ''}${text}`
}

/** Agents say what they are about to look at, and some say that they are done: the answer is the last piece with JSON. */
const answerIn = (pieces: readonly string[]): string =>
  pieces.findLast((piece) => /[{[]/.test(piece)) ?? pieces.join('')

function aborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(signal.reason as Error)
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  return promise
}
