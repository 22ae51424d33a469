import { constants } from 'node:fs'
import { access, open, stat } from 'node:fs/promises'
import { basename, isAbsolute, resolve } from 'node:path'
import { findOnPath } from '../find-on-path.ts'

export type FoundProgram =
  | { readonly ok: true; readonly file: string }
  | { readonly ok: false; readonly why: string }

const MAX_SHEBANG_BYTES = 256

/** The file that would run for a command's first word, as a shell standing in `cwd` would find it. Nothing is run. */
export async function findProgram(
  name: string,
  where: { readonly cwd: string; readonly path: string },
): Promise<FoundProgram> {
  if (!name.includes('/')) {
    const file = await findOnPath(name, where.path)
    return file === null ? refusal(`${name} is not on the PATH`) : withInterpreter(file)
  }
  const file = isAbsolute(name) ? name : resolve(where.cwd, name)
  try {
    if (!(await stat(file)).isFile()) return refusal(`${name} is not a file`)
  } catch {
    // Whatever hides it from us hides it from the system that would run it.
    return refusal(`${name} does not exist`)
  }
  try {
    await access(file, constants.X_OK)
  } catch {
    // The one thing that is left to be wrong.
    return refusal(`${name} is not executable`)
  }
  return withInterpreter(file)
}

/** A script whose interpreter is missing fails with words about the script; better to say what is missing. */
async function withInterpreter(file: string): Promise<FoundProgram> {
  const interpreter = await interpreterOf(file)
  if (interpreter === null) return { ok: true, file }
  try {
    await access(interpreter, constants.X_OK)
    return { ok: true, file }
  } catch {
    // Absent or closed to us: the same to whoever would run it.
    return refusal(`${basename(file)} needs ${interpreter}, which cannot be run`)
  }
}

async function interpreterOf(file: string): Promise<string | null> {
  const handle = await open(file, 'r').catch(() => null)
  // A program may be executable and not readable.
  if (handle === null) return null
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_SHEBANG_BYTES), 0, MAX_SHEBANG_BYTES, 0)
    const match = /^#![ \t]*(\/[^\s]+)/.exec(buffer.toString('latin1', 0, bytesRead))
    return match?.[1] ?? null
  } finally {
    await handle.close()
  }
}

const refusal = (why: string): FoundProgram => ({ ok: false, why })
