/**
 * Detects that the reader of a pipe has gone (`| head -1`) while there is nothing to write; Node notices only on a
 * write. GNU `tail`, following a file that never grows, dies of SIGPIPE when its output has no reader. Without GNU
 * `tail` the next write detects it.
 */
import { fstatSync } from 'node:fs'

/** How often `tail` checks; it holds the pipe at most this long after Bosun was killed. */
const CHECK_SECONDS = '0.2'

/** Calls `onGone` at most once. The returned function stops watching. */
export function watchReader(fd: number, onGone: () => void): () => void {
  if (process.platform !== 'linux' || !fstatSync(fd).isFIFO()) return () => undefined
  // Loaded lazily: most commands follow nothing.
  const { spawn } = process.getBuiltinModule('node:child_process')
  const args = ['-f', '-s', CHECK_SECONDS, `--pid=${process.pid}`, '/dev/null']
  const tail = spawn('tail', args, { stdio: ['ignore', fd, 'ignore'] })
  // Not installed: the next write detects it.
  tail.once('error', () => undefined)
  tail.once('exit', (_, signal) => {
    if (signal === 'SIGPIPE') onGone()
  })
  tail.unref()
  return () => void tail.kill()
}
