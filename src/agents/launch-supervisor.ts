import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { builtEnvironment } from '../lib/process/built-environment.ts'
import type { WorkerFolder } from './worker-folder.ts'

export interface Launch {
  readonly command: readonly string[]
  readonly folder: WorkerFolder
  readonly env: Readonly<Record<string, string | undefined>>
  /** Called when it has ended, however late. */
  readonly onExit: () => void
}

const MAX_COMPLAINT = 500

/** Starts a supervisor in a session of its own, so that it outlives us. `failure` settles only if it never took the worker. */
export function launchSupervisor(launch: Launch): { readonly failure: Promise<string> } {
  const { folder } = launch
  const [file = '', ...args] = launch.command
  const log = openSync(folder.supervisorLog, 'a', 0o600)
  const { promise, resolve } = Promise.withResolvers<string>()
  try {
    const child = spawn(file, [...args, folder.path], {
      cwd: folder.path,
      env: builtEnvironment(launch.env),
      detached: true,
      stdio: ['ignore', 'ignore', log],
    })
    child.unref()
    child.on('error', (error) => resolve(`its supervisor could not be started: ${error.message}`))
    child.on('exit', () => {
      if (!existsSync(folder.identity)) resolve(`its supervisor ended at once: ${complaint(folder)}`)
      launch.onExit()
    })
  } finally {
    closeSync(log)
  }
  return { failure: promise }
}

function complaint(folder: WorkerFolder): string {
  try {
    const lines = readFileSync(folder.supervisorLog, 'utf8').trim().split('\n')
    return (lines.find((line) => /error/i.test(line)) ?? lines.at(-1) ?? '').slice(0, MAX_COMPLAINT)
  } catch {
    // Its folder is gone: then that is what it had to complain about.
    return `there is no ${folder.path}`
  }
}
