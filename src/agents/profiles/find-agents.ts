/** Finds the coding agents that the user has: program, version and sign-in. */
import { homedir } from 'node:os'
import { agentVariables, takenNames } from '../../core/settings/agent-variables.ts'
import { builtEnvironment } from '../../lib/process/built-environment.ts'
import { runProgram, type ProgramOutcome } from '../../lib/process/run-program.ts'
import { findOnPath } from '../../lib/system/find-on-path.ts'
import type { AgentSignIn, FoundAgent } from '../../ports/machine.ts'
import type { AgentRow } from './agent-row.ts'
import { profileOf } from './profile-of.ts'
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

export interface FinderOptions {
  readonly now?: () => number
  /** How long a program may take to answer. */
  readonly timeoutMs?: number
}

interface Asked {
  readonly row: AgentRow
  readonly path: string
  readonly env: UserEnvironment
  readonly timeoutMs: number
}

/** Remembers what it found for a minute: asking an agent takes up to seconds. */
export class AgentFinder {
  readonly #now: () => number
  readonly #timeoutMs: number
  readonly #known = new Map<string, { readonly at: number; readonly found: Promise<FoundAgent> }>()

  constructor({ now = () => performance.now(), timeoutMs = PROGRAM_MS }: FinderOptions = {}) {
    this.#now = now
    this.#timeoutMs = timeoutMs
  }

  /** Every agent on the PATH, in the order of the table. */
  async all(env: UserEnvironment): Promise<readonly FoundAgent[]> {
    const present = AGENT_ROWS.flatMap((row) => {
      const path = programOf(row, env)
      return path === null ? [] : [{ row, path }]
    })
    return Promise.all(present.map((one) => this.#found({ ...one, env, timeoutMs: this.#timeoutMs })))
  }

  /** Those on the PATH with their sign-in, one after the other: the caller may need no more than the first. */
  async *signIns(env: UserEnvironment): AsyncGenerator<Pick<FoundAgent, 'name' | 'path' | 'signIn'>> {
    for (const row of AGENT_ROWS) {
      const path = programOf(row, env)
      if (path === null) continue
      const asked = { row, path, env, timeoutMs: this.#timeoutMs }
      const known = this.#kept(keyOf(asked))
      const signIn = known === null ? await askSignIn(asked) : (await known).signIn
      yield { name: row.name, path, signIn }
    }
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
  const { row, path } = asked
  const [printed, signIn] = await Promise.all([runIn(asked)(row.version), askSignIn(asked)])
  return {
    name: row.name,
    title: row.title,
    path,
    version: versionIn(printed),
    signIn,
    protocol: profileOf(row).protocol,
    fix: signIn.by === 'none' ? row.signIn.fix : null,
    caution: row.caution,
  }
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
