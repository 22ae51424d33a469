/**
 * A session of the Agent Client Protocol: the brief is its first prompt, messages of Bosun are further ones. It is over
 * when a turn ends with nothing left to say, and what the turn came to is judged, not believed.
 */
import { setTimeout as pause } from 'node:timers/promises'
import * as acp from '@agentclientprotocol/sdk/unstable'
import { deliveryTime } from '../../../core/watch/message-delivery.ts'
import { turnOutcome, type TurnEnd, type TurnOutcome } from '../../../core/crew/turn-outcome.ts'
import { typedError, type TypedError } from '../../../core/crew/typed-errors.ts'
import { within } from '../../../lib/within.ts'
import type { SessionMessage, SessionUsage } from '../../../ports/agent.ts'
import type { AcpJob } from '../../worker-folder.ts'
import { readingAmounts } from '../../command/reported-amounts.ts'
import { withoutSecrets, withoutToken } from '../hide-secrets.ts'
import { OutputLog } from '../output-log.ts'
import type { AgentSession, SessionParts } from '../session.ts'
import type { Ending } from '../worker-end.ts'
import { answerInTime } from './answer-in-time.ts'
import { clientApp } from './client-app.ts'
import { OwnPrompts } from './own-prompts.ts'
import { IdleWatch } from './idle-watch.ts'
import { messageStream } from './message-stream.ts'
import { openSession } from './open-session.ts'
import { ping } from './ping.ts'
import { PermissionRequests } from './permission-requests.ts'
import { promptBlocks } from './prompt-blocks.ts'
import { errorEnd, errorType, metaOf } from './rpc-errors.ts'
import { SessionLog } from './session-log.ts'
import { SessionMessages } from './session-messages.ts'
import { ToolCalls } from './tool-calls.ts'
import { unreportedError } from './unreported-error.ts'
import { parseUpdate, promptResponseSchema, type PermissionParams, type SessionUpdate } from './updates.ts'
import { clock, unopened } from './unopened.ts'
import { UsageMeter } from './usage-meter.ts'

const MAX_TRANSCRIPT_BYTES = 5 * 1024 * 1024
const SETTLE_MS = 5000
const CLOSE_MS = 1000
const EXIT_MS = 1000
const MAX_REFUSED = 200

export function openAcpSession(parts: SessionParts): AgentSession {
  const { job } = parts
  if (job.acp === null || job.acp === undefined)
    throw new Error(`${job.worker} has no settings for its session`)
  return new AcpSession(parts, job.acp)
}

type Prompted =
  | { readonly kind: 'judged'; readonly outcome: TurnOutcome; readonly refused: string | null }
  | { readonly kind: 'broken'; readonly ending: Ending }

/** What one turn is remembered by. */
interface Turn {
  error: TypedError | null
  /** What it was not allowed to do, and did not go on after. */
  refused: string | null
  readonly idle: Promise<TurnEnd>
  readonly watch: IdleWatch
}

class AcpSession implements AgentSession {
  readonly over: Promise<Ending>
  readonly #parts: SessionParts
  readonly #job: AcpJob
  readonly #log: SessionLog
  readonly #tools: ToolCalls
  readonly #permissions: PermissionRequests
  readonly #usage: UsageMeter
  readonly #connection: acp.ClientConnection
  readonly #messages = new SessionMessages()
  readonly #prompts: OwnPrompts
  #session: string | null = null
  #canClose = false
  #takesImages = false
  /** While a session is loaded, its history comes again. */
  #isReplay = false
  #turn: Turn | null = null
  /** The prompt that is not answered yet, which may outlast its turn. */
  #pending: Promise<unknown> | null = null
  #wasInterrupted = false
  #isLeaving = false
  #refused = 0

