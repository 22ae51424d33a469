/** Finds the coding agents that the user has: program, version and sign-in. */
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { agentVariables, takenNames } from '../../core/settings/agent-variables.ts'
import { builtEnvironment } from '../../lib/process/built-environment.ts'
import { runProgram, type ProgramOutcome } from '../../lib/process/run-program.ts'
import { findOnPath } from '../../lib/process/find-program.ts'
import type { AgentSignIn, FoundAgent } from '../../ports/machine.ts'
import { readRegularIfExists } from '../../lib/files/read-if-exists.ts'
import { isRecord, jsonIn } from '../../lib/text/json.ts'
import { installedAdapter, adapterOf, profileOf, type ProfilePlace } from './profile-of.ts'
import type { AgentRow, SignInCheck } from './agent-row.ts'
import { AGENT_ROWS } from './rows.ts'

type UserEnvironment = Readonly<Record<string, string | undefined>>

/** Some take seconds to print their version. */
const PROGRAM_MS = 15_000
const MAX_BYTES = 64 * 1024
const MAX_VERSION = 32
const KEPT_MS = 60_000

/** Null where it is not on the PATH. */
export const programOf = ({ name }: AgentRow, env: UserEnvironment): string | null =>
  // What an npm script put there is not the user's.
  findOnPath(name, builtEnvironment(env)['PATH'] ?? '')

export interface FinderOptions extends ProfilePlace {
  readonly now?: () => number
  /** How long a program may take to answer. */
  readonly timeoutMs?: number
}

interface Asked {
  readonly row: AgentRow
  readonly path: string
  readonly env: UserEnvironment
  readonly timeoutMs: number
  readonly place: ProfilePlace
}

/** Remembers what it found for a minute: asking an agent takes up to seconds. */
export class AgentFinder {
  readonly #now: () => number
  readonly #timeoutMs: number
  readonly #place: ProfilePlace
  readonly #remembered = new Map<string, { readonly at: number; readonly answer: Promise<unknown> }>()

  constructor({ now = () => performance.now(), timeoutMs = PROGRAM_MS, ...place }: FinderOptions) {
    this.#now = now
    this.#timeoutMs = timeoutMs
    this.#place = place
  }

