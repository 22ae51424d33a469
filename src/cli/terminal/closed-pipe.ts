/**
 * Tells when the reader of a pipe has gone (`| head -1`) while there is nothing to write: a write would tell, and Node
 * itself does not look before. GNU `tail` does: following a file that never grows, it dies of SIGPIPE when its output
 * has no reader any more. Where `tail` is another one or is absent, the next write tells, as ever.
 */
import { fstatSync } from 'node:fs'

/** How often `tail` looks, and how long it holds the pipe at most after a Bosun that was killed. */
const LOOK_SECONDS = '0.2'

/** Calls at most once. What it gives back ends the looking. */
export function watchReader(fd: number, onGone: () => void): () => void {
  if (process.platform !== 'linux' || !fstatSync(fd).isFIFO()) return () => undefined
  // Loaded here: most commands never follow anything.
  const { spawn } = process.getBuiltinModule('node:child_process')
  const args = ['-f', '-s', LOOK_SECONDS, `--pid=${process.pid}`, '/dev/null']
  const tail = spawn('tail', args, { stdio: ['ignore', fd, 'ignore'] })
  // Absent: then nobody looks, and the next write tells.
  tail.once('error', () => undefined)
  tail.once('exit', (_, signal) => {
    if (signal === 'SIGPIPE') onGone()
  })
  tail.unref()
  return () => void tail.kill()
}
