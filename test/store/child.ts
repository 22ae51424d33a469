/** Fixture programs as child processes, watched by the lines they print. */
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface Child {
  readonly process: ChildProcess
  /** The next line, or null once there is no more. */
  line(): Promise<string | null>
  /** Kills it and resolves when it is gone, with the unread lines. */
  kill(): Promise<readonly string[]>
}

export function startFixture(name: string, ...args: string[]): Child {
  const file = join(import.meta.dirname, '..', 'fixtures', 'store', name)
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const gone = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => resolve())
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const line = async () => {
    const next = await lines.next()
    return next.done === true ? null : next.value
  }
  const kill = async () => {
    child.kill('SIGKILL')
    const rest: string[] = []
    for (let next = await line(); next !== null; next = await line()) rest.push(next)
    await gone
    return rest
  }
  return { process: child, line, kill }
}
