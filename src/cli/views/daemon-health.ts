/** The health of the daemon, for people. */
import { localMoment } from '../../lib/system/local-time.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { StatusReading } from '../../protocol/answers.ts'
import type { Style } from '../terminal/terminal.ts'

/** Without a completed loop for this long the daemon is stuck, even if it responds. */
const STUCK_MS = 10 * 60_000

/** The problem of the daemon; null when it is healthy. */
export function daemonHealth(
  { pulse, daemon }: Pick<StatusReading, 'pulse' | 'daemon'>,
  { style, now }: { readonly style: Style; readonly now: number },
): string | null {
  if (daemon === null) return null
  const last = new Date(pulse.last_loop ?? daemon.started_at)
  if (now - last.getTime() > STUCK_MS) {
    const since = localMoment(last, new Date(now))
    return style.red(
      `PM offline since ${since}: the daemon (pid ${daemon.pid}) is not responding; restart it: bosun stop, then bosun resume`,
    )
  }
  if (pulse.damage !== null) return style.red(terminalLine(pulse.damage))
  return pulse.overloaded === null
    ? null
    : style.yellow(`PM overloaded: ${pulse.overloaded}; no new work is started`)
}
