/** Runs a command to its end, whole and bounded. How it ended is a value; nothing here throws because a command failed. */
import { terminalLine } from '../text/terminal-text.ts'
import type { Environment } from './built-environment.ts'
import type { CommandShells } from './command-shells.ts'
import { detectContainment, type Containment } from './containment.ts'
import { findProgram } from './find-program.ts'
import { OutputKeeper, type KeptOutput, type OutputFile } from './output-keeper.ts'
import { endTree, killTree } from './process-tree.ts'
import { spawnContained, type ProgramExit, type Started } from './spawn-contained.ts'

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
  /** The containment this machine allows, by default. */
  readonly containment?: Containment | undefined
  /** Start it where they can; directly when absent. */
  readonly shells?: CommandShells | undefined
}

export interface CappedResult {
  readonly outcome: CappedOutcome
  /** Stdout and stderr in the order they came. */
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
  const finish = (outcome: CappedOutcome, survivors: readonly number[] = []): CappedResult => ({
    outcome,
    output: keeper.finish(),
    durationMs: performance.now() - began,
    survivors,
  })
  if (call.signal?.aborted === true) return finish({ kind: 'aborted' })
  const command = typeof call.command === 'string' ? ['/bin/sh', '-c', call.command] : call.command
  const [name = '', ...args] = command
  const program = findProgram(name, { cwd: call.cwd, path: call.env['PATH'] ?? '' })
  if (!program.ok) return finish({ kind: 'not_started', reason: terminalLine(program.why) })
  const containment = call.containment ?? (await detectContainment())
  const contained = { ...call, containment, command: [program.file, ...args] }
  const started = (await call.shells?.start(contained)) ?? (await spawnContained(contained))
  if (!started.ok) return finish({ kind: 'not_started', reason: terminalLine(started.why) })
  started.listen((chunk, from) => {
    keeper.add(chunk)
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

function firstOf(started: Started, call: CappedCall): Promise<CappedOutcome> {
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
