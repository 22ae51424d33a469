/** Waits until this has settled, however it did, and no longer than that. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise: tooLate, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work, tooLate]).catch(() => undefined)
  clearTimeout(timer)
}
