/**
 * An installed coding agent as a model: people with a subscription have no key. It stands in a copy of the repository, in
 * which it may read, and its session is kept for further questions about the same subject.
 */
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AnswerTools, ModelSize } from '../../core/thinking/question.ts'
import { secretsByName } from '../../core/gates/secrets/secret-values.ts'
import type { Environment } from '../../lib/process/built-environment.ts'
import {
  ModelError,
  type ServiceHealth,
  type Model,
  type ModelReply,
  type ModelRequest,
} from '../../ports/brain.ts'
import { Redactor } from '../../lib/text/redactor.ts'
import { PACKAGE_ROOT } from '../../lib/system/package-root.ts'
import type { ChosenAgent } from '../agent-table.ts'
import { READING_ENV } from '../profiles/rows.ts'
import { takesInSession } from '../hand-mcp.ts'
import { withChoice } from '../with-choice.ts'
import type { AgentSessions } from './agent-sessions.ts'
import {
  askedAgent,
  AskedSession,
  SessionNotOpened,
  type AgentAnswer,
  type AskedAgent,
  type ReadingPlace,
} from './asked-session.ts'

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
  ): Promise<AskedSession> {
    const place = await this.#options.makePlace()
    const folder = tools === null ? null : await mkdtemp(join(tmpdir(), 'bosun-answer-'))
    const answer = folder === null ? null : join(folder, 'answer.json')
    const mcpServers = answer === null ? [] : [answerServer(`--${tools}`, answer)]
    const remove = async (): Promise<void> => {
      await place.remove()
      if (folder !== null) await rm(folder, { recursive: true, force: true })
    }
    try {
      const session = { ...asked.session, mcpServers }
      const { path, walls } = place
      const at = { path, walls, isCurrent: () => place.isCurrent(), remove, answer }
      return await AskedSession.open({ ...asked, session }, at, signal)
    } catch (error) {
      if (!(error instanceof SessionNotOpened)) throw error
      throw this.#failure(error.outcome) ?? this.#error(error.message, { kind: 'unavailable' })
    }
  }

  async #answer(session: AskedSession, prompt: string, signal: AbortSignal): Promise<AgentAnswer> {
    const answer = await session.ask(prompt, signal)
    const failed = this.#failure(answer.outcome)
    if (failed !== null) throw failed
    return answer
  }

  #asked(size: ModelSize): AskedAgent {
    const { agent, env, models } = this.#options
    const chosen = withChoice(agent, { model: models[size], effort: null })
    const { acp = {}, reading } = chosen
    return askedAgent(
      chosen,
      { ...env, ...READING_ENV },
      {
        // Where it is null: the agent's own, in which it asks before it does anything.
        mode: reading?.mode ?? null,
        meta: reading?.meta ?? acp.meta ?? {},
        usage: acp.usage ?? 'none',
        errorsIn: acp.errorsIn,
      },
    )
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
    const hide = new Redactor(secretsByName(this.#options.env))
    return new ModelError(`${this.service}: ${hide.text(why)}`, failure)
  }
}

/** Serves the tools that put an answer into a file; as the Agent Client Protocol takes it. */
const answerServer = (tools: string, file: string) => ({
  name: 'bosun',
  command: join(PACKAGE_ROOT, 'bin', 'bosun'),
  args: ['mcp', tools],
  env: [{ name: 'BOSUN_ANSWER', value: file }],
})
