/**
 * An installed coding agent as a model: people with a subscription have no key. It stands in a copy of the repository, in
 * which it may read, and its session is kept for further questions about the same subject.
 */
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { AnswerTools, ModelSize } from '../../core/thinking/question.ts'
import type { Environment } from '../../lib/process/built-environment.ts'
import {
  ModelError,
  type ServiceHealth,
  type Model,
  type ModelReply,
  type ModelRequest,
} from '../../ports/brain.ts'
import type { ChosenAgent } from '../agent-table.ts'
import { READING_ENV } from '../profiles/rows.ts'
import { hideSecrets } from '../supervisor/hide-secrets.ts'
import { takesInSession } from '../hand-mcp.ts'
import { sessionChoice, withChoice } from '../with-choice.ts'
import { AnswerFile } from './answer-file.ts'
import type { AgentSessions, KeptSession } from './agent-sessions.ts'
import { AskedSession, SessionNotOpened, type AgentAnswer, type AskedAgent } from './asked-session.ts'

/** A folder that holds a commit of the repository and leads nowhere else. */
export interface ReadingPlace {
  readonly path: string
  /** Whether it still is the newest commit. */
  isCurrent(): Promise<boolean>
  remove(): Promise<void>
}

export interface AgentModelOptions {
  readonly agent: ChosenAgent
  /** The whole environment of its process. */
  readonly env: Environment
  /** Null: the agent's own. */
  readonly models: Readonly<Record<ModelSize, string | null>>
  /** What it says about its cost is the price of another way to pay. */
  readonly hasSubscription: boolean
  readonly sessions: AgentSessions
  /** The work tree of the repository. */
  readonly repository: string
  readonly makePlace: () => Promise<ReadingPlace>
}

/** The sentence that agents get beside what a model by API gets. */
export const LOOK_AROUND =
  'You stand in a read-only copy of its repository: look at the files that you need before you answer, and change nothing.'

/** Where it cannot call them, its JSON counts. */
const ANSWER_BY_TOOL =
  'Answer by exactly one call of a tool of the MCP server `bosun`, instead of writing JSON. Write JSON only if you do not have these tools.'

/** For its closing words, and for what the turn has cost: a turn that is cancelled may not say it. */
const CLOSING_MS = 3000

/** A session that has read so much answers slowly, and forgets. */
const MOST_CHARACTERS = 400_000

export class AgentModel implements Model {
  readonly service: string
  readonly isRetried = false
  readonly usdOfFailure = null
  readonly #options: AgentModelOptions

  constructor(options: AgentModelOptions) {
    this.#options = options
    this.service = options.agent.name
  }

  nameOf(size: ModelSize): string {
    return this.#options.models[size] ?? this.service
  }

  async ask(request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    const { size, instructions, text } = request
    const tools = takesInSession(this.#options.agent) ? request.tools : null
    const how = tools === null ? '' : `\n${ANSWER_BY_TOOL}`
    const prompt = `${instructions}\n${LOOK_AROUND}${how}\n\n${text}`
    const asked = this.#asked(size)
    const { hasSubscription, sessions } = this.#options
    const {
      usage,
      text: written,
      model,
    } = await sessions.ask({
      key: request.subject === null ? null : this.#keyOf(asked, `${tools ?? ''} ${request.subject}`),
      open: (within) => this.#open(asked, within, tools),
      use: (session, within) => this.#answer(session, prompt, within),
      signal,
    })
    return {
      text: written,
      model: model ?? this.nameOf(size),
      tokensIn: usage?.tokensIn ?? 0,
      tokensOut: usage?.tokensOut ?? 0,
      tokensCached: usage?.tokensCached ?? 0,
      usd: hasSubscription ? null : (usage?.usd ?? null),
    }
  }

  /** Opens a session and closes it again, which asks no model. */
  async check(signal: AbortSignal): Promise<ServiceHealth> {
    const { service } = this
    const asked = this.#asked('small')
    const open = (within: AbortSignal) => this.#open(asked, within)
    try {
      await this.#options.sessions.ask({ key: null, open, use: async () => undefined, signal })
      return { service, ok: true, why: null }
    } catch (error) {
      const why = error instanceof ModelError ? error.message : `${service} did not answer in time`
      return { service, ok: false, why }
    }
  }

  async #open(
    asked: AskedAgent,
    signal: AbortSignal,
    tools: AnswerTools | null = null,
  ): Promise<PlacedSession> {
    const place = await this.#options.makePlace()
    const answer = tools === null ? null : await AnswerFile.make(tools)
    const session = { ...asked.session, mcpServers: answer === null ? [] : [answer.server] }
    try {
      const opened = await AskedSession.open({ ...asked, session }, place.path, signal)
      return new PlacedSession(opened, place, answer)
    } catch (error) {
      await place.remove()
      await answer?.remove()
      if (!(error instanceof SessionNotOpened)) throw error
      throw this.#failure(error.outcome) ?? this.#error(error.message, { kind: 'unavailable' })
    }
  }

