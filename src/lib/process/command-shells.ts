/**
 * Starts contained commands by shells that stay. A process as large as Bosun takes long to fork, and copies its memory page
 * by page afterwards; a shell has next to nothing to copy (bench/daemon-cpu). Only in a PID namespace: there nothing is left
 * of a command once it has ended, so that the next one may use the same pipes. A shell dies with this process, and what it
 * runs with the shell.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { findOnPath } from '../system/find-on-path.ts'
import { shellWord } from '../text/shell-word.ts'
import { contained, MORTAL, signalBehind, type Containment } from './containment.ts'
import { identify } from './identity.ts'
import { MARK_VARIABLE } from './process-tree.ts'
import { STOPPING } from './run-program.ts'
import type { ContainedCall, NotStarted, ProgramExit, Started } from './spawn-contained.ts'

/** A shell that waits longer ends. */
const IDLE_MS = 10_000
/** Codes from here on may stand for a signal that ended the leader, which then leaves others behind. */
const SIGNAL_BASE = 128
/** More than this is left to the system's own limits. */
const MAX_LINE = 64 * 1024
/** How long the pipes may take after the command has ended. */
const DRAIN_MS = 500

export class CommandShells {
  readonly #free: CommandShell[] = []
  readonly #all = new Set<CommandShell>()
  #isClosed = false

  /** Null where it has to be started directly. Once they are closed, no command is started. */
  async start(call: ContainedCall): Promise<Started | NotStarted | null> {
    if (this.#isClosed) return { ok: false, why: STOPPING.reason }
    const { containment } = call
    const isMortal = containment.kind === 'namespace' && containment.prefix[0] === MORTAL[0]
    if (!isMortal || call.stdin !== undefined) return null
    const mark = call.mark ?? randomUUID()
    const command = commandLine(call, mark)
    if (command === null || command.length > MAX_LINE) return null
    const shell = this.#free.pop() ?? this.#open()
    const started = await shell.start({ command, mark, containment })
    const drained = async (): Promise<void> => {
      if (await shell.finish()) this.#keep(shell)
    }
    if (started !== null) return { ...started, drained }
    await drained()
    return null
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#all].map((shell) => shell.close()))
  }

  #keep(shell: CommandShell): void {
    if (this.#isClosed) void shell.close()
    else this.#free.push(shell)
  }

  #open(): CommandShell {
    const shell = new CommandShell(() => {
      this.#all.delete(shell)
      const at = this.#free.indexOf(shell)
      if (at !== -1) this.#free.splice(at, 1)
    })
    this.#all.add(shell)
    return shell
  }
}

interface Run {
  readonly containment: Containment
  readonly begun: PromiseWithResolvers<number | null>
  readonly exited: PromiseWithResolvers<ProgramExit>
  readonly outputs: readonly [MarkedOutput, MarkedOutput]
  pid: number | null
  /** Its process is in the folder. */
  hasEntered: boolean
  code: number | null
}

interface ShellCall {
  readonly command: string
  readonly mark: string
  readonly containment: Containment
}

class CommandShell {
  readonly #child: ChildProcess
  readonly #onEnd: () => void
  readonly #idle: NodeJS.Timeout
  #run: Run | null = null
  #partialLine = ''
  #hasEnded = false

