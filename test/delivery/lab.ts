/** A user's repository, a state root and the real program, in a folder that is gone at the end. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import {
  chmodSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { endProcessesIn } from '../helpers/end-processes.ts'
import { requireDocuments } from '../helpers/json-documents.ts'
import { pathWithoutAgents } from '../helpers/path-without-agents.ts'
import type { DaemonFacts, PlanAnswer } from '../../src/protocol/answers.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const BIN = join(import.meta.dirname, '../../bin/bosun')
const PATH = pathWithoutAgents(`${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`)

export type LastLine = Pick<PlanAnswer, 'outcome' | 'commits' | 'inbox' | 'manifest'> & {
  readonly plan: string | null
  readonly branch: string | null
}

export interface Ended {
  readonly exit: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Activity {
  readonly timestamp: string
  readonly event: string
  readonly task_id?: string
  readonly worker_id?: string
  readonly data: Readonly<Record<string, unknown>>
}

interface WrittenJob {
  readonly brief: string
  readonly env: Readonly<Record<string, string>>
  readonly workspace: string
  /** Its session says this instead of the brief, where it is an earlier one. */
  readonly acp: { readonly session: { readonly prompt: string } | null } | null
}

export class Lab {
  readonly folder = tempFolder('delivery')
  readonly home = join(this.folder, 'state')
  readonly repo = join(this.folder, 'repo')
  /** More variables for the next commands; one of the same name wins. */
  variables: Readonly<Record<string, string>> = {}
  readonly #children = new Set<ChildProcess>()

