/** Moves refs of Bosun's own repository, each by compare and swap. */
import type { GitSession, Reading } from './git-session.ts'
import type { Git, GitPlace } from './git.ts'
import { SerialQueue } from '../../lib/serial-queue.ts'

/** Asked for ahead, while git answers anyway: it is one answer less to wait for. An open transaction locks nothing. */
const START = 'start\0'
const DONE = 'start: ok\ncommit: ok\n'

export class RefWriter {
  readonly #session: GitSession
  /** A git that refuses one change ends, and would take others that wait with it. */
  readonly #turns = new SerialQueue()

  constructor(git: Git, at: GitPlace) {
    this.#session = git.session({ args: ['update-ref', '-z', '--stdin'], at, greeting: START })
  }

  /** From `from` (null: it is not there) to `to`. Throws GitFailed where it is something else by now. */
  set(ref: string, to: string, from: string | null): Promise<void> {
    const change = from === null ? `create ${ref}\0${to}\0` : `update ${ref}\0${to}\0${from}\0`
    return this.#turns.run(() => this.#session.ask(`${change}commit\0${START}`, readDone))
  }
}

function readDone(bytes: Buffer): Reading<void> {
  if (bytes.length < DONE.length) return { needs: DONE.length }
  const reply = bytes.toString('utf8', 0, DONE.length)
  if (reply !== DONE) throw new Error(`unexpected output of git update-ref: ${reply}`)
  return { value: undefined, used: DONE.length }
}
