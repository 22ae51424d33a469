/** A daemon of the real program, and repositories for its interviews. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { daemonAt, type Daemon } from '../../src/client/daemon.ts'
import type { DaemonFacts } from '../../src/protocol/answers.ts'
import type { PmStatus } from '../../src/protocol/interview.ts'
import { BIN, CLEAN_ENV } from '../cli/bosun.ts'
import { printed } from '../daemon/program.ts'
import { endProcessesOf } from '../helpers/end-processes.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

let folder = ''
/** The state root of the file. */
export let root = ''
let children: ChildProcess[] = []

/** Call it before all tests of a file. */
export function beginAll(): void {
  folder = tempFolder('interview')
  root = join(folder, 'state')
  children = []
}

/** Call it after all tests of a file. */
export function endAll(): void {
  for (const child of children) child.kill('SIGKILL')
  endProcessesOf(root)
}

export interface Served {
  readonly daemon: Daemon
  readonly child: ChildProcess
}

const KEY = { OPENAI_COMPATIBLE_API_KEY: 'sk-test' }

export async function serve(variables: Readonly<Record<string, string>> = KEY): Promise<Served> {
  const env = { ...CLEAN_ENV, BOSUN_HOME: root, ...variables }
  const child = spawn(BIN, ['serve'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  await printed(child, 'stderr', /is listening on/)
  const facts = JSON.parse(readFileSync(join(root, 'daemon.json'), 'utf8')) as DaemonFacts
  const token = readFileSync(join(root, 'token'), 'utf8').trim()
  const lost = () => Promise.reject(new Error('the daemon is gone'))
  return { daemon: daemonAt({ facts, token }, lost), child }
}

const gone = (child: ChildProcess): Promise<unknown> => new Promise((resolve) => child.once('close', resolve))

export async function kill({ child }: Served): Promise<void> {
  const over = gone(child)
  child.kill('SIGKILL')
  await over
}

export async function stop({ child }: Served): Promise<void> {
  const over = gone(child)
  child.kill('SIGTERM')
  await over
}

/** A plan is registered only where an agent is there to work on it. */
const AGENT = 'agents: { crew: { protocol: command, command: ["true"] } }\n'

export function repository(name: string, settings = ''): string {
  const repo = join(folder, name)
  mkdirSync(repo)
  const scripts = { test: 'node --test', lint: 'node --check index.js', build: 'node --check index.js' }
  writeFileSync(join(repo, 'package.json'), JSON.stringify({ name, version: '1.0.0', scripts }))
  writeFileSync(join(repo, 'index.js'), 'export const greet = () => "hello"\n')
  writeFileSync(join(repo, '.gitignore'), 'node_modules\n')
  writeFileSync(join(repo, 'bosun.yaml'), AGENT + settings)
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', repo, '-c', 'user.name=ann', '-c', 'user.email=ann@example.com', ...args])
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'start')
  return repo
}

/** Resolves as soon as the interview is in one of these states; events say when to look. */
export async function until({ daemon }: Served, repo: string, states: readonly string[]): Promise<PmStatus> {
  const over = new AbortController()
  try {
    for await (const _event of daemon.events({ after: 0 }, over.signal)) {
      const status = await daemon.get('/api/pm/status', { repo })
      if (states.includes(status.state)) return status
    }
  } finally {
    over.abort()
  }
  throw new Error('the event stream ended')
}
