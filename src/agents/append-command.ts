import { appendFileSync } from 'node:fs'
import type { WorkerCommand, WorkerFolder } from './worker-folder.ts'

/** Queues a command for a supervisor, running or not. */
export function appendCommand(folder: WorkerFolder, command: WorkerCommand): void {
  // An earlier writer may have died in the middle of a line.
  appendFileSync(folder.commands, `\n${JSON.stringify(command)}\n`, { mode: 0o600, flush: true })
}
