/** Everything that happens, over all daemons that come and go. None of them is started for it. */
import type { Daemon } from '../client/daemon.ts'
import { Refusal } from '../lib/refusal.ts'
import type { EventMessage } from '../protocol/answers.ts'
import type { Call } from './command.ts'

const POLL_MS = 500

export interface Followed {
  readonly daemon: Daemon
  /** Null when a daemon was found, before anything is heard of it. */
  readonly message: EventMessage | null
}

/** From a place in the log on. Where no daemon runs, that is said once, and one is waited for. */
export async function* followDaemons(
  call: Call,
  { after, until }: { readonly after: number; readonly until: AbortSignal },
): AsyncGenerator<Followed> {
  let seq = after
  for (;;) {
    const daemon = await nextDaemon(call, until)
    if (daemon === null) return
    yield { daemon, message: null }
    try {
      for await (const message of daemon.events({ after: seq }, until)) {
        seq = message.seq ?? seq
        yield { daemon, message }
      }
    } catch (error) {
      // It was ended, or has died: whoever sets plans going again starts the next one.
      if (!(error instanceof Refusal) || error.code !== 'no_daemon') throw error
    }
  }
}

/** Null when nobody waits any more. */
async function nextDaemon(call: Call, until: AbortSignal): Promise<Daemon | null> {
  let isSaid = false
  while (!until.aborted) {
    const daemon = await call.parts.runningDaemon()
    if (daemon !== null) return daemon
    if (!isSaid) call.terminal.say(WAITING)
    isSaid = true
    await pause(until)
  }
  return null
}

const WAITING =
  'no daemon runs: nothing happens until a command sets plans going (bosun resume); this waits for it\n'

/** Ends early, and never rejects, when nobody waits any more. */
function pause(until: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      until.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, POLL_MS)
    until.addEventListener('abort', end)
  })
}
