/**
 * A worker's session of the Agent Client Protocol: the brief is its first prompt, messages of Bosun are further ones. It is
 * over when a turn ends with nothing left to say.
 */
import { deliveryTime } from '../../../core/watch/message-delivery.ts'
import type { TurnEnd } from '../../../core/crew/turn-outcome.ts'
import { providerTrouble } from '../../../core/watch/providers/provider-limits.ts'
import { Redactor } from '../../../lib/text/redactor.ts'
import { within } from '../../../lib/serial-queue.ts'
import type { SessionMessage, SessionUsage } from '../../../ports/agent.ts'
import type { AcpJob } from '../../worker-folder.ts'
import { OutputLog } from '../journal.ts'
import type { AgentSession, SessionParts } from '../command-session.ts'
import { withoutSecrets, type Ending } from '../worker-end.ts'
import { AgentConnection, brokenOutcome, clock, type EndedTurn } from './agent-connection.ts'
import { IdleWatch } from './idle-watch.ts'
import { ChoiceRefused, messageOf } from './open-session.ts'
import { OwnPrompts, SessionMessages } from './prompts.ts'
import { SessionLog } from './session-log.ts'
import type { Update } from './updates.ts'

const MAX_TRANSCRIPT_BYTES = 5 * 1024 * 1024
const SETTLE_MS = 5000
const CLOSE_MS = 1000
const EXIT_MS = 1000
const MAX_REFUSED = 200

export function openAcpSession(parts: SessionParts): AgentSession {
  const { job } = parts
  if (job.acp === null) throw new Error(`${job.worker} has no settings for its session`)
  return new AcpSession(parts, job.acp)
}

class AcpSession implements AgentSession {
  readonly over: Promise<Ending>
  readonly #parts: SessionParts
  readonly #job: AcpJob
  readonly #log: SessionLog
  readonly #agent: AgentConnection
  readonly #messages = new SessionMessages()
  readonly #prompts: OwnPrompts
  /** The session to be closed at the end, where the agent can do that. */
  #closes: string | null = null
  #takesImages = false
  /** Of the turn that runs. */
  #idle: IdleWatch | null = null
  #wasInterrupted = false
  #isLeaving = false
  #refused = 0

