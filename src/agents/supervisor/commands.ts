import { appendFileSync } from 'node:fs'
import { watchGrowth } from '../../lib/files/watch-growth.ts'
import { asDamage, DamagedFile } from '../worker-files/damaged-file.ts'
import { CommandTail } from '../worker-files/worker-commands.ts'
import type { WorkerCommand } from '../worker-folder.ts'

const POLL_MS = 1000

/**
 * Calls with each command Bosun gave and gives, in order, or once with what is wrong with the file: nobody can reach the
 * worker through it any more. Ends when the returned function is called.
 */
export function followCommands(
  path: string,
  onCommand: (command: WorkerCommand) => void,
  onDamage: (damage: DamagedFile) => void,
): () => void {
  const tail = new CommandTail(path)
  let unwatch = (): void => undefined
  const guarded = (work: () => void): void => {
    try {
      work()
    } catch (error) {
      const damage = asDamage(path, error)
      // The machine is short of something: the next look may succeed.
      if (!(damage instanceof DamagedFile)) return
      unwatch()
      onDamage(damage)
    }
  }
  const look = (): void => guarded(() => tail.read().forEach(onCommand))
  guarded(() => {
    // Only what is there can be watched.
    appendFileSync(path, '', { mode: 0o600 })
    unwatch = watchGrowth(path, POLL_MS, look)
    look()
  })
  return () => unwatch()
}
