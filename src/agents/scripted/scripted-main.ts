/**
 * The built-in `scripted` agent: a worker without a model, for dry runs and the demo. It speaks the protocol of any
 * command. Its script is the file it is called with, else `BOSUN_SCRIPT`, else `bosun-script.yaml` in the workspace.
 */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { performAttempt, type Surroundings } from './perform-attempt.ts'
import { attemptFor, parseScript, type ReadScript } from './script.ts'
import { standIn } from './stand-in.ts'

const DEFAULT_SCRIPT = 'bosun-script.yaml'

/** Answers with the exit code. */
export async function scriptedMain(args: readonly string[], around: Surroundings): Promise<number> {
  const { env } = around
  const read = readScript(args[0] ?? env['BOSUN_SCRIPT'], around)
  if (!read.ok) {
    around.print(`${read.why}\n`)
    return 2
  }
  const role = env['BOSUN_ROLE'] ?? 'developer'
  const worker = { task: env['BOSUN_TASK_ID'] ?? '', role, number: numberOf(env) }
  const attempt = attemptFor(read.script, worker) ?? standIn(read.script.stand_in, worker, around)
  return performAttempt(attempt, around)
}

function readScript(path: string | undefined, { cwd }: Surroundings): ReadScript {
  const file = resolve(cwd, path ?? DEFAULT_SCRIPT)
  if (path === undefined && !existsSync(file))
    return { ok: true, script: { tasks: {}, reviews: {}, stand_in: 'empty' } }
  try {
    const read = parseScript(readFileSync(file, 'utf8'))
    return read.ok ? read : { ok: false, why: `${file}: ${read.why}` }
  } catch (error) {
    return { ok: false, why: `cannot read ${file}: ${error instanceof Error ? error.message : ''}` }
  }
}

/** The attempt, or for a reviewer the round that its name ends in. */
function numberOf(env: Surroundings['env']): number {
  const round = /-review-(\d+)$/.exec(env['BOSUN_WORKER_ID'] ?? '')?.[1]
  return Math.max(1, Number.parseInt(round ?? env['BOSUN_ATTEMPT'] ?? '1', 10) || 1)
}
