/** Understands the request that a command sent. */
import type { z } from 'zod'
import type { Host } from '../../app/host/host.ts'
import { understandRequest } from '../../app/intake/understand-request.ts'
import { readSettings } from '../../config/read-settings.ts'
import { findWorkTree } from '../../config/repository.ts'
import type { IntakeAnswer, intakeRequest } from '../../protocol/intake.ts'

export async function intakeFrom(host: Host, request: z.output<typeof intakeRequest>): Promise<IntakeAnswer> {
  const { cwd, text, file_name: fileName, type, scope, workflow } = request
  const [repository, settings] = await Promise.all([findWorkTree(cwd), readSettings(cwd)])
  const overrides = { type, scope, workflow }
  const understood = await understandRequest(host, {
    text,
    fileName,
    repository,
    settings,
    env: process.env,
    overrides,
  })
  const { intake, next, plan, summary } = understood
  const { estimate, ...rest } = intake
  const { timeMs, ...figures } = estimate
  return { ...rest, summary, estimate: { ...figures, time_ms: timeMs }, next, plan }
}
