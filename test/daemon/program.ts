/** Runs the fixture program in a home of the test's own, and sees to it that no daemon is left. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ended, type Ended } from '../delivery/lab.ts'
import { endProcessesIn } from '../helpers/end-processes.ts'
import { programPath } from '../helpers/program-path.ts'
import { requireDocuments } from '../helpers/json-documents.ts'
import type { DaemonFacts } from '../../src/protocol/answers.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const PROGRAM = programPath('test/fixtures/daemon/bosun.ts')

export const PLAN = `# Shop Implementation Plan

### Task 1: Add slugify

**Files:**
- Create: \`src/slug.js\`

- slugify('A b') is 'a-b'

### Task 2: Add a readme

**Files:**
- Create: \`docs/readme.md\`

- the readme says what this is
`

export class Home {
  readonly folder = tempFolder('daemon')
  readonly root = join(this.folder, 'state')
  readonly repo = join(this.folder, 'shop')
  readonly #children = new Set<ChildProcess>()
  readonly #env: Readonly<Record<string, string>>

  constructor(env: Readonly<Record<string, string>> = {}) {
    this.#env = env
    execFileSync('git', ['init', '-q', this.repo])
    writeFileSync(join(this.repo, 'shop-plan.md'), PLAN)
  }

  /** Starts the program. */
  spawn(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    cwd: string = this.repo,
  ): ChildProcess {
    return this.#start([process.execPath, PROGRAM, ...args], env, cwd)
  }

  /** Starts the program in a shell, with a reader that leaves after one line. */
  spawnForOneLine(args: readonly string[]): ChildProcess {
    return this.#start(['sh', '-c', '"$0" "$@" | head -1', process.execPath, PROGRAM, ...args], {}, this.repo)
  }

  #start(
    [command, ...args]: readonly [string, ...string[]],
    env: Readonly<Record<string, string>>,
    cwd: string,
  ): ChildProcess {
    const child = spawn(command, args, {
      cwd,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: this.folder,
        TMPDIR: tmpdir(),
        BOSUN_HOME: this.root,
        USER: 'ann',
        GIT_CEILING_DIRECTORIES: tmpdir(),
        ...this.#env,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#children.add(child)
    child.once('close', () => this.#children.delete(child))
    return child
  }

  async run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    const done = await ended(this.spawn(args, env))
    requireDocuments(args, done.stdout)
    return done
  }

  async runIn(cwd: string, args: readonly string[]): Promise<Ended> {
    return ended(this.spawn(args, {}, cwd))
  }

  async json<T>(args: readonly string[]): Promise<T> {
    const { stdout } = await this.run([...args, '--json'])
    // Of several objects, the last one says how it ended.
    const isLines = stdout.startsWith('{"')
    return JSON.parse(isLines ? (stdout.trimEnd().split('\n').at(-1) ?? '') : stdout) as T
  }

  daemon(): DaemonFacts {
    return JSON.parse(readFileSync(join(this.root, 'daemon.json'), 'utf8')) as DaemonFacts
  }

  token(): string {
    return readFileSync(join(this.root, 'token'), 'utf8')
  }

  /** Whoever is attached goes first: it would bring a daemon that was stopped back. */
  async dispose(): Promise<void> {
    const over = [...this.#children].map((child) => new Promise((resolve) => child.once('close', resolve)))
    for (const child of this.#children) child.kill('SIGKILL')
    await Promise.all(over)
    endProcessesIn(this.folder)
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Resolves when a line that matches was printed. */
export function printed(child: ChildProcess, stream: 'stdout' | 'stderr', wanted: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child[stream]?.on('data', (chunk: Buffer | string) => {
      text += chunk.toString()
      const line = text.split('\n').find((one) => wanted.test(one))
      if (line !== undefined) resolve(line)
    })
    child.once('close', () => reject(new Error(`it ended without ${wanted}: ${text}`)))
  })
}
