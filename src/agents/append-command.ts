import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import type { WorkerCommand, WorkerFolder } from './worker-folder.ts'

/** Tells a supervisor something, whether it runs now or not. */
export function appendCommand(folder: WorkerFolder, command: WorkerCommand): void {
  const file = openSync(folder.commands, 'a', 0o600)
  try {
    // Whoever wrote before may have died in the middle of a line.
    writeSync(file, `\n${JSON.stringify(command)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
