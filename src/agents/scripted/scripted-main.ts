/**
 * The built-in `scripted` agent: a worker without a model, for dry runs and the demo. It speaks the protocol of any
 * command. Its script is the file it is called with, else `BOSUN_SCRIPT`, else `bosun-script.yaml` in the workspace.
 */
import { existsSync, readFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { resolve, dirname } from 'node:path'
import { spawnSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { crewScriptSchema, type Attempt, type CrewScript, type Step } from '../../core/dry-run/crew-script.ts'
import { parseYamlText } from '../../lib/files/yaml-text.ts'
import { readIfExists } from '../../lib/files/read-if-exists.ts'

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

function numberOf(env: Surroundings['env']): number {
  const round = /-review-(\d+)$/.exec(env['BOSUN_WORKER_ID'] ?? '')?.[1]
  return Math.max(1, Number.parseInt(round ?? env['BOSUN_ATTEMPT'] ?? '1', 10) || 1)
}

type ReadScript =
  | { readonly ok: true; readonly script: CrewScript }
  | { readonly ok: false; readonly why: string }

export function parseScript(text: string): ReadScript {
  const { value, errors, lineOf } = parseYamlText(text)
  const [mistake] = errors
  if (mistake !== undefined) return { ok: false, why: `line ${mistake.line}: ${mistake.message}` }
  const parsed = crewScriptSchema.safeParse(value ?? {})
  if (parsed.success) return { ok: true, script: parsed.data }
  const [issue] = parsed.error.issues
  const keys = (issue?.path ?? []).filter((key) => typeof key !== 'symbol')
  return { ok: false, why: `line ${lineOf(keys)}: ${keys.join('.')}: ${issue?.message ?? 'invalid value'}` }
}

interface Worker {
  readonly task: string
  readonly role: string
  /** The attempt, or for a reviewer the round that its name ends in. */
  readonly number: number
}

/** What a worker does now; null where the script says nothing about its task. */
function attemptFor(script: CrewScript, worker: Worker): Attempt | null {
  const rows = (worker.role === 'reviewer' ? script.reviews : script.tasks)[worker.task]
  return rows?.[Math.min(worker.number, rows.length) - 1] ?? null
}

export interface Surroundings {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly print: (text: string) => void
  /** The whole brief of the worker. */
  readonly brief: () => string
}

/** Does what an attempt says, for real: files, output, sleep, its report. Answers with the exit code. */
export async function performAttempt(attempt: Attempt, around: Surroundings): Promise<number> {
  for (const step of attempt.steps) {
    const complaint = await performStep(step, around)
    if (complaint === null) continue
    around.print(`${complaint}\n`)
    return 1
  }
  const reportPath = around.env['BOSUN_REPORT']
  if (attempt.report !== null && reportPath !== undefined) {
    const text = typeof attempt.report === 'string' ? attempt.report : JSON.stringify(attempt.report, null, 2)
    writeFileSync(reportPath, text)
  }
  return attempt.exit
}

/** What went wrong, or null. */
async function performStep(step: Step, around: Surroundings): Promise<string | null> {
  const at = (path: string): string => resolve(around.cwd, path)
  if ('write' in step) {
    for (const [path, content] of Object.entries(step.write)) {
      mkdirSync(dirname(at(path)), { recursive: true })
      writeFileSync(at(path), content)
    }
  } else if ('edit' in step) {
    return edit(at(step.edit.file), step.edit)
  } else if ('delete' in step) {
    for (const path of step.delete) rmSync(at(path), { recursive: true, force: true })
  } else if ('print' in step) {
    around.print(`${step.print}\n`)
  } else if ('run' in step) {
    return call(['sh', '-c', step.run], around)
  } else if ('checkin' in step) {
    return call(['bosun-checkin', ...step.checkin], around)
  } else if ('sleep' in step) {
    await pause(step.sleep)
  } else {
    // Sleeps until it is killed.
    for (;;) await pause(2 ** 31 - 1)
  }
  return null
}

function edit(
  file: string,
  { find, replace }: { readonly find: string; readonly replace: string },
): string | null {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    // The script names a path that is missing or not a file.
    return `cannot read ${file}`
  }
  if (!text.includes(find)) return `${file} does not contain ${JSON.stringify(find)}`
  writeFileSync(
    file,
    text.replace(find, () => replace),
  )
  return null
}

function call([file = '', ...args]: readonly string[], { cwd, env, print }: Surroundings): string | null {
  const { status, signal, error, stdout, stderr } = spawnSync(file, args, { cwd, env, encoding: 'utf8' })
  if (error !== undefined) return `${file}: ${error.message}`
  print(`${stdout}${stderr}`)
  return status === 0 ? null : `${file} ${args.join(' ')} exited with ${status ?? signal}`
}

/** The default of a worker that the script does not name: a developer creates the files of its contract, a reviewer approves. */
const paths = z.array(z.string()).catch([])
const contractSchema = z.object({
  title: z.string().catch('the task'),
  expected_files: z.object({ create: paths, modify: paths }).catch({ create: [], modify: [] }),
  tests_to_add: paths,
})
type Contract = z.infer<typeof contractSchema>

function standIn(how: CrewScript['stand_in'], worker: Worker, around: Surroundings): Attempt {
  if (worker.role === 'reviewer') {
    return { steps: [], report: { verdict: 'approved', summary: 'nothing was looked at' }, exit: 0 }
  }
  const path = around.env['BOSUN_CONTRACT']
  const contract = contractSchema.parse(JSON.parse((path === undefined ? null : readIfExists(path)) ?? '{}'))
  return how === 'empty' ? emptyFiles(contract) : placeholders(contract, worker, around)
}

function emptyFiles({ title, expected_files: { create } }: Contract): Attempt {
  const write = Object.fromEntries(create.map((file) => [file, '']))
  return {
    steps: create.length === 0 ? [] : [{ write }],
    report: {
      explanation: `created empty files for ${title}`,
      self_assessment: 'uncertain',
      files: { created: create },
    },
    exit: 0,
  }
}

/** One line per file; a later attempt marks it as revised and repeats the feedback. */
function placeholders(contract: Contract, worker: Worker, around: Surroundings): Attempt {
  const { create, modify } = contract.expected_files
  const named = [...new Set([...create, ...modify, ...contract.tests_to_add])]
  const files = named.length === 0 ? [`dry-run/task-${worker.task.replaceAll(/\W+/g, '-')}.txt`] : named
  const feedback = worker.number === 1 ? null : feedbackIn(around.brief())
  const revised = feedback === null ? '' : ` [revised] ${feedback}`
  const line = `dry run: task ${worker.task} (${contract.title}), attempt ${worker.number}${revised}\n`
  const write = Object.fromEntries(
    files.map((file) => [file, `${readIfExists(resolve(around.cwd, file)) ?? ''}${line}`]),
  )
  return {
    steps: [{ write }],
    report: {
      explanation: `placeholder for ${contract.title}${revised}`,
      self_assessment: 'confident',
      files: { created: create, modified: modify },
      review_note: {
        summary: `Placeholder of a dry run for ${contract.title}${revised}`,
        risks: [],
        rollback: 'Revert the commit.',
      },
    },
    exit: 0,
  }
}

const LONGEST_FEEDBACK = 500

/** What the brief says is to change. */
function feedbackIn(brief: string): string {
  const [, after = ''] = brief.split(/^#+ This is attempt \d+:.*$/m)
  const [section = ''] = after.split(/^#/m)
  const lines = section.split('\n').flatMap((line) => /^- (.*)$/.exec(line)?.[1] ?? [])
  return lines.join(' ').slice(0, LONGEST_FEEDBACK)
}
