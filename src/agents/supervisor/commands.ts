import { appendFileSync } from 'node:fs'
import { LineTail } from '../../lib/files/line-tail.ts'
import { watchGrowth } from '../../lib/files/watch-growth.ts'
import type { WorkerCommand } from '../worker-folder.ts'

const MAX_COMMAND_BYTES = 1024 * 1024
const POLL_MS = 1000

/** Calls with each command Bosun gave and gives, in order. Ends when the returned function is called. */
export function followCommands(path: string, onCommand: (command: WorkerCommand) => void): () => void {
  const tail = new LineTail(path, MAX_COMMAND_BYTES)
  const look = (): void => {
    for (const line of tail.read()) {
      const command = commandIn(line)
      if (command !== null) onCommand(command)
    }
  }
  // Only what is there can be watched.
  appendFileSync(path, '', { mode: 0o600 })
  const unwatch = watchGrowth(path, POLL_MS, look)
  look()
  return unwatch
}

/** Null for an empty line, and for one that was cut short: such a command was never given. */
function commandIn(line: string): WorkerCommand | null {
  try {
    return line === '' ? null : (JSON.parse(line) as WorkerCommand)
  } catch {
    return null
  }
}
