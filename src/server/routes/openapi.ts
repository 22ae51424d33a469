import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PACKAGE_ROOT } from '../../lib/system/package-root.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Routes } from '../routing.ts'

/** The API as OpenAPI, as the build left it. */
export function openapiRoutes(routes: Routes, file = join(PACKAGE_ROOT, 'dist/openapi.json')): void {
  routes.get('/openapi.json', async () => ({
    status: 200,
    headers: { 'Content-Type': 'application/json' },
    body: await readFile(file, 'utf8').catch((cause: unknown) => {
      throw new Refusal({
        code: 'not_found',
        message: 'this build has no openapi.json',
        remedy: 'Build it: npm run build',
        cause,
      })
    }),
  }))
}
