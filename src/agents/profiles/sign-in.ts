/** Whether an agent is signed in, without the network: from variables, from files, or from its own command. */
import { constants, fstatSync, readSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { openedFile } from '../../lib/files/opened-file.ts'
import type { ProgramOutcome } from '../../lib/process/run-program.ts'
import type { AgentSignIn } from '../../ports/machine.ts'
import type { SignInCheck, SignInRow } from './agent-row.ts'

export interface SignInPlace {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Runs the agent's program with these arguments. */
  readonly run: (args: readonly string[]) => Promise<ProgramOutcome>
}

const SIGNED_OUT: AgentSignIn = { by: 'none', detail: null }

export async function signInOf({ checks }: SignInRow, place: SignInPlace): Promise<AgentSignIn> {
  for (const check of checks) {
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

function holds(path: string, pattern: RegExp | undefined): boolean {
  try {
    // It may be a pipe, which would never end.
    using file = openedFile(path, constants.O_RDONLY | constants.O_NONBLOCK)
    if (!fstatSync(file.fd).isFile()) return false
    const buffer = Buffer.alloc(MAX_FILE_BYTES)
    const text = buffer.toString('utf8', 0, readSync(file.fd, buffer, 0, MAX_FILE_BYTES, 0))
    return pattern === undefined ? text !== '' : pattern.test(text)
  } catch {
    // A file that cannot be read signs no agent in.
    return false
  }
}

const READERS = {
  claude_auth_status(outcome) {
    if (outcome.kind !== 'exited') return unknown(outcome)
    const status = jsonIn(outcome.stdout)
    if (typeof status !== 'object' || status === null || !('loggedIn' in status)) return unknown(outcome)
    if (status.loggedIn !== true) return SIGNED_OUT
    const method = 'authMethod' in status && typeof status.authMethod === 'string' ? status.authMethod : ''
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

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Another version may print something else.
    return null
  }
}