  /** `onEnd` is called once; it takes no more commands then. */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd
    const [file, ...args] = [...MORTAL, '/bin/sh'] as const
    const stdio = ['pipe', 'pipe', 'ignore', 'pipe', 'pipe'] as const
    const env = { PATH: process.env['PATH'] ?? '' }
    this.#child = spawn(file, args, { cwd: '/', env, detached: true, stdio: [...stdio] })
    this.#child.on('error', () => this.#end())
    this.#child.on('exit', () => this.#end())
    this.#child.stdin?.on('error', () => undefined)
    this.#stream(1)
      ?.setEncoding('latin1')
      .on('data', (text: string) => this.#read(text))
    this.#stream(3)?.on('data', (chunk: Buffer) => this.#run?.outputs[0].add(chunk))
    this.#stream(4)?.on('data', (chunk: Buffer) => this.#run?.outputs[1].add(chunk))
    this.#idle = setTimeout(() => {
      if (this.#run === null) void this.close()
    }, IDLE_MS)
    this.#idle.unref()
    this.#hold(false)
  }

  /** Null where it could not be started. */
  async start(call: ShellCall): Promise<Omit<Started, 'drained'> | null> {
    // Where this process may open no more files, a child has no pipes.
    if (this.#hasEnded || this.#child.pid === undefined || this.#stream(4) === null) return null
    const end = `\0${randomUUID()}`
    const { containment, mark } = call
    const outputs = [new MarkedOutput(end), new MarkedOutput(end)] as const
    const [begun, exited] = [Promise.withResolvers<number | null>(), Promise.withResolvers<ProgramExit>()]
    const run: Run = { containment, begun, exited, outputs, pid: null, hasEntered: false, code: null }
    this.#run = run
    this.#hold(true)
    const ended = `printf '\\000${end.slice(1)}'`
    const wait = `echo p $!; wait $!; echo e $?; ${ended} >&3; ${ended} >&4`
    this.#child.stdin?.write(`{ ${call.command}; } 5>&1 </dev/null >&3 2>&4 3>&- 4>&- & ${wait}\n`)
    const pid = await begun.promise
    if (pid === null) return null
    return {
      ok: true,
      tree: {
        leader: identify(pid) ?? { boot: '', pid, start: '' },
        mark,
        kind: containment.kind,
        cgroup: null,
      },
      exited: exited.promise,
      isWhollyEnded: () => run.code !== null && run.code < SIGNAL_BASE,
      listen: (listener) => {
        outputs[0].listen((chunk) => listener(chunk, 'stdout'))
        outputs[1].listen((chunk) => listener(chunk, 'stderr'))
      },
    }
  }

  /** Resolves when all output was read: whether the shell can take another command. */
  async finish(): Promise<boolean> {
    const run = this.#run
    if (run === null) return false
    const signal = AbortSignal.timeout(DRAIN_MS)
    const late = once(signal, 'abort').then(() => false)
    const isWhole = await Promise.race([
      Promise.all(run.outputs.map(({ ended }) => ended)).then(() => true),
      late,
    ])
    this.#run = null
    this.#hold(false)
    // What may still hold the pipes must not write into the output of another.
    if (!isWhole || this.#hasEnded || run.code === null || run.code >= SIGNAL_BASE) {
      this.#child.kill('SIGKILL')
      return false
    }
    this.#idle.refresh()
    return true
  }

  /** Resolves when it has ended. */
  async close(): Promise<void> {
    if (this.#hasEnded) return
    this.#child.ref()
    const gone = once(this.#child, 'exit')
    this.#child.stdin?.end()
    await gone
  }

  #read(text: string): void {
    const lines = `${this.#partialLine}${text}`.split('\n')
    this.#partialLine = lines.pop() ?? ''
    for (const line of lines) this.#take(line)
  }

  #take(line: string): void {
    const run = this.#run
    if (run === null) return
    const [what, number] = line.split(' ')
    if (what === 'n') run.begun.resolve(null)
    if (what === 'p') run.pid = Number(number)
    if (what === 'y') run.hasEntered = true
    if (run.pid !== null && run.hasEntered) run.begun.resolve(run.pid)
    if (what !== 'e') return
    run.code = Number(number)
    const signal = signalBehind(run.containment, run.code)
    run.exited.resolve(signal === null ? { kind: 'exited', code: run.code } : { kind: 'signalled', signal })
  }

  #end(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    clearTimeout(this.#idle)
    this.#onEnd()
    this.#run?.begun.resolve(null)
    this.#run?.exited.resolve({ kind: 'signalled', signal: 'unknown' })
    for (const output of this.#run?.outputs ?? []) output.finish()
  }

  #stream(at: 1 | 3 | 4): Socket | null {
    return (this.#child.stdio[at] ?? null) as Socket | null
  }

  /** Only a running command keeps this process alive. */
  #hold(isRunning: boolean): void {
    const parts = [
      this.#child,
      this.#child.stdin as Socket | null,
      ...([1, 3, 4] as const).map((at) => this.#stream(at)),
    ]
    for (const part of parts)
      if (isRunning) part?.ref()
      else part?.unref()
  }
}

/** A stream up to a mark, which no program can write that does not know it. */
class MarkedOutput {
  readonly #mark: Buffer
  readonly #ended = Promise.withResolvers<void>()
  #listener: ((chunk: Buffer) => void) | null = null
  #waiting: Buffer[] = []
  /** The end of what was read, if it may be the beginning of the mark. */
  #held = Buffer.alloc(0)

  constructor(mark: string) {
    this.#mark = Buffer.from(mark, 'latin1')
  }

  get ended(): Promise<void> {
    return this.#ended.promise
  }

  listen(listener: (chunk: Buffer) => void): void {
    this.#listener = listener
    for (const chunk of this.#waiting.splice(0)) listener(chunk)
  }

  add(chunk: Buffer): void {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    const at = bytes.indexOf(this.#mark)
    if (at !== -1) {
      this.#held = Buffer.alloc(0)
      this.#give(bytes.subarray(0, at))
      this.#ended.resolve()
      return
    }
    const tail = bytes.indexOf(0, Math.max(0, bytes.length - this.#mark.length + 1))
    this.#held = tail === -1 ? Buffer.alloc(0) : Buffer.from(bytes.subarray(tail))
    this.#give(tail === -1 ? bytes : bytes.subarray(0, tail))
  }

  /** The shell is gone, and no mark will come. */
  finish(): void {
    this.#give(this.#held)
    this.#held = Buffer.alloc(0)
    this.#ended.resolve()
  }

  #give(chunk: Buffer): void {
    if (chunk.length === 0) return
    if (this.#listener === null) this.#waiting.push(Buffer.from(chunk))
    else this.#listener(chunk)
  }
}

/** Run in a process of its own, which says `y`, or `n` where the folder is gone, and becomes the command. Null without the programs. */
function commandLine({ containment, command, cwd, env }: ContainedCall, mark: string): string | null {
  const path = process.env['PATH'] ?? ''
  const [clear, lead] = [findOnPath('env', path), findOnPath('setsid', path)]
  if (clear === null || lead === null) return null
  const variables = Object.entries({ ...env, [MARK_VARIABLE]: mark }).map(
    ([name, value]) => `${name}=${value}`,
  )
  const words = [clear, '-i', ...variables, lead, ...contained(containment, command)]
  const enter = `cd ${shellWord(cwd)} 2>/dev/null || { echo n >&5; exit; }`
  return `${enter}; echo y >&5; exec 5>&-; exec ${words.map(shellWord).join(' ')}`
}