  constructor(parts: SessionParts, job: AcpJob) {
    const { env, workspace } = parts.job
    this.#parts = parts
    this.#job = job
    const { hide } = parts
    const transcript = new OutputLog(parts.folder.transcript, MAX_TRANSCRIPT_BYTES, new Redactor())
    this.#log = new SessionLog({
      note: parts.note,
      transcribe: (line) => transcript.add(Buffer.from(`${line}\n`)),
      now: Date.now,
      hide,
    })
    this.#prompts = new OwnPrompts(parts, job)
    parts.started.child.stderr?.on('data', (chunk: Buffer) => parts.output.add(chunk, 'stderr'))
    this.#agent = new AgentConnection({
      started: parts.started,
      session: job,
      env,
      workspace,
      policy: job.permissions,
      log: this.#log,
      onSign: () => this.#idle?.touch(),
      onUpdate: (update) => this.#onUpdate(update),
      onRefused: (what) => this.#onRefused(what),
      onNews: (usage) => this.#log.note({ kind: 'usage', ...usage }),
      onUsed: parts.onUsed,
    })
    this.over = this.#untilOver()
  }

  receive(message: SessionMessage): void {
    if (message.kind === 'withdrawn') return this.#messages.withdraw(message.message)
    if (message.kind === 'permission') {
      this.#agent.permissions.answer(message.id, message.decision)
      return this.#log.fact({ kind: 'delivered', message: message.message })
    }
    const standing = this.#messages.add(message.message)
    if (standing === 'delivered') return this.#log.fact({ kind: 'delivered', message: message.message.id })
    if (standing === 'known' || deliveryTime(message.message) !== 'interrupts' || this.#idle === null) return
    this.#wasInterrupted = true
    void this.#agent.cancel()
  }

  async leave(): Promise<boolean> {
    this.#isLeaving = true
    const { pending } = this.#agent
    if (pending !== null) {
      void this.#agent.cancel()
      await within(SETTLE_MS, pending)
    }
    if (this.#closes !== null && this.#agent.isOpen)
      await within(CLOSE_MS, this.#agent.ask('session/close', { sessionId: this.#closes }))
    const { child, exited } = this.#parts.started
    child.stdin?.end()
    await within(EXIT_MS, exited)
    this.#endTurn()
    this.#log.close()
    return pending !== null
  }

  lastOutput(): string {
    return `${this.#parts.output.lastOutput()}\n${this.#log.messageEnd}`
  }

  lastWords(): string {
    return this.#log.messageEnd
  }

  usage(): SessionUsage | null {
    const { usage } = this.#agent
    usage.abandon()
    return usage.isKnown ? usage.all : null
  }

  /** Never settles for what follows from the request to leave, unless the work was finished all the same. */
  async #untilOver(): Promise<Ending> {
    const ending = withoutSecrets(await this.#converse(), this.#parts.hide)
    const isFinished = ending.kind === 'turn' && ending.outcome.kind === 'finished'
    return this.#isLeaving && !isFinished ? new Promise(() => undefined) : ending
  }

  async #converse(): Promise<Ending> {
    let text: string
    try {
      const first = this.#prompts.first(await this.#open())
      text = [first, ...(await this.#due())].join('\n\n')
    } catch (error) {
      return this.#unopened(error)
    }
    let images = this.#takesImages ? this.#parts.job.images : []
    for (;;) {
      let turn: EndedTurn
      try {
        turn = await this.#prompt(text, images)
      } catch (error) {
        return this.#broken(error)
      }
      images = []
      const next = this.#isLeaving ? null : await this.#next(turn)
      if (next === null) return { kind: 'turn', outcome: turn.outcome }
      text = next
    }
  }

  /** The next prompt; null where the work is over. */
  async #next({ outcome, refused }: EndedTurn): Promise<string | null> {
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
      if (!this.#messages.isPaused || this.#isLeaving || !this.#agent.isOpen)
        return prompts.map(({ text }) => text)
      await Promise.race([this.#messages.more(), this.#agent.closed])
    }
  }

  /** Whether it is the session of an earlier worker. */
  async #open(): Promise<boolean> {
    const opened = await this.#agent.open((id, why) => {
      if (!this.#agent.isOpen) throw new Error(why)
      this.#log.error(`cannot continue session ${id}: ${why}`)
    })
    const { session, continues, isContinued, lost, note, canClose, takesImages } = opened
    this.#closes = canClose ? session : null
    this.#takesImages = takesImages
    const { agent } = this.#parts.job
    const details = [
      ...(lost ? [`cannot continue ${lost.session}: ${lost.why}`] : []),
      ...(note ? [note] : []),
    ]
    this.#log.fact(
      { kind: 'session', agent, session, continues, isContinued, lost, note },
      {
        text: session,
        outcome: isContinued ? 'continued' : 'opened',
        detail: details.length === 0 ? null : details.join('; '),
      },
    )
    return isContinued
  }

  /** One turn. Rejects where the connection is lost. */
  async #prompt(text: string, images: readonly string[]): Promise<EndedTurn> {
    this.#log.remark('prompt', { text })
    this.#log.forget()
    const { promise: until, resolve } = Promise.withResolvers<TurnEnd>()
    const { note, hasDoneAnything } = this.#parts
    this.#idle = new IdleWatch({
      idleMs: this.#job.idleMs,
      isBusy: () => this.#agent.tools.hasOpen || this.#agent.permissions.isWaiting,
      probe: () => this.#agent.ping(),
      onAnswer: () => note({ kind: 'sign', of: ['session'] }),
      onIdle: (forMs) => resolve({ kind: 'idle', forMs }),
    })
    try {
      const work = { text: () => this.#log.messageEnd, hasDoneAnything, until }
      const turn = await this.#agent.prompt(text, images, work)
      const { end, outcome } = turn
      if (end.kind === 'error') this.#log.error(end.message)
      this.#log.flush()
      this.#logUsage()
      const reason = end.kind === 'stopped' ? end.reason : end.kind
      this.#log.fact(
        { kind: 'turn_ended', reason },
        { text: reason, outcome: outcome.kind, detail: 'why' in outcome ? outcome.why : null },
      )
      return turn
    } finally {
      this.#endTurn()
    }
  }

  #logUsage(): void {
    const { isKnown, total } = this.#agent.usage
    if (!isKnown) return
    const cost = total.usd === null ? '' : `, ${total.usd} USD`
    const text = `${(total.tokensIn ?? 0) + (total.tokensOut ?? 0)} tokens${cost}`
    this.#log.fact({ kind: 'usage', ...total }, { text })
  }

  #endTurn(): void {
    if (this.#idle === null) return
    this.#idle.close()
    this.#idle = null
    this.#agent.tools.endAll()
    this.#agent.permissions.cancel()
  }

  /** Where neither its provider nor the settings are the reason, running it as a command may work. */
  async #unopened(cause: unknown): Promise<Ending> {
    const ending = await this.#broken(cause)
    if (!this.#job.hasCommand || cause instanceof ChoiceRefused) return ending
    const isTurnedAway =
      ending.kind === 'turn'
        ? ending.outcome.kind !== 'failed'
        : providerTrouble(this.lastOutput(), clock()) !== null
    return isTurnedAway ? ending : { kind: 'not_opened', why: messageOf(cause) }
  }

  /** It could not be opened, or the connection is lost: the exit tells why, if there is one. */
  async #broken(cause: unknown): Promise<Ending> {
    const isLost = !this.#agent.isOpen
    const exit = isLost ? await this.#agent.exit() : null
    if (exit !== null && !(exit.kind === 'exited' && exit.code === 0)) return exit
    const lost = exit === null ? 'it closed the connection' : 'it exited in the middle of its work'
    const error = isLost ? new Error(lost) : cause
    this.#log.error(messageOf(error))
    return { kind: 'turn', outcome: brokenOutcome(error, cause, this.lastOutput()) }
  }

  #onUpdate(update: Update): void {
    const read = update.kind === 'usage' || update.kind === 'user' ? [] : this.#messages.read()
    if (read.length > 0) this.#log.fact({ kind: 'read', messages: read })
  }

  /** Kept as output, so that a person can see it; only the first ones, since it may be anything. */
  #onRefused(what: string): void {
    if (++this.#refused > MAX_REFUSED) return
    this.#parts.output.add(Buffer.from(`${what.slice(0, 2000)}\n`))
  }
}
