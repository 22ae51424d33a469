import { spawn } from 'node:child_process'

/** Programs that open links end at once, or else become the browser. */
const PATIENCE_MS = 3000

/** Resolves to why it failed; null once it has ended well or keeps running. The browser outlives this process. */
export function startBrowser(
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: '/', env, detached: true, stdio: 'ignore' })
    const end = (why: string | null): void => {
      clearTimeout(timer)
      child.unref()
      resolve(why)
    }
    const timer = setTimeout(() => end(null), PATIENCE_MS)
    child.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? 'it could not be started'))
    child.once('exit', (code, signal) => end(code === 0 ? null : `it ended with ${code ?? signal ?? '?'}`))
  })
}
