/** A command as a model: the prompt on its stdin, the answer in its report or as the last JSON on its stdout. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lastJson } from '../../core/thinking/last-json.ts'
import { readReportFile } from '../command/report-file.ts'
import { runCapped, type CappedOutcome } from '../../lib/process/run-capped.ts'
import {
  ModelError,
  type Model,
  type ModelReply,
  type ModelRequest,
  type ServiceHealth,
} from '../../ports/brain.ts'
import { agentWalls } from '../agent-state.ts'
import { commandIn, type ChosenAgent } from '../agent-table.ts'
import { LOOK_AROUND, type AgentModelOptions } from './agent-model.ts'
import type { ReadingPlace } from './asked-session.ts'

export interface CommandModelOptions extends Pick<
  AgentModelOptions,
  'env' | 'sessions' | 'repository' | 'makePlace'
> {
  readonly agent: ChosenAgent
}

const MAX_OUTPUT = 400_000
/** The caller has its own limit. */
const MAX_TIMER_MS = 2 ** 31 - 1

export class CommandModel implements Model {
  readonly service: string
  readonly isRetried = false
  readonly usdOfFailure = null
  readonly #options: CommandModelOptions

  constructor(options: CommandModelOptions) {
    this.#options = options
    this.service = options.agent.name
  }

  nameOf(): string {
    return this.service
  }

  async ask({ instructions, text }: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    const prompt = `${instructions}\n${LOOK_AROUND}\n\n${text}\n`
    const { makePlace, sessions } = this.#options
    const answer = await sessions.ask({
      key: null,
      // A command has no session: its folder serves one question.
      open: async () => {
        const place = await makePlace()
        return { at: place, isUsable: async () => false, end: () => place.remove() }
      },
      use: ({ at }, within) => this.#run(at, prompt, within),
      signal,
    })
    return { text: answer, model: this.service, tokensIn: 0, tokensOut: 0, tokensCached: 0, usd: null }
  }

  /** That its program is there is all that is known before it is asked. */
  async check(): Promise<ServiceHealth> {
    return { service: this.service, ok: true, why: null }
  }

  async #run(
    { path: workspace, walls }: Pick<ReadingPlace, 'path' | 'walls'>,
    prompt: string,
    signal: AbortSignal,
  ): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'bosun-answer-'))
    try {
      const report = join(folder, 'report.json')
      const { agent, repository, env } = this.#options
      let printed = ''
      const command = commandIn(agent, { root: repository, workspace })
      const own = agentWalls({ name: agent.name, command }, { env, folder })
      const { outcome } = await runCapped({
        command,
        walls: walls?.({ ...own, writable: [workspace, folder, ...own.writable] }),
        cwd: workspace,
        env: { ...env, BOSUN_ROLE: 'brain', BOSUN_REPORT: report },
        stdin: prompt,
        timeoutMs: MAX_TIMER_MS,
        maxOutputBytes: 0,
        onOutput: (chunk, from) => {
          if (from === 'stdout') printed = (printed + chunk.toString('utf8')).slice(-MAX_OUTPUT)
        },
        signal,
      })
      signal.throwIfAborted()
      const why = failureOf(outcome)
      if (why !== null) throw new ModelError(`${this.service}: ${why}`, { kind: 'unavailable' })
      const written = readReportFile(report).text
      return written === null || written.trim() === '' ? (lastJson(printed) ?? printed) : written
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    }
  }
}

/** Null where it did its work. */
function failureOf(outcome: CappedOutcome): string | null {
  switch (outcome.kind) {
    case 'exited':
      return outcome.code === 0 ? null : `it exited with ${outcome.code}`
    case 'signalled':
      return `it was ended by ${outcome.signal}`
    case 'not_started':
      return `it could not be started: ${outcome.reason}`
    case 'timed_out':
    case 'aborted':
      return 'it was ended'
  }
}
