import { spawn } from 'node:child_process'
import { appendFileSync, closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import type { Environment } from '../lib/process/built-environment.ts'
import { atomicCreateSync } from '../lib/files/atomic-write.ts'
import type { WorkerFolder } from './worker-folder.ts'

export interface SupervisorLaunch {
  readonly command: readonly string[]
  readonly env: Environment
  readonly folder: WorkerFolder
  /** Called when it has ended, however late, or when it can no longer begin. */
  readonly onExit: () => void
  /** How long it may take to begin. */
  readonly limitMs?: number | undefined
}

/** A process that hangs before its first line would otherwise be waited for without end. */
const LAUNCH_LIMIT_MS = 60_000

const MAX_COMPLAINT = 500

/** Starts a supervisor in a session of its own, so that it outlives us. `failure` settles only if it never took the worker. */
export function launchSupervisor(launch: SupervisorLaunch): { readonly failure: Promise<string> } {
  const { folder, onExit, limitMs = LAUNCH_LIMIT_MS } = launch
  const [file = '', ...args] = launch.command
  const { promise, resolve } = Promise.withResolvers<string>()
  const limit = setTimeout(() => {
    forbid(folder)
    onExit()
  }, limitMs).unref()
  const onEnd = (): void => {
    clearTimeout(limit)
    const failure = endedAtOnce(folder)
    if (failure !== null) resolve(failure)
    onExit()
  }
  try {
    const complaints = openSync(folder.supervisorLog, 'a', 0o600)
    const child = spawn(file, [...args, folder.path], {
      cwd: folder.path,
      env: launch.env,
      detached: true,
      stdio: ['ignore', 'ignore', complaints],
    })
    closeSync(complaints)
    child.unref()
    child.on('exit', onEnd)
    child.on('error', ({ message }) => {
      appendFileSync(folder.supervisorLog, `${message}\n`)
      onEnd()
    })
  } catch (error) {
    clearTimeout(limit)
    resolve(`cannot start the supervisor: ${error instanceof Error ? error.message : String(error)}`)
  }
  return { failure: promise }
}

const endedAtOnce = (folder: WorkerFolder): string | null =>
  existsSync(folder.identity) ? null : `the supervisor exited at once: ${complaint(folder)}`

/** Creates the identity file, which owns the worker: a late supervisor finds it and starts nothing. */
function forbid(folder: WorkerFolder): void {
  try {
    atomicCreateSync(folder.identity, JSON.stringify({ supervisor: null, agent: null }))
  } catch {
    // Its folder is gone: then nothing begins in it.
  }
}

function complaint(folder: WorkerFolder): string {
  try {
    const lines = readFileSync(folder.supervisorLog, 'utf8').trim().split('\n')
    return (lines.find((line) => /error/i.test(line)) ?? lines.at(-1) ?? '').slice(0, MAX_COMPLAINT)
  } catch {
    // Its folder is gone: then that is what it had to complain about.
    return `no such folder: ${folder.path}`
  }
}
