/**
 * Starts processes that outlive us, each in a session of its own. A process as large as Bosun takes long to fork, and copies
 * its memory page by page afterwards, so it is done by a shell that stays: it has next to nothing to copy. Where a shell
 * cannot begin a session, it is done directly. bench/daemon-cpu has the mark it serves.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { appendFileSync, closeSync, openSync } from 'node:fs'
import type { Socket } from 'node:net'
import { findOnPath } from '../system/find-on-path.ts'
import { shellWord } from '../text/shell-word.ts'
import type { Environment } from './built-environment.ts'
import { withPipes } from './with-pipes.ts'

export interface Launch {
  readonly command: readonly [string, ...string[]]
  readonly cwd: string
  /** Where its complaints are added, its shell's too. */
  readonly log: string
  /** `lost` when the launching shell died: the process may run or not, and its end will not be reported. */
  readonly onEnd: (how: 'ended' | 'lost') => void
}

export interface Launcher {
  launch(launch: Launch): void
  /** Launched processes keep running; their ends are no longer reported. Resolves when nothing of its own runs. */
  close(): Promise<void>
}

/** `env` is what everything is started with. */
export function openLauncher(env: Environment): Launcher {
  const setsid = process.platform === 'linux' ? findOnPath('setsid', env['PATH'] ?? '') : null
  return setsid === null ? new DirectLauncher(env) : new ShellLauncher(env, setsid)
}

export class DirectLauncher implements Launcher {
  readonly #env: Environment
  #isClosed = false

  constructor(env: Environment) {
    this.#env = env
  }

  launch({ command: [file, ...args], cwd, log, onEnd }: Launch): void {
    const complaints = openSync(log, 'a', 0o600)
    try {
      const child = spawn(file, args, {
        cwd,
        env: this.#env,
        detached: true,
        stdio: ['ignore', 'ignore', complaints],
      })
      child.unref()
      const report = (): void => {
        if (!this.#isClosed) onEnd('ended')
      }
      child.on('error', ({ message }) => {
        appendFileSync(log, `${message}\n`)
        report()
      })
      child.on('exit', report)
    } finally {
      closeSync(complaints)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
  }
}

export class ShellLauncher implements Launcher {
  readonly #env: Environment
  readonly #setsid: string
  readonly #launched = new Map<string, Launch>()
  #shell: ChildProcessWithoutNullStreams | null = null
  #partialLine = ''
  #count = 0

  constructor(env: Environment, setsid: string) {
    this.#env = env
    this.#setsid = setsid
  }

  launch(launch: Launch): void {
    const id = String(++this.#count)
    this.#shell ??= this.#start()
    this.#launched.set(id, launch)
    this.#shell.stdin.write(this.#line(id, launch))
  }

  async close(): Promise<void> {
    const shell = this.#shell
    this.#launched.clear()
    this.#shell = null
    if (shell === null || shell.exitCode !== null || shell.signalCode !== null) return
    const gone = new Promise<void>((resolve) => {
      shell.once('exit', () => resolve())
      shell.once('error', () => resolve())
    })
    shell.ref()
    shell.stdin.end()
    await gone
  }

  /** A subshell waits for each process and reports its end. `jobs` makes the shell reap ended ones. */
  #line(id: string, { command, cwd, log }: Launch): string {
    const run = [this.#setsid, ...command].map(shellWord).join(' ')
    const wait = `(cd ${shellWord(cwd)} && ${run} 3>&-; echo ${id} >&3)`
    return `jobs >/dev/null; ${wait} 3>&1 </dev/null >/dev/null 2>>${shellWord(log)} &\n`
  }

  #start(): ChildProcessWithoutNullStreams {
    const shell = withPipes(spawn('/bin/sh', [], { cwd: '/', env: this.#env, stdio: 'pipe', detached: true }))
    const lose = (): void => {
      if (this.#shell !== shell) return
      this.#shell = null
      this.#partialLine = ''
      const lost = [...this.#launched.values()]
      this.#launched.clear()
      for (const { onEnd } of lost) onEnd('lost')
    }
    shell.on('error', lose)
    shell.on('exit', lose)
    shell.stdin.on('error', () => undefined)
    shell.stdout.setEncoding('latin1').on('data', (text: string) => {
      if (this.#shell === shell) this.#readEnds(text)
    })
    shell.stderr.resume()
    shell.unref()
    // The pipes of a child are sockets, though they are not declared as such.
    for (const stream of [shell.stdin, shell.stdout, shell.stderr] as unknown as Socket[]) stream.unref()
    return shell
  }

  #readEnds(text: string): void {
    const lines = `${this.#partialLine}${text}`.split('\n')
    this.#partialLine = lines.pop() ?? ''
    for (const id of lines) {
      const launch = this.#launched.get(id)
      this.#launched.delete(id)
      launch?.onEnd('ended')
    }
  }
}