  constructor(parts: SessionParts, job: AcpJob) {
    const { child } = parts.started
    this.#parts = parts
    this.#job = job
    const transcript = new OutputLog(parts.folder.transcript, MAX_TRANSCRIPT_BYTES)
    this.#log = new SessionLog({
      note: parts.note,
      transcribe: (line) => transcript.add(Buffer.from(`${withoutToken(line, parts.job.env)}\n`)),
      now: Date.now,
    })
    this.#prompts = new OwnPrompts(parts, job)
    this.#tools = new ToolCalls(this.#log)
    this.#permissions = new PermissionRequests(job.permissions, this.#log)
    const onNews = (usage: SessionUsage): void => this.#log.note({ kind: 'usage', ...usage })
    this.#usage = new UsageMeter(job, onNews, parts.onUsed)
    child.stderr?.on('data', (chunk: Buffer) => parts.output.add(chunk))
    if (child.stdin === null || child.stdout === null) throw new Error('the agent has no pipes')
    const stream = messageStream(
      { stdin: child.stdin, stdout: child.stdout },
      {
        onNotification: (method, params) => this.#reading(() => this.#onNotification(method, params)),
        onRefused: (what) => this.#onRefused(what),
      },
    )
    const { workspace } = parts.job
    const onPermission = this.#onPermission.bind(this)
    this.#connection = clientApp({ roots: job.permissions.roots, workspace, onPermission }).connect(stream)
    this.over = this.#untilOver()
  }

  receive(message: SessionMessage): void {
    if (message.kind === 'withdrawn') return this.#messages.withdraw(message.message)
    if (message.kind === 'permission') {
      this.#permissions.answer(message.id, message.decision)
      return this.#log.fact({ kind: 'delivered', message: message.message })
    }
    const standing = this.#messages.add(message.message)
    if (standing === 'delivered') return this.#log.fact({ kind: 'delivered', message: message.message.id })
    if (standing === 'known' || deliveryTime(message.message) !== 'interrupts' || this.#turn === null) return
    this.#wasInterrupted = true
    this.#cancel()
  }

  async leave(): Promise<boolean> {
    this.#isLeaving = true
    const wasAtWork = this.#pending !== null
    if (this.#pending !== null) {
      this.#cancel()
      await within(SETTLE_MS, this.#pending)
    }
    if (this.#session !== null && this.#canClose && !this.#connection.signal.aborted)
      await within(CLOSE_MS, this.#ask('session/close', { sessionId: this.#session }))
    const { child, exited } = this.#parts.started
    child.stdin?.end()
    await within(EXIT_MS, exited)
    if (this.#turn !== null) this.#endTurn(this.#turn)
    this.#log.close()
    return wasAtWork
  }

  lastOutput(): string {
    return `${this.#parts.output.lastOutput()}\n${this.#log.messageEnd}`
  }

  lastWords(): string {
    return this.#log.messageEnd
  }

  usage(): SessionUsage | null {
    this.#usage.abandon()
    return this.#usage.isKnown ? this.#usage.all : null
  }

  async #onPermission(params: PermissionParams, signal: AbortSignal): Promise<acp.RequestPermissionResponse> {
    this.#turn?.watch.touch()
    const call = this.#tools.find(params.toolCall.toolCallId)
    // Some agents announce a tool call only when they ask for permission, and never mention a refused one again.
    if (call === null) this.#tools.take({ ...params.toolCall, status: 'pending' })
    const { outcome, refused } = await this.#permissions.ask(params, call, signal)
    if (refused !== null) this.#tools.take({ ...params.toolCall, status: 'failed' })
    if (this.#turn !== null) this.#turn.refused = refused
    return { outcome }
  }

  /** Never settles for what follows from the request to leave, unless the work was finished all the same. */
  async #untilOver(): Promise<Ending> {
    const ending = withoutSecrets(await this.#converse(), this.#parts.job.env)
    const isFinished = ending.kind === 'turn' && ending.outcome.kind === 'finished'
    return this.#isLeaving && !isFinished ? new Promise(() => undefined) : ending
  }

  async #converse(): Promise<Ending> {
    let text: string
    try {
      const first = this.#prompts.first(await this.#open())
      text = [first, ...(await this.#due())].join('\n\n')
    } catch (error) {
      const { hasCommand = false } = this.#job
      return unopened(error, { ending: await this.#broken(error), hasCommand, output: this.lastOutput() })
    }
    let images = this.#takesImages ? (this.#parts.job.images ?? []) : []
    for (;;) {
      const end = await this.#prompt(text, images)
      images = []
      if (end.kind === 'broken') return end.ending
      const next = this.#isLeaving ? null : await this.#next(end)
      if (next === null) return { kind: 'turn', outcome: end.outcome }
      text = next
    }
  }

  /** The next prompt; null where the work is over. */
  async #next({ outcome, refused }: Extract<Prompted, { kind: 'judged' }>): Promise<string | null> {
    const canGoOn = this.#wasInterrupted || outcome.kind === 'finished' || outcome.kind === 'nothing_done'
    // Some agents end their turn, or cancel it, where they are not allowed to do something.
    const isStuck = refused !== null && (canGoOn || outcome.kind === 'failed')
    this.#wasInterrupted = false
    if (!canGoOn && !isStuck) return null
    const reminder = isStuck ? this.#prompts.afterRefusal(refused) : []
    const texts = [...reminder, ...(await this.#due())]
    return texts.length === 0 ? this.#prompts.forVerdict() : texts.join('\n\n')
  }

  /** The messages for the next prompt. A pause is no prompt: the agent does nothing until the next instruction. */
  async #due(): Promise<readonly string[]> {
    for (;;) {
      const { pauses, prompts } = this.#messages.take()
      for (const { id } of [...pauses, ...prompts]) this.#log.fact({ kind: 'delivered', message: id })
      if (!this.#messages.isPaused || this.#isLeaving || this.#connection.signal.aborted)
        return prompts.map(({ text }) => text)
      await Promise.race([this.#messages.more(), this.#connection.closed])
    }
  }

  /** Whether it is the session of an earlier worker. */
  async #open(): Promise<boolean> {
    const opened = await openSession({
      job: this.#job,
      env: this.#parts.job.env,
      workspace: this.#parts.job.workspace,
      ask: (method, params) => this.#ask(method, params),
      onReplay: (session) => {
        this.#log.flush()
        this.#session = session
        this.#isReplay = session !== null
      },
      onLostSession: (id, why) => {
        if (this.#connection.signal.aborted) throw new Error(why)
        this.#log.fact({ kind: 'error', text: `cannot continue session ${id}: ${why}` })
      },
    })
    const { session, continues, isContinued, lost, note, canClose, takesImages } = opened
    this.#session = session
    this.#canClose = canClose
    this.#takesImages = takesImages
    if (opened.model !== null) this.#usage.model(opened.model)
    const { agent } = this.#parts.job
    this.#log.fact({ kind: 'session', agent, session, continues, isContinued, lost, note })
    return isContinued
  }

  /** One turn, and what it came to. */
  async #prompt(text: string, images: readonly string[]): Promise<Prompted> {
    this.#log.remark('prompt', { text })
    this.#log.forget()
    const turn = this.#beginTurn()
    this.#usage.begin(text.length)
    const prompt = promptBlocks(text, images)
    const asked = this.#connection.agent.request('session/prompt', { sessionId: this.#session ?? '', prompt })
    const settled = (): void => {
      this.#pending = null
    }
    this.#pending = asked.then(settled, settled)
    let tokens: number | null = null
    try {
      const end = await Promise.race([
        turn.idle,
        asked.then((answer): TurnEnd => {
          const response = this.#reading(() => promptResponseSchema.parse(answer))
          tokens = this.#usage.turn(response)
          turn.error = typedError(metaOf(answer)) ?? turn.error
          const message = unreportedError(this.#job.errorsIn, this.#session ?? '', this.#parts.job.env)
          if (message !== null) return { kind: 'error', code: null, message }
          return { kind: 'stopped', reason: response.stopReason }
        }),
      ])
      return { kind: 'judged', outcome: this.#judge(turn, end, tokens), refused: turn.refused }
    } catch (error) {
      if (this.#connection.signal.aborted) return { kind: 'broken', ending: await this.#broken(error) }
      const end = errorEnd(error)
      turn.error = errorType(error) ?? turn.error
      this.#log.fact({ kind: 'error', text: end.message })
      return { kind: 'judged', outcome: this.#judge(turn, end, tokens), refused: null }
    } finally {
      this.#endTurn(turn)
    }
  }

  #beginTurn(): Turn {
    const { promise: idle, resolve } = Promise.withResolvers<TurnEnd>()
    const watch = new IdleWatch({
      idleMs: this.#job.idleMs,
      isBusy: () => this.#tools.hasOpen || this.#permissions.isWaiting,
      probe: () => ping(this.#connection),
      onAnswer: () =>
        this.#parts.note({ kind: 'sign', of: ['session'], outputBytes: this.#parts.output.totalBytes }),
      onIdle: (forMs) => resolve({ kind: 'idle', forMs }),
    })
    const turn: Turn = { error: null, refused: null, idle, watch }
    this.#turn = turn
    return turn
  }

  #endTurn(turn: Turn): void {
    turn.watch.close()
    this.#turn = null
    this.#tools.endAll()
    this.#permissions.cancel()
  }

  #judge(turn: Turn, end: TurnEnd, tokens: number | null): TurnOutcome {
    const { hasDoneAnything } = this.#parts
    const reportsUsage = this.#usage.isReliable
    const text = this.#log.messageEnd
    const outcome = turnOutcome({
      end,
      tokens,
      reportsUsage,
      error: turn.error,
      text,
      hasDoneAnything,
      ...clock(),
    })
    this.#log.flush()
    this.#usage.abandon()
    if (this.#usage.isKnown) this.#log.fact({ kind: 'usage', ...this.#usage.total })
    const reason = end.kind === 'stopped' ? end.reason : end.kind
    this.#log.fact({ kind: 'turn_ended', reason }, { outcome })
    return outcome
  }

  /** It could not be opened, or the connection is lost: the exit tells why, if there is one. */
  async #broken(cause: unknown): Promise<Ending> {
    const isLost = this.#connection.signal.aborted
    const exit = isLost ? await Promise.race([this.#parts.started.exited, pause(EXIT_MS, null)]) : null
    if (exit !== null && !(exit.kind === 'exited' && exit.code === 0)) return exit
    const lost = exit === null ? 'it closed the connection' : 'it exited in the middle of its work'
    const end = errorEnd(isLost ? new Error(lost) : cause)
    this.#log.fact({ kind: 'error', text: end.message })
    const facts = { tokens: null, reportsUsage: false, error: errorType(cause), text: this.lastOutput() }
    return { kind: 'turn', outcome: turnOutcome({ end, ...facts, hasDoneAnything: () => false, ...clock() }) }
  }

  readonly #reading = <T>(read: () => T): T => readingAmounts(read, (what) => this.#onRefused(what))

  #onNotification(method: string, params: unknown): void {
    this.#turn?.watch.touch()
    if (method !== 'session/update') return
    const parsed = parseUpdate(params)
    if (parsed === null) return this.#onRefused(`${method} without a session`)
    if (this.#session !== null && parsed.session !== this.#session)
      return this.#onRefused(`an update of another session, ${parsed.session}`)
    this.#onUpdate(parsed)
  }

  #onUpdate({ update, raw }: SessionUpdate): void {
    // Beside a tool call stands what the tool answered, which may be an error of anything.
    const error = update?.kind === 'tool' ? null : typedError(raw['_meta'])
    if (error !== null && this.#turn !== null) this.#turn.error = error
    if (update === null) return
    // What it goes on with is behind it.
    if (error === null && this.#turn !== null && update.kind !== 'usage') this.#turn.error = null
    const read = update.kind === 'usage' || update.kind === 'user' ? [] : this.#messages.read()
    if (read.length > 0) this.#log.fact({ kind: 'read', messages: read })
    const isGoingOn = update.kind !== 'usage' && !(update.kind === 'tool' && update.call.status === 'failed')
    if (isGoingOn && this.#turn !== null) this.#turn.refused = null
    switch (update.kind) {
      case 'message':
      case 'thought':
        this.#usage.text(update.text, raw)
        return this.#log.text(this.#isReplay ? 'replay' : update.kind, update.text)
      case 'user':
        return this.#isReplay ? this.#log.text('replay', update.text) : undefined
      case 'tool':
        return this.#isReplay ? undefined : this.#usage.tool(this.#tools.take(update.call), raw)
      case 'usage':
        return this.#usage.reading(update)
      case 'plan':
        return this.#log.remark('plan', { entries: update.entries })
    }
  }

  /** Kept as output, so that a person can see it; only the first ones, since it may be anything. */
  #onRefused(what: string): void {
    if (++this.#refused > MAX_REFUSED) return
    this.#parts.output.add(Buffer.from(`${what.slice(0, 2000)}\n`))
  }

  #cancel(): void {
    this.#permissions.cancel()
    this.#connection.agent
      .notify('session/cancel', { sessionId: this.#session ?? '' })
      // A closed connection ends the turn as well.
      .catch(() => undefined)
  }

  /** Asks for something that has to be answered soon. */
  #ask<M extends acp.AgentRequestMethod>(
    method: M,
    params: acp.AgentRequestParamsByMethod[M],
  ): Promise<acp.AgentRequestResponsesByMethod[M]> {
    return answerInTime(method, this.#connection.agent.request(method, params))
  }
}
