/** Follows events across daemon restarts, without starting a daemon. */
import { setTimeout } from 'node:timers/promises'
import type { Daemon } from '../../client/daemon.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { EventMessage } from '../../protocol/answers.ts'
import type { Call } from '../command.ts'

const POLL_MS = 500

export interface FollowedMessage {
  readonly daemon: Daemon
  /** Null when a daemon was found, before its first message. */
  readonly message: EventMessage | null
}

interface ToFollow {
  readonly after: number
  readonly interrupted: AbortSignal
  /** `notices` of the stream's query. */
  readonly notices?: 'terminal' | undefined
}

/**
 * From a position in the log on, until interrupted or until nothing reads the output any more. While no daemon runs it
 * says so once, and waits for one.
 */
export async function* followDaemons(
  call: Call,
  { after, interrupted, notices }: ToFollow,
): AsyncGenerator<FollowedMessage> {
  const unread = new AbortController()
  const stopLooking = call.terminal.onUnread(() => unread.abort())
  try {
    yield* followUntil(call, { after, notices }, AbortSignal.any([interrupted, unread.signal]))
  } finally {
    stopLooking()
  }
}

async function* followUntil(
  call: Call,
  { after, notices }: Pick<ToFollow, 'after' | 'notices'>,
  until: AbortSignal,
): AsyncGenerator<FollowedMessage> {
  let seq = after
  for (;;) {
    const daemon = await nextDaemon(call, until)
    if (daemon === null) return
    yield { daemon, message: null }
    try {
      for await (const message of daemon.events({ after: seq, notices }, until)) {
        seq = message.seq ?? seq
        yield { daemon, message }
      }
    } catch (error) {
      // The daemon stopped or died; the next command that needs one starts it.
      if (!(error instanceof Refusal) || error.code !== 'no_daemon') throw error
    }
  }
}

/** Null once `until` is aborted. */
async function nextDaemon(call: Call, until: AbortSignal): Promise<Daemon | null> {
  let isReported = false
  while (!until.aborted) {
    const daemon = await call.services.runningDaemon()
    if (daemon !== null) return daemon
    if (!isReported) call.terminal.printMessage(WAITING)
    isReported = true
    // Ends early when aborted.
    await setTimeout(POLL_MS, undefined, { signal: until }).catch(() => undefined)
  }
  return null
}

const WAITING = 'no daemon is running; waiting for one (start it with: bosun resume)\n'
