/** A command as a model: the prompt on its stdin, the answer in its report or as the last JSON on its stdout. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lastJson } from '../../core/thinking/last-json.ts'
import { readIfExists } from '../../lib/files/read-if-exists.ts'
import type { Environment } from '../../lib/process/built-environment.ts'
import { detectContainment } from '../../lib/process/containment.ts'
import { endTree } from '../../lib/process/process-tree.ts'
import { spawnContained, type ProgramExit, type Started } from '../../lib/process/spawn-contained.ts'
import {
  ModelError,
  type Model,
  type ModelReply,
  type ModelRequest,
  type ServiceHealth,
} from '../../ports/brain.ts'
import { commandIn, type ChosenAgent } from '../agent-table.ts'
import { LOOK_AROUND, type AgentModelOptions, type ReadingPlace } from './agent-model.ts'

export interface CommandModelOptions extends Pick<
  AgentModelOptions,
  'env' | 'sessions' | 'repository' | 'makePlace'
> {
  readonly agent: ChosenAgent
}

const MAX_OUTPUT = 400_000
const GRACE_MS = 2000

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
      open: async () => new CommandPlace(await makePlace()),
      use: ({ path }, within) => this.#run(path, prompt, within),
      signal,
    })
    return { text: answer, model: this.service, tokensIn: 0, tokensOut: 0, tokensCached: 0, usd: null }
  }

  /** That its program is there is all that is known before it is asked. */
  async check(): Promise<ServiceHealth> {
    return { service: this.service, ok: true, why: null }
  }

  async #run(workspace: string, prompt: string, signal: AbortSignal): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'bosun-answer-'))
    try {
      const report = join(folder, 'report.json')
      const env: Environment = { ...this.#options.env, BOSUN_ROLE: 'brain', BOSUN_REPORT: report }
      const { agent, repository } = this.#options
      const command = commandIn(agent, { root: repository, workspace })
      const containment = await detectContainment()
      const started = await spawnContained({ command, cwd: workspace, env, stdin: prompt, containment })
      if (!started.ok) throw this.#error(`it could not be started: ${started.why}`)
      const printed = await this.#untilEnd(started, signal)
      const written = readIfExists(report)
      return written === null || written.trim() === '' ? (lastJson(printed) ?? printed) : written
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    }
  }

  /** What it printed. It has ended when this settles. */
  async #untilEnd(started: Started, signal: AbortSignal): Promise<string> {
    let printed = ''
    started.listen((chunk, from) => {
      if (from === 'stdout') printed = (printed + chunk.toString('utf8')).slice(-MAX_OUTPUT)
    })
    const { promise: aborted, resolve } = Promise.withResolvers<null>()
    const stop = (): void => resolve(null)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    try {
      const exit = await Promise.race([started.exited, aborted])
      if (exit === null) throw signal.reason as Error
      await started.drained()
      if (exit.kind === 'exited' && exit.code === 0) return printed
      throw this.#error(exitText(exit))
    } finally {
      signal.removeEventListener('abort', stop)
      await endTree(started.tree, GRACE_MS)
    }
  }

  #error(why: string): ModelError {
    return new ModelError(`${this.service}: ${why}`, { kind: 'unavailable' })
  }
}

const exitText = (exit: ProgramExit): string =>
  exit.kind === 'exited' ? `it exited with ${exit.code}` : `it was ended by ${exit.signal}`

/** A command has no session: its folder serves one question. */
class CommandPlace {
  readonly #place: ReadingPlace

  constructor(place: ReadingPlace) {
    this.#place = place
  }

  get path(): string {
    return this.#place.path
  }

  async isUsable(): Promise<boolean> {
    return false
  }

  end(): Promise<void> {
    return this.#place.remove()
  }
}
