import { intakeRequest } from '../../protocol/intake.ts'
import type { Door } from '../app.ts'
import { readBody } from '../read-request.ts'
import type { Routes } from '../routing.ts'

/** Understands a request; starts nothing. */
export function intakeRoutes(routes: Routes, { host }: Door): void {
  routes.post('/intake', async (c) => {
    const request = await readBody(c, intakeRequest)
    // Loaded with the first request (bench/idle-memory).
    const { intakeFrom } = await import('./intake-from.ts')
    return c.json(await intakeFrom(host, request, c.request.gone()))
  })
}
