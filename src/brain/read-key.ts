/**
 * The key of a provider: what `brain.key_command` prints, else a variable of the user's environment. It is kept in
 * memory only, and no message holds it.
 */
import { randomUUID } from 'node:crypto'
import { KEY_VARIABLES } from '../core/settings/brain-settings.ts'
import type { Settings } from '../core/settings/settings.ts'
import { builtEnvironment } from '../lib/process/built-environment.ts'
import { killTree, MARK_VARIABLE } from '../lib/process/process-tree.ts'
import { runProgram } from '../lib/process/run-program.ts'
import { ModelError } from '../ports/brain.ts'

type Env = Readonly<Record<string, string | undefined>>

export interface KeySource {
  readonly brain: Pick<Settings['brain'], 'provider' | 'key_command'>
  /** Of the user. */
  readonly env: Env | (() => Env)
  /** Where the command runs. */
  readonly folder: string
  /** How long the command may take; half a minute by default. */
  readonly timeoutMs?: number
}

const NO_PROCESS = { boot: '', pid: 0, start: '' }
const TIMEOUT_MS = 30_000
const MAX_BYTES = 16_384
/** Commands may ask a key store, which takes a while; and keys expire. */
const KEPT_MS = 5 * 60_000

/** Reads the key when it is needed. What the command answered is kept for a while, also that it gave no key. */
export function keyReader(source: KeySource, now: () => number): () => Promise<string | null> {
  let kept: { readonly key: Promise<string>; readonly at: number } | null = null
  return async () => {
    const { key_command: command } = source.brain
    if (command === null) return keyInEnvironment(source)
    if (kept === null || now() - kept.at >= KEPT_MS) kept = { key: keyByCommand(command, source), at: now() }
    try {
      return await kept.key
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      const again = `it is asked again after ${KEPT_MS / 60_000} min`
      throw new ModelError(`${error.message}; ${again}`, error.failure)
    }
  }
}

/** Why the command gives no key; null where it does, or where there is none. */
export async function keyProblem(source: KeySource): Promise<string | null> {
  const { key_command: command } = source.brain
  if (command === null) return null
  try {
    await keyByCommand(command, source)
    return null
  } catch (error) {
    if (error instanceof ModelError) return error.message
    throw error
  }
}

const envOf = ({ env }: KeySource): Env => (typeof env === 'function' ? env() : env)

function keyInEnvironment(source: KeySource): string | null {
  const { provider } = source.brain
  const env = envOf(source)
  const name = KEY_VARIABLES[provider].find((one) => (env[one] ?? '').trim() !== '')
  if (name !== undefined) return env[name]?.trim() ?? null
  // A server of one's own may need none.
  if (provider === 'compatible') return null
  throw new ModelError(
    `there is no key for ${provider} (set ${KEY_VARIABLES[provider][0] ?? ''} or brain.key_command)`,
    {
      kind: 'unauthorized',
    },
  )
}

async function keyByCommand(
  command: NonNullable<KeySource['brain']['key_command']>,
  source: KeySource,
): Promise<string> {
  const [program = '', ...args] = typeof command === 'string' ? ['sh', '-c', command] : command
  const { timeoutMs = TIMEOUT_MS } = source
  const mark = randomUUID()
  const outcome = await runProgram({
    command: program,
    args,
    cwd: source.folder,
    env: builtEnvironment(envOf(source), { [MARK_VARIABLE]: mark }),
    timeoutMs,
    maxBytes: MAX_BYTES,
  })
  // What it started goes with it.
  if (outcome.kind !== 'exited') await killTree({ leader: NO_PROCESS, mark, kind: 'group' })
  const failed = (why: string): ModelError =>
    new ModelError(`brain.key_command ${why}`, { kind: 'unauthorized' })
  switch (outcome.kind) {
    case 'exited': {
      if (outcome.code !== 0) throw failed(`failed with exit code ${outcome.code}`)
      const key = outcome.stdout.trim()
      // A header cannot hold more than one line.
      if (!/^[\x21-\x7e]+$/.test(key))
        throw failed(key === '' ? 'printed nothing' : 'printed more than a key')
      return key
    }
    case 'signalled':
      throw failed(`was ended by ${outcome.signal}`)
    case 'timed_out':
      throw failed(`did not end within ${timeoutMs / 1000} s`)
    case 'too_long':
      throw failed('printed more than a key')
    case 'not_started':
      throw failed('could not be started')
  }
}

export type ModelProvider = Exclude<Settings['brain']['provider'], 'auto' | 'none' | 'agent'>
