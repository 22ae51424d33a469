/**
 * Measures event loop lag: how long callbacks wait for their turn. By a timer of its own: the histogram of
 * `monitorEventLoopDelay` takes 360 KB, of which one figure would be used.
 */

/** Seldom enough to cost nothing; shorter delays do not matter. */
const EVERY_MS = 500

export interface LoopLag {
  /** The longest wait since this was last asked. */
  take(): number
  stop(): void
}

export function watchLoopLag(): LoopLag {
  let at = performance.now()
  let longest = 0
  const timer = setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - at - EVERY_MS)
    at = now
  }, EVERY_MS)
  timer.unref()
  return {
    take() {
      const taken = Math.round(longest)
      longest = 0
      return taken
    },
    stop: () => clearInterval(timer),
  }
}
