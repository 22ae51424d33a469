/** Measures event loop lag: how long callbacks wait for their turn. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Seldom enough to cost nothing; shorter delays do not matter. */
const EVERY_MS = 500
const NS_PER_MS = 1_000_000

export interface LoopLag {
  /** The longest wait since this was last asked. */
  take(): number
  stop(): void
}

export function watchLoopLag(): LoopLag {
  const seen = monitorEventLoopDelay({ resolution: EVERY_MS })
  seen.enable()
  return {
    take() {
      // What is counted is the time from one look to the next.
      const longest = seen.count === 0 ? 0 : seen.max / NS_PER_MS - EVERY_MS
      seen.reset()
      return Math.max(0, Math.round(longest))
    },
    stop: () => void seen.disable(),
  }
}
