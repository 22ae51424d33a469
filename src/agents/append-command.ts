import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import type { WorkerCommand, WorkerFolder } from './worker-folder.ts'

/** Queues a command for a supervisor, running or not. */
export function appendCommand(folder: WorkerFolder, command: WorkerCommand): void {
  const file = openSync(folder.commands, 'a', 0o600)
  try {
    // An earlier writer may have died in the middle of a line.
    writeSync(file, `\n${JSON.stringify(command)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
