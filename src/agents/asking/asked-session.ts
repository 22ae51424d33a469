/** A session in which an agent answers prompts: it may read in its folder and do nothing else. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readingPolicy } from '../../core/crew/permission-policy.ts'
import type { TurnOutcome } from '../../core/crew/turn-outcome.ts'
import { readReportFile } from '../command/report-file.ts'
import type { Environment } from '../../lib/process/built-environment.ts'
import { detectContainment } from '../../lib/process/containment.ts'
import { endTree } from '../../lib/process/process-tree.ts'
import { spawnContained, type Spawned } from '../../lib/process/spawn-contained.ts'
import { within } from '../../lib/serial-queue.ts'
import type { TurnUsage } from '../../ports/agent.ts'
import type { WallsFor } from '../../ports/sandbox.ts'
import { agentWalls } from '../agent-state.ts'
import { withoutOwnSandbox } from '../own-sandbox.ts'
import { AgentConnection, brokenOutcome, type ConnectionParts } from '../supervisor/acp/agent-connection.ts'
import { realPath } from '../supervisor/acp/client-files.ts'
import { ChoiceRefused } from '../supervisor/acp/open-session.ts'
import { SessionLog } from '../supervisor/acp/session-log.ts'
import type { Update } from '../supervisor/acp/updates.ts'
import type { ChosenAgent } from '../agent-table.ts'
import { sessionChoice } from '../with-choice.ts'
import type { KeptSession } from './agent-sessions.ts'

export interface AskedAgent {
  /** By which it is known. */
  readonly name: string
  /** The first word is an absolute path. */
  readonly command: readonly string[]
  readonly env: Environment
  readonly session: ConnectionParts['session']
}

/** An agent with its model and effort chosen, in a session of its own to which nothing of Bosun is handed. */
export const askedAgent = (
  chosen: ChosenAgent,
  env: Environment,
  session: Partial<AskedAgent['session']> = {},
): AskedAgent => ({
  name: chosen.name,
  command: [...chosen.command, ...(chosen.choiceArguments ?? [])],
  env,
  session: {
    mode: null,
    authenticate: chosen.acp?.authenticate ?? null,
    mcpServers: [],
    takesBosun: false,
    meta: {},
    usage: 'none',
    choice: sessionChoice(chosen),
    continues: null,
    additionalDirectories: [],
    session: null,
    ...session,
  },
})

/** A folder that holds a commit of the repository and leads nowhere else. */
export interface ReadingPlace {
  readonly path: string
  /** Around the agent that reads in it; none if absent. */
  readonly walls?: WallsFor | undefined
  /** Whether it still is the newest commit. */
  isCurrent(): Promise<boolean>
  remove(): Promise<void>
}

/** What belongs to one session alone, and goes with it. */
interface SessionPlace extends ReadingPlace {
  /** The file in which its tools put an answer; null where it has none. */
  readonly answer: string | null
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

/** For its closing words, and for what the turn has cost: a turn that is cancelled may not say it. */
const CLOSING_MS = 3000
const ANSWER_LOOK_MS = 200

/** A session that has read so much answers slowly, and forgets. */
const MOST_CHARACTERS = 400_000

/** It could not be opened. */
export class SessionNotOpened extends Error {
  override readonly name = 'SessionNotOpened'
  readonly outcome: TurnOutcome

  constructor(outcome: TurnOutcome, cause?: unknown) {
    super('why' in outcome ? outcome.why : 'the session could not be opened', { cause })
    this.outcome = outcome
  }
}

export class AskedSession implements KeptSession {
  readonly #started: Spawned
  readonly #place: SessionPlace
  readonly #agent: AgentConnection
  #model: string | null = null
  /** What the agent wrote in this turn, parted by its tool calls. */
  #pieces: string[] = ['']
  #length = 0
  /** Of all its prompts. */
  #characters = 0
  #ended: Promise<void> | null = null

