/** Runs a program to its end. How it ended is a value; nothing here throws because a program failed. */

export type ProgramOutcome =
  | { readonly kind: 'exited'; readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly kind: 'signalled'; readonly signal: string }
  | { readonly kind: 'timed_out'; readonly afterMs: number }
  | { readonly kind: 'too_long'; readonly maxBytes: number }
  | { readonly kind: 'not_started'; readonly reason: string }

export interface ProgramCall {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly timeoutMs: number
  /** Of stdout and stderr together. */
  readonly maxBytes: number
}

/** Stdin is empty. A program that takes too long or says too much is killed. */
export function runProgram(call: ProgramCall): Promise<ProgramOutcome> {
  // Loaded here: most commands run no program, and this one brings half of Node along.
  const { spawn } = process.getBuiltinModule('node:child_process')
  return new Promise((resolve) => {
    const child = spawn(call.command, call.args, {
      cwd: call.cwd,
      env: call.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const chunks: { readonly stdout: Buffer[]; readonly stderr: Buffer[] } = { stdout: [], stderr: [] }
    let bytes = 0
    let ended: ProgramOutcome | null = null

    const end = (outcome: ProgramOutcome): void => {
      ended ??= outcome
      child.kill('SIGKILL')
    }
    const collect = (into: Buffer[]) => (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > call.maxBytes) end({ kind: 'too_long', maxBytes: call.maxBytes })
      else into.push(chunk)
    }
    const timer = setTimeout(() => end({ kind: 'timed_out', afterMs: call.timeoutMs }), call.timeoutMs)

    child.stdout.on('data', collect(chunks.stdout))
    child.stderr.on('data', collect(chunks.stderr))
    child.on('error', (error) => {
      clearTimeout(timer)
      resolve(ended ?? { kind: 'not_started', reason: error.message })
    })
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (ended !== null) resolve(ended)
      else if (code === null) resolve({ kind: 'signalled', signal: signal ?? 'unknown' })
      else resolve({ kind: 'exited', code, stdout: text(chunks.stdout), stderr: text(chunks.stderr) })
    })
  })
}

function text(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString('utf8')
}
