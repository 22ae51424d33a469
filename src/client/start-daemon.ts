/** Starts the daemon as a process of its own, which outlives the command that needed it. */
import { open, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../lib/refusal.ts'
import { makeStateFolder } from '../lib/files/state-folder.ts'

export type StartDaemon = () => Promise<StartedDaemon>

export interface StartedDaemon {
  /** Null while it runs. `held` gave up because another one is at work on this state. */
  ended(): DaemonEnd | null
}

export type DaemonEnd = { readonly kind: 'held' } | { readonly kind: 'failed'; readonly why: string }

export interface DaemonProgram {
  /** The state root. */
  readonly root: string
  /** What is run: a program and its arguments. */
  readonly command: readonly [string, ...string[]]
  readonly env: Readonly<Record<string, string | undefined>>
  /** The exit code that says that another one has the lock. */
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
    const message = `Bosun cannot write its state (${cause.code ?? cause.message}): ${program.root}`
    const remedy = 'Set BOSUN_HOME to a folder that you can write to, on a local disk.'
    throw new Refusal({ code: 'no_daemon', message, remedy, cause })
  })
  const { spawn } = process.getBuiltinModule('node:child_process')
  const [command, ...args] = program.command
  let end: DaemonEnd | null = null
  try {
    const child = spawn(command, args, {
      cwd: program.root,
      // Said once more, since the folder it runs in is another one.
      env: { ...program.env, BOSUN_HOME: program.root },
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    })
    child.on('error', (error) => (end = { kind: 'failed', why: error.message }))
    child.on('exit', (code, signal) => {
      if (code === program.heldExit) end = { kind: 'held' }
      else
        void lastWords(path, before, `exit ${code ?? signal ?? ''}`).then(
          (why) => (end = { kind: 'failed', why }),
        )
    })
    child.unref()
  } finally {
    await log.close()
  }
  return { ended: () => end }
}

/** Puts a long log aside, and says how long the one that is left is. */
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

/** What the daemon said before it ended. */
async function lastWords(path: string, from: number, otherwise: string): Promise<string> {
  try {
    const text = (await readFile(path)).subarray(from).toString('utf8').trim()
    return text === '' ? otherwise : text.slice(-SHOWN).replace(/^error: /, '')
  } catch {
    return otherwise
  }
}