  /** `provision` may put something under the folders before anything is in them. */
  constructor(files: Readonly<Record<string, string>>, provision: (lab: Lab) => void = () => undefined) {
    provision(this)
    mkdirSync(this.repo, { recursive: true })
    this.git('init', '-q', '-b', 'main', '.')
    this.git('config', 'user.name', 'Ann')
    this.git('config', 'user.email', 'ann@example.org')
    this.write(files)
    this.git('add', '-A')
    this.git('commit', '-qm', 'Start')
    if (files['bosun.yaml'] === undefined) this.write({ 'bosun.yaml': '' })
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.repo, path)), { recursive: true })
      writeFileSync(join(this.repo, path), path === 'bosun.yaml' ? this.#withNotes(text) : text)
      if (text.startsWith('#!')) chmodSync(join(this.repo, path), 0o755)
    }
  }

  /** Workers and checks of a test note what they see here, and some act as the user would, so their sandbox lets them write. */
  #withNotes(settings: string): string {
    if (/^sandbox:/m.test(settings)) return settings
    const sandbox = { allow: [`${this.folder}:rw`] }
    if (settings.startsWith('{')) return JSON.stringify({ sandbox, ...(JSON.parse(settings) as object) })
    return `${settings.trimEnd()}
sandbox: { allow: ['${this.folder}:rw'] }
`
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', args, {
      cwd: this.repo,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: this.#env(),
      maxBuffer: 64 * 1024 * 1024,
    }).trimEnd()
  }

  /** Each ref with where it points. */
  refs(): Readonly<Record<string, string>> {
    const lines = this.git('for-each-ref', '--format=%(refname) %(objectname)').split('\n')
    return Object.fromEntries(lines.map((line) => line.split(' ') as [string, string]))
  }

  spawn(...args: readonly string[]): ChildProcess {
    const child = spawn(BIN, args, { cwd: this.repo, env: this.#env(), stdio: ['ignore', 'pipe', 'pipe'] })
    this.#children.add(child)
    child.once('close', () => this.#children.delete(child))
    return child
  }

  async bosun(...args: readonly string[]): Promise<Ended> {
    const done = await ended(this.spawn(...args))
    requireDocuments(args, done.stdout)
    return done
  }

  /** Stops the daemon; throws with what it printed if it does not stop. */
  async stop(): Promise<void> {
    const { exit, stdout, stderr } = await this.bosun('stop')
    if (exit === 0) return
    const log = read(join(this.home, 'daemon.log'))
    throw new Error(
      `bosun stop exited with ${exit}: ${stdout}${stderr}${this.processes().join('\n')}\n${log}`,
    )
  }

  /** The program at a terminal of its own, as `script` makes one. */
  sit(args: readonly string[], env: Readonly<Record<string, string>> = {}): Sitting {
    const line = [BIN, ...args].map((word) => `'${word}'`).join(' ')
    const child = spawn('script', ['-q', '-e', '-f', '-c', line, '/dev/null'], {
      cwd: this.repo,
      env: { ...this.#env(), TERM: 'xterm', SHELL: '/bin/sh', ...env },
      stdio: 'pipe',
    })
    this.#children.add(child)
    child.once('close', () => this.#children.delete(child))
    return new Sitting(child)
  }

  /** Runs the plan as far as it goes without a person. */
  async deliver(plan = 'plan.yaml'): Promise<Ended & { readonly last: LastLine }> {
    const done = await this.bosun('run', plan, '--no-input', '--json')
    return { ...done, last: JSON.parse(done.stdout.trimEnd().split('\n').at(-1) ?? '{}') as LastLine }
  }

  daemon(): DaemonFacts {
    return JSON.parse(readFileSync(join(this.home, 'daemon.json'), 'utf8')) as DaemonFacts
  }

  /** The activity log so far; empty before the first line. */
  activity(): readonly Activity[] {
    return linesOf(join(this.#repoFolder() ?? '', 'coordination', 'pm-activity.jsonl')).map(
      (line) => JSON.parse(line) as Activity,
    )
  }

  /** Where Bosun keeps what belongs to the repository; null before it was registered. */
  #repoFolder(): string | null {
    try {
      const [name] = readdirSync(join(this.home, 'repos'))
      return name === undefined ? null : join(this.home, 'repos', name)
    } catch {
      return null
    }
  }

  /** What a worker was started with. */
  jobOf(worker: string): WrittenJob {
    const job = readFileSync(join(this.#repoFolder() ?? '', 'workers', worker, 'job.json'), 'utf8')
    return JSON.parse(job) as WrittenJob
  }

  briefOf(worker: string): string {
    return this.jobOf(worker).brief
  }

  /** Worker folders that were not released. */
  heldClones(): readonly string[] {
    return globSync('private/clones/*/note.json', { cwd: this.#repoFolder() ?? this.home })
  }

  /** Processes that work in this folder or were started with its state root. */
  processes(): readonly string[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
      .flatMap((pid) => this.#processOf(pid) ?? [])
  }

  /** Null for one that is not ours or is a zombie. Everything is read once: a process may exit between two looks. */
  #processOf(pid: string): string | null {
    const [status, cmdline] = [read(`/proc/${pid}/status`), read(`/proc/${pid}/cmdline`)]
    if (/^State:\s+Z/m.test(status)) return null
    const texts = [read(`/proc/${pid}/environ`), cmdline, cwdOf(pid)]
    if (!texts.some((text) => text.includes(this.folder))) return null
    const name = /^Name:\s+(.*)$/m.exec(status)?.[1] ?? ''
    return `${pid} ${cmdline.replaceAll('\0', ' ').trim() || `(${name})`}`
  }

  /** Kills what is left: a regular stop would start one more program in every test. */
  async dispose(): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL')
    endProcessesIn(this.folder)
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }

  #env(): Record<string, string> {
    return {
      PATH,
      HOME: this.folder,
      TMPDIR: tmpdir(),
      BOSUN_HOME: this.home,
      USER: 'ann',
      GIT_CONFIG_NOSYSTEM: '1',
      ...this.variables,
    }
  }
}

/** What a person sees at a terminal, and what they type there. */
export class Sitting {
  readonly #child: ChildProcess
  readonly #ended: Promise<Ended>
  /** All that was shown so far, with every control sequence. */
  shown = ''
  #read = 0

  constructor(child: ChildProcess) {
    this.#child = child
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.shown += text))
    this.#ended = ended(child)
  }

  /** Waits until this is shown, after what was waited for before. */
  async until(text: string): Promise<void> {
    while (!this.shown.includes(text, this.#read)) {
      const more = new Promise((resolve) => this.#child.stdout?.once('data', resolve))
      const end = this.#ended.then(() => 'ended')
      if ((await Promise.race([more, end])) !== 'ended') continue
      if (this.shown.includes(text, this.#read)) break
      throw new Error(`it ended and never showed ${text}: ${this.shown}`)
    }
    this.#read = this.shown.indexOf(text, this.#read) + text.length
  }

  /** Types a line once it is asked for it. */
  async type(prompt: string, line: string): Promise<void> {
    await this.until(prompt)
    this.#child.stdin?.write(`${line}\r`)
  }

  async end(): Promise<number | null> {
    return (await this.#ended).exit
  }
}

export function ended(child: ChildProcess): Promise<Ended> {
  return new Promise((resolve, reject) => {
    let stdout = ''
    let stderr = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.once('error', reject)
    child.once('close', (exit) => resolve({ exit, stdout, stderr }))
  })
}

export function linesOf(path: string): readonly string[] {
  return read(path)
    .split('\n')
    .slice(0, -1)
    .filter((line) => line !== '')
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Not there yet, or a process that has ended or belongs to another user.
    return ''
  }
}

function cwdOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}
