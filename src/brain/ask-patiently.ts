/** Asks a model, and again after a while where that can help. The retries are ours: those of a library hide why. */
import type { Clock } from '../ports/clock.ts'
import { ModelError, type Model, type ModelReply, type ModelRequest } from '../ports/brain.ts'

export interface Patience {
  readonly model: Model
  readonly clock: Clock
  readonly timeoutMs: number
}

/** How long to wait before each retry. */
export const RETRY_DELAYS_MS: readonly number[] = [1000, 4000]
/** A service that answers again within this time is waited for; one that does not is given up at once. */
export const LONGEST_WAIT_MS = 10_000

/** There was no reply, and asking again does not help now. */
export class OutOfPatience extends Error {
  override readonly name = 'OutOfPatience'
  override readonly cause: ModelError
  readonly requests: number

  constructor(cause: ModelError, requests: number) {
    super(cause.message)
    this.cause = cause
    this.requests = requests
  }
}

/** Rejects with `OutOfPatience`, or with the reason of the signal. */
export async function askPatiently(
  patience: Patience,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<{ readonly reply: ModelReply; readonly requests: number }> {
  for (let requests = 1; ; requests++) {
    try {
      return { reply: await askOnce(patience, request, signal), requests }
    } catch (error) {
      signal.throwIfAborted()
      const failed = error instanceof ModelError ? error : unexpected(patience.model, error)
      const retry = { retry: requests, now: patience.clock.now() }
      const delayMs = patience.model.isRetried ? delayBefore(failed, retry) : null
      if (delayMs === null) throw new OutOfPatience(failed, requests)
      await wait(patience.clock, delayMs, signal)
    }
  }
}

/** Null where no further attempt is due. */
function delayBefore(
  { failure }: ModelError,
  { retry, now }: { readonly retry: number; readonly now: number },
): number | null {
  if (failure.kind === 'unauthorized' || failure.kind === 'refused') return null
  const delayMs = RETRY_DELAYS_MS[retry - 1]
  if (delayMs === undefined) return null
  if (failure.kind !== 'limited' || failure.until === null) return delayMs
  const untilResetMs = failure.until - now
  return untilResetMs > LONGEST_WAIT_MS ? null : Math.max(0, untilResetMs)
}

async function askOnce(
  { model, clock, timeoutMs }: Patience,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<ModelReply> {
  const late = new AbortController()
  const error = new ModelError(`${model.service} did not answer within ${timeoutMs / 1000} s`, {
    kind: 'unavailable',
  })
  const disarm = clock.wake(timeoutMs, () => late.abort(error))
  try {
    return await model.ask(request, AbortSignal.any([signal, late.signal]))
  } catch (thrown) {
    throw late.signal.aborted && !signal.aborted ? error : thrown
  } finally {
    disarm()
  }
}

const unexpected = (model: Model, error: unknown): ModelError =>
  new ModelError(`${model.service} failed: ${error instanceof Error ? error.name : 'unknown error'}`, {
    kind: 'unavailable',
  })

function wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.wake(ms, () => {
      signal.removeEventListener('abort', stop)
      resolve()
    })
    const stop = (): void => {
      cancel()
      reject(signal.reason as Error)
    }
    signal.addEventListener('abort', stop, { once: true })
  })
}
