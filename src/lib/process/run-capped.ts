/** Runs a command to its end, whole and bounded. How it ended is a value; nothing here throws because a command failed. */
import { terminalLine } from '../text/terminal-text.ts'
import { builtEnvironment, type Environment } from './built-environment.ts'
import { detectContainment, type Containment } from './containment.ts'
import { findProgram } from './find-program.ts'
import { OutputKeeper, type KeptOutput, type OutputFile } from './output-keeper.ts'
import { endTree, killTree } from './process-tree.ts'
import { spawnContained, type ProgramExit, type Spawned } from './spawn-contained.ts'

export type CappedOutcome =
  | ProgramExit
  | { readonly kind: 'timed_out'; readonly afterMs: number }
  /** The reason is safe to print. */
  | { readonly kind: 'not_started'; readonly reason: string }
  | { readonly kind: 'aborted' }

export interface CappedCall {
  /** A string is run by `sh -c`, a list directly. */
  readonly command: string | readonly string[]
  readonly cwd: string
  /** All of it: see builtEnvironment. */
  readonly env: Environment
  /** Empty when absent. A command that does not read it is no error. */
  readonly stdin?: string | Buffer | undefined
  readonly timeoutMs: number
  /** How long it has between being asked to end and being killed. */
  readonly graceMs?: number | undefined
  /** How much of the output is kept in memory. More is no error. */
  readonly maxOutputBytes: number
  /** Where the whole output goes, up to its own limit. */
  readonly outputFile?: OutputFile | undefined
  readonly onOutput?: ((chunk: Buffer, from: 'stdout' | 'stderr') => void) | undefined
  readonly signal?: AbortSignal | undefined
  /** By which everything it starts can be found, should this process die; a new one when absent. */
  readonly mark?: string | undefined
  /** The words that put it into a sandbox, where there is one. */
  readonly walls?: readonly string[] | undefined
  /** The containment this machine allows, by default. */
  readonly containment?: Containment | undefined
}

export interface CappedResult {
  readonly outcome: CappedOutcome
  /** Stdout and stderr, line by line in the order they came. */
  readonly output: KeptOutput
  readonly durationMs: number
  /** Processes that could not be ended; empty but in the oddest of cases. */
  readonly survivors: readonly number[]
}

const GRACE_MS = 2000

/** When it has settled, nothing that the command started runs any more. Rejects where its output could not be kept. */
export async function runCapped(call: CappedCall): Promise<CappedResult> {
  const began = performance.now()
  const keeper = new OutputKeeper(call.maxOutputBytes, call.outputFile)
  const lines = wholeLines((chunk) => keeper.add(chunk))
  const finish = (outcome: CappedOutcome, survivors: readonly number[] = []): CappedResult => {
    lines.end()
    return { outcome, output: keeper.finish(), durationMs: performance.now() - began, survivors }
  }
  if (call.signal?.aborted === true) return finish({ kind: 'aborted' })
  const command = typeof call.command === 'string' ? ['/bin/sh', '-c', call.command] : call.command
  const [name = '', ...args] = command
  const program = findProgram(name, { cwd: call.cwd, path: call.env['PATH'] ?? '' })
  if (!program.ok) return finish({ kind: 'not_started', reason: terminalLine(program.why) })
  const containment = call.containment ?? (await detectContainment())
  const started = await spawnContained({ ...call, containment, command: [program.file, ...args] })
  if (!started.ok) return finish({ kind: 'not_started', reason: terminalLine(started.why) })
  started.listen((chunk, from) => {
    lines.add(chunk, from)
    call.onOutput?.(chunk, from)
  })
  const first = await firstOf(started, call)
  if (first.kind === 'timed_out' || first.kind === 'aborted')
    await endTree(started.tree, call.graceMs ?? GRACE_MS)
  // The tree may outlive its leader; where it cannot, the scan of all processes is skipped.
  const survivors = started.isWhollyEnded() ? [] : await killTree(started.tree)
  await started.drained()
  return finish(first, survivors)
}

const TOOL_MS = 60_000
const TOOL_BYTES = 4096

/** Runs a program of the system, such as `cp`, in Bosun's own environment. `code` is null unless it exited. */
export async function runTool(
  command: readonly string[],
  cwd: string,
  { timeoutMs = TOOL_MS, maxOutputBytes = TOOL_BYTES, signal }: Partial<Limits> = {},
): Promise<{ readonly code: number | null; readonly output: KeptOutput }> {
  const env = builtEnvironment(process.env)
  const { outcome, output } = await runCapped({ command, cwd, env, timeoutMs, maxOutputBytes, signal })
  return { code: outcome.kind === 'exited' ? outcome.code : null, output }
}

type Limits = Pick<CappedCall, 'timeoutMs' | 'maxOutputBytes' | 'signal'>

const NEWLINE = 0x0a
const LONGEST_HELD = 64 * 1024

/**
 * Passes on two streams as one, so that no line of one stands within a line of the other: what a stream has begun waits for the
 * end of its line, within a limit.
 */
export function wholeLines(write: (chunk: Buffer) => void) {
  const begun: Record<'stdout' | 'stderr', Buffer> = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) }
  const pass = (chunk: Buffer): void => {
    if (chunk.length > 0) write(chunk)
  }
  return {
    add(chunk: Buffer, from: 'stdout' | 'stderr'): void {
      const text = begun[from].length === 0 ? chunk : Buffer.concat([begun[from], chunk])
      const end = text.length > LONGEST_HELD ? text.length : text.lastIndexOf(NEWLINE) + 1
      pass(text.subarray(0, end))
      begun[from] = text.subarray(end)
    },
    end(): void {
      pass(begun.stdout)
      pass(begun.stderr)
    },
  }
}

function firstOf(started: Spawned, call: CappedCall): Promise<CappedOutcome> {
  return new Promise((resolve) => {
    const settle = (outcome: CappedOutcome): void => {
      clearTimeout(timer)
      call.signal?.removeEventListener('abort', onAbort)
      resolve(outcome)
    }
    const onAbort = (): void => settle({ kind: 'aborted' })
    const timer = setTimeout(() => settle({ kind: 'timed_out', afterMs: call.timeoutMs }), call.timeoutMs)
    call.signal?.addEventListener('abort', onAbort)
    if (call.signal?.aborted === true) onAbort()
    void started.exited.then(settle)
  })
}
