/** Understands the request that a command sent. */
import { existsSync, readdirSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { z } from 'zod'
import type { Host } from '../../app/host/host.ts'
import { understandRequest } from '../../app/intake/understand-request.ts'
import type { Estimate, SeenWork } from '../../core/intake/intake.ts'
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
  const understood = await understandRequest(host, {
    text,
    fileName,
    repository,
    isFolderEmpty: repository === null && isEmptyFolder(cwd),
    settings,
    env: process.env,
    decided: { type, scope, workflow, title, criteria },
    answers,
    seen: before === null ? null : seenWork(before),
    round,
    mayJudge: judge,
    variables,
    signal,
  })
  const { intake, next, plan, summary, openPoints, notJudged } = understood
  const { estimate, work, judgedBy, ...rest } = intake
  const { testsToAdd, outOfScope, ...told } = work
  return {
    ...rest,
    summary,
    judged_by: judgedBy,
    not_judged: notJudged,
    work: { ...told, tests_to_add: testsToAdd, out_of_scope: outOfScope },
    estimate: estimate === null ? null : estimateRow(estimate),
    ...(openPoints === 0 ? {} : { open_points: openPoints }),
    next,
    plan,
  }
}

function seenWork({
  tests_to_add: testsToAdd,
  out_of_scope: outOfScope,
  ...work
}: NonNullable<z.output<typeof intakeRequest>['understood']>): SeenWork {
  return { ...work, testsToAdd, outOfScope }
}

const estimateRow = ({ timeMs, ...figures }: Estimate): IntakeAnswer['estimate'] => ({
  ...figures,
  time_ms: timeMs,
})

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