  async #answer(session: PlacedSession, prompt: string, signal: AbortSignal): Promise<AgentAnswer> {
    const answer = await session.ask(prompt, signal)
    const failed = this.#failure(answer.outcome)
    if (failed !== null) throw failed
    return answer
  }

  #asked(size: ModelSize): AskedAgent {
    const { agent, env, models } = this.#options
    const chosen = withChoice(agent, { model: models[size], effort: null })
    const { acp = {}, reading } = chosen
    return {
      command: [...chosen.command, ...(chosen.choiceArguments ?? [])],
      env: { ...env, ...READING_ENV },
      session: {
        // Where it is null: the agent's own, in which it asks before it does anything.
        mode: reading?.mode ?? null,
        options: {},
        authenticate: acp.authenticate ?? null,
        mcpServers: [],
        meta: reading?.meta ?? acp.meta ?? {},
        usage: acp.usage ?? 'none',
        errorsIn: acp.errorsIn,
        choice: sessionChoice(chosen),
      },
    }
  }

  #keyOf(asked: AskedAgent, subject: string): string {
    const { repository } = this.#options
    return createHash('sha256')
      .update(JSON.stringify([repository, subject, asked]))
      .digest('hex')
  }

  #failure(outcome: AgentAnswer['outcome']): ModelError | null {
    switch (outcome.kind) {
      case 'finished':
      case 'nothing_done':
        return null
      case 'limited':
        return this.#error(outcome.why, { kind: 'limited', until: outcome.until })
      case 'sign_in':
        return this.#error(outcome.why, { kind: 'unauthorized' })
      case 'failed':
        return this.#error(outcome.why, { kind: 'unavailable' })
    }
  }

  #error(why: string, failure: ModelError['failure']): ModelError {
    return new ModelError(`${this.service}: ${hideSecrets(why, this.#options.env)}`, failure)
  }
}

/** A session with the folder that is its own. */
class PlacedSession implements KeptSession {
  readonly #session: AskedSession
  readonly #place: ReadingPlace
  #characters = 0
  readonly #answer: AnswerFile | null
  #ended: Promise<void> | null = null

  constructor(session: AskedSession, place: ReadingPlace, answer: AnswerFile | null) {
    this.#session = session
    this.#place = place
    this.#answer = answer
  }

  async ask(prompt: string, signal: AbortSignal): Promise<AgentAnswer> {
    this.#characters += prompt.length
    const file = this.#answer
    if (file === null) return this.#session.ask(prompt, signal)
    await file.clear()
    const over = new AbortController()
    const ending = this.#endAnswered(file, over.signal)
    try {
      const answer = await this.#session.ask(prompt, signal)
      const given = file.read()
      // It counts, whatever the turn came to afterwards.
      return given === null ? answer : { ...answer, text: given, outcome: { kind: 'finished' } }
    } finally {
      over.abort()
      await ending
    }
  }

  /** Ends a turn that goes on although a tool has taken its answer. */
  async #endAnswered(file: AnswerFile, over: AbortSignal): Promise<void> {
    try {
      await file.given(over)
      await pause(CLOSING_MS, undefined, { signal: over })
    } catch {
      // The turn ended by itself.
      return
    }
    await this.#session.endTurn()
  }

  async isUsable(): Promise<boolean> {
    return this.#session.isOpen && this.#characters < MOST_CHARACTERS && this.#place.isCurrent()
  }

  end(): Promise<void> {
    this.#ended ??= this.#end()
    return this.#ended
  }

  async #end(): Promise<void> {
    await this.#session.end()
    await this.#place.remove()
    await this.#answer?.remove()
  }
}
