/**
 * Runs a program to its end. How it ended is a value; nothing here throws because a program failed. For tools that Bosun
 * trusts, such as git: what a project or an agent brings is started by spawn-contained.ts.
 */
import type { ChildProcess, ChildProcessWithoutNullStreams } from 'node:child_process'

type Failure =
  | { readonly kind: 'signalled'; readonly signal: string }
  | { readonly kind: 'timed_out'; readonly afterMs: number }
  | { readonly kind: 'too_long'; readonly maxBytes: number }
  | { readonly kind: 'not_started'; readonly reason: string }

export type ProgramOutcome<Printed = string> =
  | { readonly kind: 'exited'; readonly code: number; readonly stdout: Printed; readonly stderr: string }
  | Failure

/** What it printed as bytes, which need not be valid UTF-8. */
export type CapturedOutcome = ProgramOutcome<Buffer>

/** What becomes of a call when those who would start its program have been closed. */
export const STOPPING = { kind: 'not_started', reason: 'Bosun is stopping' } as const

export interface ProgramCall {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly timeoutMs: number
  /** Of stdout and stderr together. */
  readonly maxBytes: number
  /** What it reads; nothing when absent. */
  readonly input?: string | Buffer
}

export async function runProgram(call: ProgramCall): Promise<ProgramOutcome> {
  const outcome = await captureProgram(call)
  return outcome.kind === 'exited' ? { ...outcome, stdout: outcome.stdout.toString('utf8') } : outcome
}

/** A program that takes too long or says too much is killed. */
export function captureProgram(call: ProgramCall): Promise<CapturedOutcome> {
  return new Promise((resolve) => {
    const child = start(call)
    if ('kind' in child) {
      resolve(child)
      return
    }
    const out: Buffer[] = []
    const err: Buffer[] = []
    let bytes = 0
    let cut: Failure | null = null
    const end = (outcome: Failure): void => {
      cut ??= outcome
      child.kill('SIGKILL')
      // A process that it started may hold them open.
      child.stdout.destroy()
      child.stderr.destroy()
    }
    const collect = (into: Buffer[]) => (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > call.maxBytes) end({ kind: 'too_long', maxBytes: call.maxBytes })
      else into.push(chunk)
    }
    const timer = setTimeout(() => end({ kind: 'timed_out', afterMs: call.timeoutMs }), call.timeoutMs)
    child.stdout.on('data', collect(out))
    child.stderr.on('data', collect(err))
    // One that ends before it has read everything says why with its exit code.
    child.stdin.on('error', () => undefined)
    child.stdin.end(call.input ?? '')
    child.on('error', (error) => {
      clearTimeout(timer)
      resolve(cut ?? { kind: 'not_started', reason: startFailure(error, call.cwd) })
    })
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (cut !== null) resolve(cut)
      else if (code === null) resolve({ kind: 'signalled', signal: signal ?? 'unknown' })
      else {
        const stderr = Buffer.concat(err).toString('utf8')
        resolve({ kind: 'exited', code, stdout: Buffer.concat(out), stderr })
      }
    })
  })
}

/** The system reports a missing folder like a missing program (ENOENT). */
export function startFailure(error: unknown, cwd: string | undefined): string {
  if (!(error instanceof Error)) return String(error)
  const isMissing = 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
  if (isMissing && cwd !== undefined && !process.getBuiltinModule('node:fs').existsSync(cwd))
    return missingFolder(cwd)
  return error.message
}

export const missingFolder = (cwd: string): string => `the working folder does not exist: ${cwd}`

function start({ command, args, cwd, env }: ProgramCall) {
  // Loaded here: most commands run no program, and this one brings half of Node along.
  const { spawn } = process.getBuiltinModule('node:child_process')
  try {
    return withPipes(spawn(command, args, { cwd, env, stdio: 'pipe' }))
  } catch (error) {
    // Some systems' refusals are thrown at once: too many or too long arguments, for one.
    return { kind: 'not_started', reason: startFailure(error, cwd) } as const
  }
}

/**
 * The same child, once it is sure that its three pipes are there. Where this process may open no more files, Node gives a child
 * no pipes at all and says why only later; this says it at once.
 */
export function withPipes(child: ChildProcess): ChildProcessWithoutNullStreams {
  if (hasPipes(child)) return child
  // It is the same error, and was thrown already.
  child.on('error', () => undefined)
  const error: NodeJS.ErrnoException = new Error(
    `spawn ${child.spawnfile} EMFILE: too many open files (ulimit -n)`,
  )
  error.code = 'EMFILE'
  throw error
}

/** Declared as null where there is none, and undefined where it could not be made. */
const hasPipes = (child: ChildProcess): child is ChildProcessWithoutNullStreams =>
  [child.stdin, child.stdout, child.stderr].every((pipe) => pipe !== undefined && pipe !== null)
