/** An installed coding agent as a model: people with a subscription have no key. Each question is a session of its own. */
import type { ModelSize } from '../../core/thinking/question.ts'
import type { Environment } from '../../lib/process/built-environment.ts'
import {
  ModelError,
  type ServiceHealth,
  type Model,
  type ModelReply,
  type ModelRequest,
} from '../../ports/brain.ts'
import type { ChosenAgent } from '../agent-table.ts'
import { hideSecrets } from '../supervisor/hide-secrets.ts'
import { sessionChoice, withChoice } from '../with-choice.ts'
import { onePrompt, type AgentAnswer, type AskedAgent } from './one-prompt.ts'

export interface AgentModelOptions {
  readonly agent: ChosenAgent
  /** The whole environment of its process. */
  readonly env: Environment
  /** Null: the agent's own. */
  readonly models: Readonly<Record<ModelSize, string | null>>
}

/** Keeps agents that act without asking for permission from it, where they take that from a variable. */
const WORDS_ONLY: Environment = { GOOSE_MODE: 'chat' }

export class AgentModel implements Model {
  readonly service: string
  readonly #options: AgentModelOptions

  constructor(options: AgentModelOptions) {
    this.#options = options
    this.service = options.agent.name
  }

  nameOf(size: ModelSize): string {
    return this.#options.models[size] ?? this.service
  }

  async ask({ size, instructions, text }: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    const asked = await this.#prompt(size, `${instructions}\n\n${text}`, signal)
    const { usage, text: written } = asked
    return {
      text: written,
      model: usage.model ?? this.nameOf(size),
      tokensIn: usage.tokensIn ?? 0,
      tokensOut: usage.tokensOut ?? 0,
      tokensCached: usage.tokensCached ?? 0,
      usd: usage.usd,
    }
  }

  /** Opens a session and closes it again, which asks no model. */
  async check(signal: AbortSignal): Promise<ServiceHealth> {
    const { service } = this
    try {
      await this.#prompt('small', null, signal)
      return { service, ok: true, why: null }
    } catch (error) {
      return { service, ok: false, why: error instanceof ModelError ? error.message : 'it did not answer' }
    }
  }

  async #prompt(size: ModelSize, prompt: string | null, signal: AbortSignal): Promise<AgentAnswer> {
    signal.throwIfAborted()
    const answer = await onePrompt(this.#asked(size), prompt, signal)
    if (answer === null) throw new ModelError(`${this.service} could not be started`, { kind: 'unavailable' })
    const failed = this.#failure(answer)
    if (failed !== null) throw failed
    return answer
  }

  #asked(size: ModelSize): AskedAgent {
    const { agent, env, models } = this.#options
    const chosen = withChoice(agent, { model: models[size], effort: null })
    const { acp = {} } = chosen
    return {
      command: [...chosen.command, ...(chosen.choiceArguments ?? [])],
      env: { ...env, ...WORDS_ONLY },
      session: {
        // The agent's own mode, in which it asks before it does anything.
        mode: null,
        options: {},
        authenticate: acp.authenticate ?? null,
        mcpServers: [],
        meta: acp.meta ?? {},
        usage: acp.usage ?? 'none',
        errorsIn: acp.errorsIn,
        choice: sessionChoice(chosen),
      },
    }
  }

  #failure({ outcome }: AgentAnswer): ModelError | null {
    const error = (why: string, failure: ModelError['failure']): ModelError =>
      new ModelError(`${this.service}: ${hideSecrets(why, this.#options.env)}`, failure)
    switch (outcome.kind) {
      case 'finished':
      case 'nothing_done':
        return null
      case 'limited':
        return error(outcome.why, { kind: 'limited', until: outcome.until })
      case 'sign_in':
        return error(outcome.why, { kind: 'unauthorized' })
      case 'failed':
        return error(outcome.why, { kind: 'unavailable' })
    }
  }
}
