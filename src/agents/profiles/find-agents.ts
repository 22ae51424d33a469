/** Finds the coding agents that the user has: program, version and sign-in. */
import { homedir } from 'node:os'
import { agentVariables, takenNames } from '../../core/settings/agent-variables.ts'
import { builtEnvironment } from '../../lib/process/built-environment.ts'
import { runProgram, type ProgramOutcome } from '../../lib/process/run-program.ts'
import { findOnPath } from '../../lib/system/find-on-path.ts'
import type { AgentSignIn, FoundAgent } from '../../ports/machine.ts'
import { installedAdapter } from './adapter-place.ts'
import type { AgentRow } from './agent-row.ts'
import { adapterOf, profileOf, type ProfilePlace } from './profile-of.ts'
import { AGENT_ROWS } from './rows.ts'
import { signInOf } from './sign-in.ts'

type UserEnvironment = Readonly<Record<string, string | undefined>>

/** Some take seconds to print their version. */
const PROGRAM_MS = 15_000
const MAX_BYTES = 64 * 1024
const MAX_VERSION = 32
const KEPT_MS = 60_000

/** Null where it is not on the PATH. */
export function programOf({ programs }: AgentRow, env: UserEnvironment): string | null {
  // What an npm script put there is not the user's.
  const path = builtEnvironment(env)['PATH'] ?? ''
  for (const name of programs) {
    const file = findOnPath(name, path)
    if (file !== null) return file
  }
  return null
}

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
  readonly #known = new Map<string, { readonly at: number; readonly found: Promise<FoundAgent> }>()
  readonly #signIns = new Map<string, { readonly at: number; readonly signIn: Promise<AgentSignIn> }>()

  constructor({ now = () => performance.now(), timeoutMs = PROGRAM_MS, ...place }: FinderOptions) {
    this.#now = now
    this.#timeoutMs = timeoutMs
    this.#place = place
  }

  /** Every agent on the PATH, in the order of the table. */
  async all(env: UserEnvironment): Promise<readonly FoundAgent[]> {
    const present = AGENT_ROWS.flatMap((row) => {
      const path = programOf(row, env)
      return path === null ? [] : [{ row, path }]
    })
    return Promise.all(present.map((one) => this.#found(this.#asked(one, env))))
  }

  /** Those on the PATH with their sign-in, one after the other: the caller may need no more than the first. */
  async *signIns(env: UserEnvironment): AsyncGenerator<Pick<FoundAgent, 'name' | 'path' | 'signIn'>> {
    for (const row of AGENT_ROWS) {
      const path = programOf(row, env)
      if (path === null) continue
      const asked = this.#asked({ row, path }, env)
      yield { name: row.name, path, signIn: await this.#signIn(asked) }
    }
  }

  /** The names of those that are signed in, or may be: some do not say. */
  async signedIn(env: UserEnvironment): Promise<readonly string[]> {
    const asked = AGENT_ROWS.flatMap((row) => {
      const path = programOf(row, env)
      return path === null ? [] : [this.#asked({ row, path }, env)]
    })
    const signIns = await Promise.all(asked.map((one) => this.#signIn(one)))
    return asked.flatMap(({ row }, at) => (signIns[at]?.by === 'none' ? [] : [row.name]))
  }

  /** Of one agent; null where it is none of the table, or is not on the PATH. */
  async signInOf(name: string, env: UserEnvironment): Promise<AgentSignIn | null> {
    const row = AGENT_ROWS.find((one) => one.name === name)
    const path = row === undefined ? null : programOf(row, env)
    return row === undefined || path === null ? null : this.#signIn(this.#asked({ row, path }, env))
  }

  /** Asked once a minute. */
  #signIn(asked: Asked): Promise<AgentSignIn> {
    const key = keyOf(asked)
    const known = this.#signIns.get(key)
    if (known !== undefined && this.#now() - known.at < KEPT_MS) return known.signIn
    const found = this.#kept(key)
    const signIn = found === null ? askSignIn(asked) : found.then((one) => one.signIn)
    this.#signIns.set(key, { at: this.#now(), signIn })
    return signIn
  }

  #asked(one: Pick<Asked, 'row' | 'path'>, env: UserEnvironment): Asked {
    return { ...one, env, timeoutMs: this.#timeoutMs, place: this.#place }
  }

  #found(asked: Asked): Promise<FoundAgent> {
    const key = keyOf(asked)
    const kept = this.#kept(key)
    if (kept !== null) return kept
    const found = ask(asked)
    this.#known.set(key, { at: this.#now(), found })
    return found
  }

  #kept(key: string): Promise<FoundAgent> | null {
    const known = this.#known.get(key)
    if (known === undefined || this.#now() - known.at >= KEPT_MS) return null
    return known.found
  }
}

/** Another key or home is another answer. */
const keyOf = ({ row, path, env }: Asked): string =>
  JSON.stringify([path, env['HOME'], ...takenNames(asAgents(row)).map((variable) => env[variable])])

const asAgents = ({ name }: AgentRow) => ({ [name]: { protocol: 'command' as const, command: [name] } })

async function ask(asked: Asked): Promise<FoundAgent> {
  const { row, path, place } = asked
  const [printed, signIn] = await Promise.all([runIn(asked)(row.version), askSignIn(asked)])
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

const askSignIn = (asked: Asked): Promise<AgentSignIn> =>
  signInOf(asked.row.signIn, { env: { HOME: homedir(), ...asked.env }, run: runIn(asked) })

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
