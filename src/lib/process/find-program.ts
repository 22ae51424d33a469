import { accessSync, constants, readSync, statSync } from 'node:fs'
import { basename, isAbsolute, resolve, delimiter, join } from 'node:path'
import { openedFile } from '../files/atomic-write.ts'
import { builtEnvironment } from './built-environment.ts'
import { orElse } from '../or-else.ts'

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
  // The one thing that is left to be wrong.
  return isRunnable(file) ? withInterpreter(file) : refusal(`${name} is not executable`)
}

/** The system blames the script when its interpreter is missing; this names the interpreter. */
function withInterpreter(file: string): FoundProgram {
  const interpreter = interpreterOf(file)
  if (interpreter === null) return { ok: true, file }
  return isRunnable(interpreter)
    ? { ok: true, file }
    : refusal(`${basename(file)} needs ${interpreter}, which cannot be run`)
}

/** Missing or not permitted: it cannot be run either way. */
const isRunnable = (file: string): boolean =>
  orElse(() => {
    accessSync(file, constants.X_OK)
    return true
  }, false)

/** Null for a program that is no script, or is executable and not readable. */
function interpreterOf(file: string): string | null {
  const start = Buffer.alloc(MAX_SHEBANG_BYTES)
  orElse(() => {
    using script = openedFile(file, 'r')
    readSync(script.fd, start, 0, MAX_SHEBANG_BYTES, 0)
  }, null)
  return /^#![ \t]*(\/[^\s\0]+)/.exec(start.toString('latin1'))?.[1] ?? null
}

const refusal = (why: string): FoundProgram => ({ ok: false, why })

/** The file that a shell would run for this name, or null. The program itself is not run. */
export function findOnPath(name: string, path: string): string | null {
  for (const folder of path.split(delimiter)) {
    // An empty or relative entry depends on the current folder.
    if (!isAbsolute(folder)) continue
    const file = join(folder, name)
    if (isProgram(file)) return file
  }
  return null
}

/** Whatever keeps us from it keeps the shell from it. */
const isProgram = (file: string): boolean => isRunnable(file) && orElse(() => statSync(file).isFile(), false)

/** The program that shows notices on this machine's desktop. */
type Env = Readonly<Record<string, string | undefined>>

/** What shows notices on a desktop; null where there is none, over SSH for example. */
export type DesktopProgram = { readonly kind: 'notify-send' | 'osascript'; readonly file: string }

export function desktopProgram(env: Env, platform: string = process.platform): DesktopProgram | null {
  const path = builtEnvironment(env)['PATH'] ?? ''
  if (platform === 'darwin') return found('osascript', path)
  const hasDesktop = [env['DISPLAY'], env['WAYLAND_DISPLAY']].some((name = '') => name !== '')
  return hasDesktop ? found('notify-send', path) : null
}

function found(kind: DesktopProgram['kind'], path: string): DesktopProgram | null {
  const file = findOnPath(kind, path)
  return file === null ? null : { kind, file }
}