  private constructor({ session, env }: AskedAgent, started: Spawned, place: SessionPlace) {
    const { path: folder } = place
    this.#started = started
    this.#place = place
    started.child.stderr?.resume()
    this.#agent = new AgentConnection({
      started,
      session,
      env,
      workspace: folder,
      policy: readingPolicy(folder),
      // Nothing of it is kept: neither what it does nor what it is refused.
      log: new SessionLog({ note: () => undefined, transcribe: () => undefined, now: Date.now }),
      onUpdate: (update) => this.#onUpdate(update),
    })
  }

  /** Rejects with `SessionNotOpened`, or with the reason of the signal. The agent has ended then, and its place is gone. */
  static async open(agent: AskedAgent, place: SessionPlace, signal: AbortSignal): Promise<AskedSession> {
    const session = await AskedSession.#start(agent, place, signal)
    try {
      const opened = await Promise.race([session.#agent.open(() => undefined), aborted(signal)])
      session.#model = opened.model
      return session
    } catch (error) {
      const shown = signal.aborted || session.#isOpen ? error : new Error(await session.#exitText())
      await session.end()
      signal.throwIfAborted()
      throw new SessionNotOpened(brokenOutcome(shown, error, ''), error)
    }
  }

  static async #start(agent: AskedAgent, place: SessionPlace, signal: AbortSignal) {
    const { command, env } = agent
    try {
      signal.throwIfAborted()
      const cwd = await realPath(place.path)
      const containment = await detectContainment()
      const own = agentWalls(agent, { env, folder: place.answer === null ? cwd : dirname(place.answer) })
      const answers = place.answer === null ? [] : [dirname(place.answer)]
      const walls = place.walls?.({ ...own, writable: [cwd, ...answers, ...own.writable] })
      // One that keeps it from writing may stay, where it starts.
      const run = walls === undefined ? agent : withoutOwnSandbox(agent, { command, env }, true)
      const started = await spawnContained({ ...run, cwd, stdin: null, containment, walls })
      if (!started.ok)
        throw new SessionNotOpened({ kind: 'failed', why: `it could not be started: ${started.why}` })
      return new AskedSession(agent, started, { ...place, path: cwd })
    } catch (error) {
      await place.remove()
      throw error
    }
  }

  get #isOpen(): boolean {
    return this.#ended === null && this.#agent.isOpen
  }

  async isUsable(): Promise<boolean> {
    return this.#isOpen && this.#characters < MOST_CHARACTERS && this.#place.isCurrent()
  }

  /** Rejects with the reason of the signal only: the turn was cancelled then, and the session must be ended. */
  async ask(prompt: string, signal: AbortSignal): Promise<AgentAnswer> {
    this.#characters += prompt.length
    const { answer: file } = this.#place
    if (file === null) return this.#turn(prompt, signal)
    await rm(file, { force: true })
    const over = new AbortController()
    const ending = this.#endAnswered(file, over.signal)
    try {
      const answer = await this.#turn(prompt, signal)
      const given = readReportFile(file).text
      // It counts, whatever the turn came to afterwards.
      return given === null ? answer : { ...answer, text: given, outcome: { kind: 'finished' } }
    } finally {
      over.abort()
      await ending
    }
  }

  /** Ends a turn that goes on although a tool has taken its answer; where the agent does not listen, the session too. */
  async #endAnswered(file: string, over: AbortSignal): Promise<void> {
    try {
      while (!existsSync(file)) await pause(ANSWER_LOOK_MS, undefined, { signal: over })
      await pause(CLOSING_MS, undefined, { signal: over })
    } catch {
      // The turn ended by itself.
      return
    }
    if (!(await this.#cancel())) await this.end()
  }

  async #turn(prompt: string, signal: AbortSignal): Promise<AgentAnswer> {
    this.#pieces = ['']
    this.#length = 0
    const text = (): string => answerIn(this.#pieces)
    const hasDoneAnything = (): boolean => text().trim() !== ''
    const until = aborted(signal)
    let outcome: TurnOutcome
    try {
      outcome = (await this.#agent.prompt(prompt, [], { text, hasDoneAnything, until })).outcome
    } catch (error) {
      outcome = brokenOutcome(new Error(await this.#exitText()), error, text())
    }
    if (signal.aborted) await this.#cancel()
    signal.throwIfAborted()
    const { turns = [], model } = this.#agent.usage.all
    return { text: text(), outcome, usage: turns.at(-1) ?? null, model: model ?? this.#model }
  }

  /** Ends the agent with all it has started, and removes its place. Idempotent. */
  end(): Promise<void> {
    this.#ended ??= endTree(this.#started.tree, GRACE_MS).then(() => this.#place.remove())
    return this.#ended
  }

  async #exitText(): Promise<string> {
    const exit = await this.#agent.exit()
    if (exit === null) return 'it closed the connection'
    return exit.kind === 'exited' ? `it exited with ${exit.code}` : `it was ended by ${exit.signal}`
  }

  /** Whether the turn is over in time. */
  async #cancel(): Promise<boolean> {
    await within(CANCEL_MS, Promise.all([this.#agent.cancel(), this.#agent.pending]))
    return this.#agent.pending === null
  }

  #onUpdate(update: Update): void {
    if (update.kind === 'tool' && this.#pieces.at(-1) !== '') this.#pieces.push('')
    if (update.kind !== 'message') return
    this.#length += update.text.length
    const last = this.#pieces.length - 1
    if (this.#length <= MAX_TEXT) this.#pieces[last] = `${this.#pieces[last] ?? ''}${update.text}`
  }
}

const CHOICE_MS = 30_000

/**
 * Whether an agent refuses its model or its effort, in a session that is closed again. Null where it takes both, or does
 * not answer: then the work itself shows what is wrong.
 */
export async function choiceRefusal(agent: AskedAgent): Promise<string | null> {
  const path = await mkdtemp(join(tmpdir(), 'bosun-ask-'))
  // The agent may still write while it ends.
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  try {
    const place = { path, isCurrent: async () => true, remove, answer: null }
    const session = await AskedSession.open(agent, place, AbortSignal.timeout(CHOICE_MS))
    await session.end()
    return null
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null
    return cause instanceof ChoiceRefused ? cause.message : null
  }
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
