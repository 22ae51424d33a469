/** Runs a command to its end, whole and bounded. How it ended is a value; nothing here throws because a command failed. */
import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Environment } from './built-environment.ts'
import { contained, detectContainment, signalBehind, type Containment } from './containment.ts'
import { findProgram } from './find-program.ts'
import { identify } from './identity.ts'
import { OutputKeeper, type KeptOutput, type OutputFile } from './output-keeper.ts'
import { endTree, killTree, MARK_VARIABLE, type ProcessTree } from './process-tree.ts'

export type CappedOutcome =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: string }
  | { readonly kind: 'timed_out'; readonly afterMs: number }
  | { readonly kind: 'not_started'; readonly why: string }
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
  /** What this machine allows, unless said otherwise. */
  readonly containment?: Containment | undefined
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
/** How long a closed tree's last words may take. What holds the pipe after that is not waited for. */
const DRAIN_MS = 500

/** When it resolves, nothing that the command started runs any more. */
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
  if (!(await isFolder(call.cwd)))
    return finish({ kind: 'not_started', why: `there is no folder ${call.cwd}` })
  const program = await findProgram(name, { cwd: call.cwd, path: call.env['PATH'] ?? '' })
  if (!program.ok) return finish({ kind: 'not_started', why: program.why })
  const containment = call.containment ?? (await detectContainment())
  const started = await startChild(call, containment, [program.file, ...args])
  if (!started.ok) return finish({ kind: 'not_started', why: started.why })
  const { child, tree } = started
  collect(child, keeper, call.onOutput)
  child.stdin?.on('error', ignoreEarlyEnd).end(call.stdin)
  const first = await firstOf(child, call)
  if (first.kind === 'timed_out' || first.kind === 'aborted') await endTree(tree, call.graceMs ?? GRACE_MS)
  // The leader's end is not the tree's; in a namespace it is, and this finds nothing.
  const survivors = await killTree(tree)
  await drained(child)
  return finish(behind(first, containment), survivors)
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false
}

type Started =
  | { readonly ok: true; readonly child: ChildProcess; readonly tree: ProcessTree }
  | { readonly ok: false; readonly why: string }

async function startChild(
  call: CappedCall,
  containment: Containment,
  command: readonly string[],
): Promise<Started> {
  const mark = randomUUID()
  const [file = '', ...args] = contained(containment, command)
  try {
    const child = spawn(file, args, {
      cwd: call.cwd,
      env: { ...call.env, [MARK_VARIABLE]: mark },
      detached: true,
      stdio: [call.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    await once(child, 'spawn')
    const pid = child.pid ?? 0
    // One that has ended already leads nobody; its mark still finds what it left.
    const leader = identify(pid) ?? { boot: '', pid, start: '' }
    return { ok: true, child, tree: { leader, mark, kind: containment.kind } }
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) }
  }
}

function collect(child: ChildProcess, keeper: OutputKeeper, onOutput: CappedCall['onOutput']): void {
  for (const from of ['stdout', 'stderr'] as const) {
    child[from]?.on('data', (chunk: Buffer) => {
      keeper.add(chunk)
      onOutput?.(chunk, from)
    })
  }
}

/** A command may end, or close its input, before it has read it. */
const ignoreEarlyEnd = (): void => undefined

function firstOf(child: ChildProcess, call: CappedCall): Promise<CappedOutcome> {
  return new Promise((resolve) => {
    const settle = (outcome: CappedOutcome): void => {
      clearTimeout(timer)
      call.signal?.removeEventListener('abort', onAbort)
      resolve(outcome)
    }
    const onAbort = (): void => settle({ kind: 'aborted' })
    const timer = setTimeout(() => settle({ kind: 'timed_out', afterMs: call.timeoutMs }), call.timeoutMs)
    call.signal?.addEventListener('abort', onAbort)
    child.once('exit', (code, signal) => settle(exitOf(code, signal)))
    if (call.signal?.aborted === true) onAbort()
    if (child.exitCode !== null || child.signalCode !== null) settle(exitOf(child.exitCode, child.signalCode))
  })
}

function exitOf(code: number | null, signal: NodeJS.Signals | null): CappedOutcome {
  return code === null ? { kind: 'signalled', signal: signal ?? 'unknown' } : { kind: 'exited', code }
}

function behind(outcome: CappedOutcome, containment: Containment): CappedOutcome {
  if (outcome.kind !== 'exited') return outcome
  const signal = signalBehind(containment, outcome.code)
  return signal === null ? outcome : { kind: 'signalled', signal }
}

/** Waits for the pipes to close, but not for long: somebody we do not know of may hold them for ever. */
async function drained(child: ChildProcess): Promise<void> {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null)
  const open = streams.filter((stream) => !stream.closed)
  const closed = Promise.all(open.map((stream) => new Promise((resolve) => stream.once('close', resolve))))
  const late = new AbortController()
  const tooLate = pause(DRAIN_MS, undefined, { signal: late.signal }).catch(() => undefined)
  await Promise.race([closed, tooLate])
  late.abort()
  for (const stream of streams) stream.destroy()
  child.stdin?.destroy()
}
