/** Routes that only read. The daemon serves them; without one, commands run them on the database. */
import type { HostToRead } from '../app/host/host-to-read.ts'
import type { DaemonFacts } from '../protocol/answers.ts'
import { answerError, answerThrown } from './answer-error.ts'
import { pathOf } from './guard.ts'
import { machineReadings } from './routes/machine.ts'
import { inboxReadings } from './routes/people.ts'
import { planReadings } from './routes/plans.ts'
import { workerReadings } from './routes/workers.ts'
import { findHandler, type Answer, type Handlers, type HttpRequest } from './routing.ts'

export interface ReadingDoor {
  readonly host: HostToRead
  /** Null without a daemon. */
  readonly facts: DaemonFacts | null
}

export const readingRoutes = (door: ReadingDoor): Handlers => ({
  ...machineReadings(door),
  ...planReadings(door),
  ...inboxReadings(door),
  ...workerReadings(door),
})

export interface ReadAnswer {
  readonly status: number
  readonly text: string
}

/** Runs one route without a socket. */
export function readHere(door: ReadingDoor): (target: string) => Promise<ReadAnswer> {
  const handlers = readingRoutes(door)
  const request = {
    method: 'GET',
    headers: new Map<string, string>(),
    text: () => Promise.resolve(''),
    gone: () => new AbortController().signal,
  }
  return async (target) => {
    const { status, body } = await answerFrom(handlers, { ...request, target }, () => undefined)
    return { status, text: typeof body === 'string' ? body : '' }
  }
}

/** Errors that a route throws, and calls of routes that do not exist, become answers. */
export async function answerFrom(
  handlers: Handlers,
  request: HttpRequest,
  onError: (what: string, error: unknown) => void,
): Promise<Answer> {
  const path = pathOf(request)
  const call = findHandler(handlers, request)
  if (call === null)
    return answerError(404, { code: 'not_found', message: `no route ${path}`, remedy: 'Check the path.' })
  try {
    return await call()
  } catch (error) {
    return answerThrown(error, `${request.method} ${path}`, onError)
  }
}
