/** Starts the daemon as a detached process that outlives the command. */
import { open, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../lib/refusal.ts'
import { makeStateFolder } from '../lib/files/state-folder.ts'

export type StartDaemon = () => Promise<StartedDaemon>

export interface StartedDaemon {
  /** Null while it runs. `held`: it gave up because another daemon has the lock. */
  ended(): DaemonEnd | null
}

export type DaemonEnd = { readonly kind: 'held' } | { readonly kind: 'failed'; readonly why: string }

export interface DaemonProgram {
  /** The state root. */
  readonly root: string
  /** Program and arguments. */
  readonly command: readonly [string, ...string[]]
  readonly env: Readonly<Record<string, string | undefined>>
  /** The exit code for a held lock. */
  readonly heldExit: number
}

const MAX_LOG_BYTES = 4 * 1024 * 1024
const SHOWN = 600

export async function startDaemon(program: DaemonProgram): Promise<StartedDaemon> {
  const problem = await makeStateFolder(program.root)
  if (problem !== null) {
    const { what, where, remedy } = problem
    throw new Refusal({ code: 'no_daemon', message: `${what}: ${where}`, remedy })
  }
  const path = join(program.root, 'daemon.log')
  const before = await makeRoom(path)
  const log = await open(path, 'a', 0o600).catch((cause: NodeJS.ErrnoException) => {
    const message = `cannot write to the state root (${cause.code ?? cause.message}): ${program.root}`
    const remedy = 'Set BOSUN_HOME to a writable folder on a local disk.'
    throw new Refusal({ code: 'no_daemon', message, remedy, cause })
  })
  const { spawn } = process.getBuiltinModule('node:child_process')
  const [command, ...args] = program.command
  let end: DaemonEnd | null = null
  try {
    const child = spawn(command, args, {
      cwd: program.root,
      // BOSUN_HOME explicitly, since its working directory differs. With one arena, glibc keeps less of what threads have
      // freed: after a plan the daemon takes 5 MiB less (bench/idle-memory).
      env: { MALLOC_ARENA_MAX: '1', ...program.env, BOSUN_HOME: program.root },
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    })
    child.on('error', (error) => (end = { kind: 'failed', why: error.message }))
    child.on('exit', (code, signal) => {
      if (code === program.heldExit) end = { kind: 'held' }
      else void lastWords(path, before, code, signal).then((why) => (end = { kind: 'failed', why }))
    })
    child.unref()
  } finally {
    await log.close()
  }
  return { ended: () => end }
}

/** Rotates a long log; returns the length of the current one. */
async function makeRoom(path: string): Promise<number> {
  try {
    const { size } = await stat(path)
    if (size <= MAX_LOG_BYTES) return size
    await rename(path, `${path}.1`)
    return 0
  } catch {
    // There is none yet.
    return 0
  }
}

/** What the daemon logged before it exited. */
async function lastWords(
  path: string,
  from: number,
  code: number | null,
  signal: NodeJS.Signals | null,
): Promise<string> {
  const otherwise = `it ended with ${code ?? signal ?? 'an unknown exit code'}`
  try {
    const text = (await readFile(path)).subarray(from).toString('utf8').trim()
    if (text === '') return otherwise
    const words = text.slice(-SHOWN).replace(/^error: /, '')
    return signal === null ? words : `${otherwise}; its last words: ${words}`
  } catch {
    return otherwise
  }
}
