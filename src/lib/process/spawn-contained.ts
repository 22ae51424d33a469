/** Starts a command in its containment, and says how it ended. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Environment } from './built-environment.ts'
import {
  inCgroup,
  makeCgroup,
  removeCgroup,
  contained,
  signalBehind,
  type Containment,
} from './containment.ts'
import { identify } from './processes.ts'
import { MARK_VARIABLE, type ProcessTree } from './process-tree.ts'
import { startFailure } from './run-program.ts'

export type ProgramExit =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: string }

export interface Spawned {
  readonly ok: true
  readonly tree: ProcessTree
  /** Settles when the command has ended; what it started may still run, and pipes may still be open. */
  readonly exited: Promise<ProgramExit>
  /**
   * Whether everything it started is known to have ended with it: the leader of a namespace waits for its first
   * process, with which the system ends all others. Not so when the leader itself was killed.
   */
  readonly isWhollyEnded: () => boolean
  /** Called with everything that it writes. */
  readonly listen: (listener: (chunk: Buffer, from: 'stdout' | 'stderr') => void) => void
  /** Waits briefly for the pipes to close: an unknown process may hold them open for ever. */
  readonly drained: () => Promise<void>
  readonly child: ChildProcess
}

export interface NotStarted {
  readonly ok: false
  readonly why: string
}

export interface ContainedCall {
  /** The first word is an absolute path. */
  readonly command: readonly string[]
  readonly cwd: string
  readonly env: Environment
  /** Written to its stdin, which is then closed. Null leaves it open, for the caller to write to. */
  readonly stdin?: string | Buffer | null | undefined
  readonly containment: Containment
  /** The words that put it into a sandbox, where there is one. */
  readonly walls?: readonly string[] | undefined
  /** A new one when absent. */
  readonly mark?: string | undefined
}

export async function spawnContained(call: ContainedCall): Promise<Spawned | NotStarted> {
  const mark = call.mark ?? process.getBuiltinModule('node:crypto').randomUUID()
  const { containment } = call
  const parent = containment.kind === 'group' ? (containment.cgroup ?? null) : null
  const cgroup = parent === null ? null : makeCgroup(parent, mark)
  const inside = contained(containment, call.command, call.walls)
  const [file = '', ...args] = cgroup === null ? inside : inCgroup(cgroup, inside)
  try {
    const child = spawn(file, args, {
      cwd: call.cwd,
      env: { ...call.env, [MARK_VARIABLE]: mark },
      detached: true,
      stdio: [call.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    const exited = exitOf(child, call.containment)
    await once(child, 'spawn')
    // A command may end, or close its input, before it has read it.
    child.stdin?.on('error', () => undefined)
    if (call.stdin !== null) child.stdin?.end(call.stdin)
    const pid = child.pid ?? 0
    // A leader that has already ended has no group; its mark still finds what it started.
    const leader = identify(pid) ?? { boot: '', pid, start: '' }
    const isWhollyEnded = (): boolean => containment.kind === 'namespace' && child.exitCode !== null
    const tree = { leader, mark, kind: containment.kind, cgroup }
    const listen: Spawned['listen'] = (listener) => {
      for (const from of ['stdout', 'stderr'] as const)
        child[from]?.on('data', (chunk: Buffer) => listener(chunk, from))
    }
    return { ok: true, child, exited, isWhollyEnded, tree, listen, drained: () => drained(child) }
  } catch (error) {
    if (cgroup !== null) removeCgroup(cgroup)
    return { ok: false, why: startFailure(error, call.cwd) }
  }
}

/** Never settles for one that could not be started. */
function exitOf(child: ChildProcess, containment: Containment): Promise<ProgramExit> {
  return new Promise((resolve) => {
    child.once('exit', (code, killedBy) => {
      const signal = code === null ? (killedBy ?? 'unknown') : signalBehind(containment, code)
      resolve(signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'signalled', signal })
    })
  })
}

/** How long a closed tree's last words may take. */
const DRAIN_MS = 500

async function drained(child: ChildProcess): Promise<void> {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null)
  const open = streams.filter((stream) => !stream.closed)
  const signal = AbortSignal.timeout(DRAIN_MS)
  await Promise.all(open.map((stream) => once(stream, 'close', { signal }))).catch(() => undefined)
  for (const stream of streams) stream.destroy()
  child.stdin?.destroy()
}
