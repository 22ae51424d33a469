/** How the daemon itself is, for people. */
import { localMoment } from '../../lib/local-time.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { StatusReading } from '../../protocol/answers.ts'
import type { Style } from '../terminal/terminal.ts'

/** A loop that does not turn for so long is stuck, although the daemon answers. */
const STUCK_MS = 10 * 60_000

/** What is wrong with the daemon itself; null when it is well. */
export function daemonHealth(
  { pulse, daemon }: Pick<StatusReading, 'pulse' | 'daemon'>,
  { style, now }: { readonly style: Style; readonly now: number },
): string | null {
  if (daemon === null) return null
  const last = new Date(pulse.last_loop ?? daemon.started_at)
  if (now - last.getTime() > STUCK_MS) {
    const since = localMoment(last, new Date(now))
    return style.red(
      `PM offline since ${since}: the loop of its process ${daemon.pid} does not turn; bosun stop, and it is started anew`,
    )
  }
  if (pulse.damage !== null) return style.red(terminalLine(pulse.damage))
  return pulse.overloaded === null
    ? null
    : style.yellow(`PM overloaded: ${pulse.overloaded}; nothing is begun beside what runs`)
}
