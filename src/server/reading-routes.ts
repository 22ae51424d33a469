/** Routes that only read. The daemon serves them; without one, commands run them on the database. */
import { Hono } from 'hono'
import type { HostToRead } from '../app/host/host-to-read.ts'
import type { DaemonFacts } from '../protocol/answers.ts'
import { answerError, answerThrown } from './answer-error.ts'
import type { Routes } from './app.ts'
import { activityReadings } from './routes/activity.ts'
import { daemonReadings } from './routes/daemon.ts'
import { inboxReadings } from './routes/inbox.ts'
import { planReadings } from './routes/plans.ts'
import { workerReadings } from './routes/workers.ts'

export interface ReadingDoor {
  readonly host: HostToRead
  /** Null without a daemon. */
  readonly facts: DaemonFacts | null
}

export function readingRoutes(routes: Routes, door: ReadingDoor): void {
  planReadings(routes, door)
  inboxReadings(routes, door)
  activityReadings(routes, door)
  workerReadings(routes, door)
  daemonReadings(routes, door)
}

export interface ReadAnswer {
  readonly status: number
  readonly text: string
}

/** Runs one route without a socket. */
export function readHere(door: ReadingDoor): (path: string) => Promise<ReadAnswer> {
  const [app, api]: [Routes, Routes] = [new Hono(), new Hono()]
  readingRoutes(api, door)
  app.route('/api', api)
  answerErrors(app, () => undefined)
  return async (path) => {
    const answer = await app.request(path)
    return { status: answer.status, text: await answer.text() }
  }
}

/** Answers calls of routes that do not exist, and errors that routes throw. */
export function answerErrors(app: Routes, onError: (what: string, error: unknown) => void): void {
  app.notFound((c) =>
    answerError(404, { code: 'not_found', message: `no route ${c.req.path}`, remedy: 'Check the path.' }),
  )
  app.onError((error, c) => answerThrown(error, `${c.req.method} ${c.req.path}`, onError))
}