  /** Every agent on the PATH, in the order of the table. */
  async all(env: UserEnvironment): Promise<readonly FoundAgent[]> {
    return Promise.all(this.#present(env).map((one) => this.#found(one)))
  }

  /** Those on the PATH with their sign-in, one after the other: the caller may need no more than the first. */
  async *signIns(env: UserEnvironment): AsyncGenerator<Pick<FoundAgent, 'name' | 'path' | 'signIn'>> {
    for (const asked of this.#present(env))
      yield { name: asked.row.name, path: asked.path, signIn: await this.#signIn(asked) }
  }

  /** The names of those that are signed in, or may be: some do not say. */
  async signedIn(env: UserEnvironment): Promise<readonly string[]> {
    const present = this.#present(env)
    const signIns = await Promise.all(present.map((one) => this.#signIn(one)))
    return present.flatMap(({ row }, at) => (signIns[at]?.by === 'none' ? [] : [row.name]))
  }

  /** Of one agent; null where it is none of the table, or is not on the PATH. */
  async signInOf(name: string, env: UserEnvironment): Promise<AgentSignIn | null> {
    const asked = this.#present(env).find(({ row }) => row.name === name)
    return asked === undefined ? null : this.#signIn(asked)
  }

  #present(env: UserEnvironment): readonly Asked[] {
    return AGENT_ROWS.flatMap((row) => {
      const path = programOf(row, env)
      return path === null ? [] : [{ row, path, env, timeoutMs: this.#timeoutMs, place: this.#place }]
    })
  }

  #found(asked: Asked): Promise<FoundAgent> {
    return this.#once(`found ${keyOf(asked)}`, () => ask(asked, this.#signIn(asked)))
  }

  #signIn(asked: Asked): Promise<AgentSignIn> {
    return this.#once(`sign-in ${keyOf(asked)}`, () => askSignIn(asked))
  }

  #once<T>(key: string, answer: () => Promise<T>): Promise<T> {
    const before = this.#remembered.get(key)
    // What is under one key has one type.
    if (before !== undefined && this.#now() - before.at < KEPT_MS) return before.answer as Promise<T>
    const asked = answer()
    this.#remembered.set(key, { at: this.#now(), answer: asked })
    return asked
  }
}

/** Another key or home is another answer. */
const keyOf = ({ row, path, env }: Asked): string =>
  JSON.stringify([path, env['HOME'], ...takenNames(asAgents(row)).map((variable) => env[variable])])

const asAgents = ({ name }: AgentRow) => ({ [name]: { protocol: 'command' as const, command: [name] } })

async function ask(asked: Asked, signedIn: Promise<AgentSignIn>): Promise<FoundAgent> {
  const { row, path, place } = asked
  const [printed, signIn] = await Promise.all([runIn(asked)(['--version']), signedIn])
  const { protocol } = profileOf(row, place)
  return {
    name: row.name,
    title: row.title,
    path,
    version: versionIn(printed),
    tried: row.tried,
    folders: row.folders,
    signIn,
    protocol,
    adapter: adapterFound(row, place),
    ownSandbox: row.ownSandbox?.nests,
    fix: signIn.by === 'none' ? row.signIn.fix : null,
    caution: row.caution[protocol],
    smallModels: protocol === 'acp' ? row.smallModels : [],
  }
}

function adapterFound(row: AgentRow, { root }: ProfilePlace): FoundAgent['adapter'] {
  const adapter = adapterOf(row)
  if (adapter === null) return null
  const { package: name, version } = adapter
  return { package: name, version, isInstalled: installedAdapter(root, adapter) !== null }
}

/** In the environment that a worker would have, and in a folder where its settings do not count as a project's. */
function runIn({ row, path, env, timeoutMs }: Asked): (args: readonly string[]) => Promise<ProgramOutcome> {
  const own = builtEnvironment(env, agentVariables(asAgents(row), env)[row.name])
  return (args) => runProgram({ command: path, args, cwd: '/', env: own, timeoutMs, maxBytes: MAX_BYTES })
}

/** Null where its output holds none. */
export function versionIn(outcome: ProgramOutcome): string | null {
  if (outcome.kind !== 'exited' || outcome.code !== 0) return null
  return /\d+\.\d+[\w.+-]*/.exec(outcome.stdout)?.[0].slice(0, MAX_VERSION) ?? null
}

interface SignInPlace {
  readonly env: UserEnvironment
  /** Runs the agent's program with these arguments. */
  readonly run: (args: readonly string[]) => Promise<ProgramOutcome>
}

const SIGNED_OUT: AgentSignIn = { by: 'none', detail: null }

/** Whether an agent is signed in, without the network: from variables, from files, or from its own command. */
async function askSignIn(asked: Asked): Promise<AgentSignIn> {
  const place = { env: { HOME: homedir(), ...asked.env }, run: runIn(asked) }
  for (const check of asked.row.signIn.checks) {
    const found = await answerOf(check, place)
    if (found !== null) return found
  }
  return SIGNED_OUT
}

async function answerOf(check: SignInCheck, { env, run }: SignInPlace): Promise<AgentSignIn | null> {
  switch (check.kind) {
    case 'variables': {
      const name = check.names.find((one) => (env[one] ?? '') !== '')
      return name === undefined ? null : { by: check.by, detail: name }
    }
    case 'file': {
      const [path] = check.paths.flatMap((one) => expanded(one, env) ?? [])
      return path !== undefined && holds(path, check.holds) ? { by: check.by, detail: path } : null
    }
    case 'program':
      return READERS[check.reads](await run(check.args))
  }
}

/** Null where its variable is not set. */
function expanded(path: string, env: SignInPlace['env']): string | null {
  const [first = '', ...rest] = path.split('/')
  const folder = first === '~' ? env['HOME'] : env[first.slice(1)]
  return folder === undefined || !isAbsolute(folder) ? null : join(folder, ...rest)
}

const MAX_FILE_BYTES = 1024 * 1024

function holds(path: string, pattern: RegExp): boolean {
  try {
    return pattern.test(readRegularIfExists(path, MAX_FILE_BYTES) ?? '')
  } catch {
    // A file that cannot be read signs no agent in.
    return false
  }
}

const READERS = {
  claude_auth_status(outcome) {
    if (outcome.kind !== 'exited') return unknown(outcome)
    const status = jsonIn(outcome.stdout)
    if (!isRecord(status) || !('loggedIn' in status)) return unknown(outcome)
    if (status['loggedIn'] !== true) return SIGNED_OUT
    const method = typeof status['authMethod'] === 'string' ? status['authMethod'] : ''
    const by = method.includes('key') ? 'key' : method === 'third_party' ? 'configuration' : 'subscription'
    return { by, detail: method.slice(0, MAX_DETAIL) }
  },
  codex_login_status(outcome) {
    if (outcome.kind !== 'exited') return unknown(outcome)
    const text = `${outcome.stdout}${outcome.stderr}`
    if (outcome.code !== 0 || /not logged in/i.test(text)) return SIGNED_OUT
    return /api key/i.test(text)
      ? { by: 'key', detail: 'codex login' }
      : { by: 'subscription', detail: 'ChatGPT' }
  },
} satisfies Record<string, (outcome: ProgramOutcome) => AgentSignIn>

const MAX_DETAIL = 40

function unknown(outcome: ProgramOutcome): AgentSignIn {
  return {
    by: 'unknown',
    detail: outcome.kind === 'exited' ? `exited with ${outcome.code}` : outcome.kind.replaceAll('_', ' '),
  }
}
