/** Does what an attempt says, for real: files, output, sleep, its report. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Attempt, Step } from '../../core/dry-run/crew-script.ts'

export interface Surroundings {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly print: (text: string) => void
  /** The whole brief of the worker. */
  readonly brief: () => string
}

/** Answers with the exit code. */
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
