/** Whether the daemon manages projects, from what it says of itself. */
import type { DaemonFacts, Pulse } from '../../../src/protocol/answers.ts'

const OFFLINE_MS = 10 * 60_000

/** When no loop was completed for ten minutes, although it answers. */
export function isManagerOffline(
  pulse: Pulse,
  daemon: Pick<DaemonFacts, 'started_at'>,
  now: number,
): boolean {
  const last = pulse.last_loop ?? daemon.started_at
  return now - Date.parse(last) > OFFLINE_MS
}
