/**
 * Passes calls to the routes as web requests. Loading this (Node's `Request` and `Response` most of all) is a good part of
 * a daemon's start, so it is imported after the rest has started (bench/recovery).
 */
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { createApp, type Door } from './app.ts'
import type { Respond } from './listen.ts'

export type Answer = (request: Request, env: HttpBindings) => Promise<Response>

export function webDoor(door: Door): Respond {
  const app = createApp(door)
  return throughWeb(async (request, env) => app.fetch(request, env))
}

export function throughWeb(answer: Answer): Respond {
  const listener = getRequestListener(async (request, env) => answer(request, env as HttpBindings), {
    overrideGlobalObjects: false,
  })
  return (incoming, outgoing) => void listener(incoming, outgoing)
}
