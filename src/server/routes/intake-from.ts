/** Understands the request that a command sent. */
import { existsSync, readdirSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { z } from 'zod'
import type { Host } from '../../app/host/host.ts'
import { understandRequest } from '../../app/intake/understand-request.ts'
import { readSettings } from '../../config/read-settings.ts'
import { findWorkTree } from '../../config/repository.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { IntakeAnswer, intakeRequest } from '../../protocol/intake.ts'

export async function intakeFrom(host: Host, request: z.output<typeof intakeRequest>): Promise<IntakeAnswer> {
  const { cwd, text, file_name: fileName, type, scope, workflow, variables } = request
  if (!isAbsolute(cwd) || !existsSync(cwd)) throw noFolder(cwd)
  const [repository, settings] = await Promise.all([findWorkTree(cwd), readSettings(cwd)])
  const overrides = { type, scope, workflow }
  const understood = await understandRequest(host, {
    text,
    fileName,
    repository,
    isFolderEmpty: repository === null && isEmptyFolder(cwd),
    settings,
    env: process.env,
    overrides,
    variables,
  })
  const { intake, next, plan, summary, openPoints } = understood
  const { estimate, ...rest } = intake
  const { timeMs, ...figures } = estimate
  return {
    ...rest,
    summary,
    estimate: { ...figures, time_ms: timeMs },
    ...(openPoints === 0 ? {} : { open_points: openPoints }),
    next,
    plan,
  }
}

/** Hidden files are settings. A folder that may not be read is not known to be empty. */
function isEmptyFolder(folder: string): boolean {
  try {
    return readdirSync(folder).every((name) => name.startsWith('.'))
  } catch {
    return false
  }
}

const noFolder = (cwd: string): Refusal =>
  new Refusal({
    code: 'usage',
    message: `no folder ${cwd}`,
    remedy: 'Give the absolute path of a folder that exists (cwd).',
  })
