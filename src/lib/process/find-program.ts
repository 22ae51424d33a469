import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs'
import { basename, isAbsolute, resolve } from 'node:path'
import { findOnPath } from '../system/find-on-path.ts'

export type FoundProgram =
  | { readonly ok: true; readonly file: string }
  | { readonly ok: false; readonly why: string }

const MAX_SHEBANG_BYTES = 256

/** The file that would run for a command's first word, as a shell standing in `cwd` would find it. Nothing is run. */
export function findProgram(
  name: string,
  where: { readonly cwd: string; readonly path: string },
): FoundProgram {
  if (!name.includes('/')) {
    const file = findOnPath(name, where.path)
    return file === null ? refusal(`${name} is not on the PATH`) : withInterpreter(file)
  }
  const file = isAbsolute(name) ? name : resolve(where.cwd, name)
  try {
    if (!statSync(file).isFile()) return refusal(`${name} is not a file`)
  } catch {
    // Whatever hides it from us hides it from the system that would run it.
    return refusal(`${name} does not exist`)
  }
  try {
    accessSync(file, constants.X_OK)
  } catch {
    // The one thing that is left to be wrong.
    return refusal(`${name} is not executable`)
  }
  return withInterpreter(file)
}

/** The system blames the script when its interpreter is missing; this names the interpreter. */
function withInterpreter(file: string): FoundProgram {
  const interpreter = interpreterOf(file)
  if (interpreter === null) return { ok: true, file }
  try {
    accessSync(interpreter, constants.X_OK)
    return { ok: true, file }
  } catch {
    // Missing or not permitted: it cannot be run either way.
    return refusal(`${basename(file)} needs ${interpreter}, which cannot be run`)
  }
}

/** Null for a program that is no script, or is executable and not readable. */
function interpreterOf(file: string): string | null {
  const start = Buffer.alloc(MAX_SHEBANG_BYTES)
  try {
    const script = openSync(file, 'r')
    try {
      readSync(script, start, 0, MAX_SHEBANG_BYTES, 0)
    } finally {
      closeSync(script)
    }
  } catch {
    return null
  }
  return /^#![ \t]*(\/[^\s\0]+)/.exec(start.toString('latin1'))?.[1] ?? null
}

const refusal = (why: string): FoundProgram => ({ ok: false, why })
