/** Slow agents take half a minute to begin on a busy machine. */
const MOST_MS = 120_000

/** The answer to a request that has to be answered soon. */
export async function answerInTime<T>(method: string, answer: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new Error(`no answer to ${method} within ${MOST_MS / 1000} s`)),
    MOST_MS,
  )
  try {
    return await Promise.race([answer, promise])
  } finally {
    clearTimeout(timer)
  }
}
