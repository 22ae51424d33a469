/** Understands the request that a command sent. */
import { existsSync, readdirSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { z } from 'zod'
import type { Host } from '../../app/host/host.ts'
import { understandRequest } from '../../app/intake/understand-request.ts'
import { readSettings } from '../../config/read-settings.ts'
import { findWorkTree } from '../../config/repository.ts'
import { Refusal, usageRefusal } from '../../lib/refusal.ts'
import type { IntakeAnswer, intakeRequest } from '../../protocol/intake.ts'

export async function intakeFrom(
  host: Host,
  request: z.output<typeof intakeRequest>,
  signal = new AbortController().signal,
): Promise<IntakeAnswer> {
  const {
    cwd,
    text,
    file_name: fileName,
    variables = {},
    answers,
    understood: before,
    round,
    judge,
  } = request
  const { type, scope, workflow, title, criteria } = request
  if (!isAbsolute(cwd) || !existsSync(cwd)) throw noFolder(cwd)
  const [repository, settings] = await Promise.all([findWorkTree(cwd), readSettings(cwd)])
  return understandRequest(host, {
    text,
    fileName,
    repository,
    isFolderEmpty: repository === null && isEmptyFolder(cwd),
    settings,
    env: process.env,
    decided: { type, scope, workflow, title, criteria },
    answers,
    seen: before,
    round,
    mayJudge: judge,
    variables,
    signal,
  })
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
  usageRefusal(`no folder ${cwd}`, 'Give the absolute path of a folder that exists (cwd).')
