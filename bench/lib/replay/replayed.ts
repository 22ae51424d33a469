/** Replays commits as one plan, in a repository and a state root of their own that are gone afterwards. */
import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, join } from 'node:path'
import { parse, parseDocument, stringify } from 'yaml'
import { builtEnvironment } from '../../../src/lib/process/built-environment.ts'
import { round } from '../measure.ts'
import { git, patchOf, readCommit } from './commit.ts'
import { placesOf, planOf, reportOf } from './commit-plan.ts'
import type { ChosenChecks, Wanted } from './list.ts'
import { judge, simpleCommands, wholeRuns, type Judged, type Line } from './outcome.ts'

const BIN = join(import.meta.dirname, '../../../bin/bosun')
/** A command that ended its own way is given this long to go after its limit. */
const GRACE_MS = 10_000
const OUT_OF_TIME = 124
const STOP_SECONDS = 60

export interface Bare {
  readonly suite: 'green' | 'red' | 'none'
  readonly suite_seconds: number
  readonly setup_seconds: number
}

export interface Replayed extends Judged {
  readonly repository: string
  readonly commits: readonly string[]
  readonly seconds: number
  readonly bare: Bare
  readonly suite_runs: number
  readonly setup_runs: number
  readonly checks: ChosenChecks
}

export interface Limits {
  readonly limitSeconds: number
  /** Where what is needed to understand a refusal is kept. */
  readonly keep: string | null
  /** Ends what runs; nothing of it counts then. */
  readonly signal: AbortSignal
}

interface Places {
  readonly folder: string
  readonly repo: string
  readonly home: string
  readonly shims: string
  readonly tally: string
}

export async function replay(wanted: Wanted, limits: Limits): Promise<Replayed> {
  const { keep } = limits
  const folder = mkdtempSync(join(tmpdir(), 'bosun-replay-'))
  const name = basename(wanted.repository).replace(/\.git$/, '')
  const places = {
    folder,
    repo: join(folder, name),
    home: join(folder, 'state'),
    shims: join(folder, 'shims'),
    tally: join(folder, 'calls'),
  }
  try {
    const commits = wanted.commits.map((commit) => readCommit(wanted.repository, commit))
    const [first, last] = [commits[0], commits.at(-1)]
    if (first === undefined || last === undefined) throw new Error('no commit to replay')
    plant(wanted.repository, first.parent, places.repo)
    const plan = planOf(commits, wanted.tier)
    writeFileSync(join(folder, 'plan.yaml'), stringify(plan))
    commits.forEach((commit, at) => {
      const task = join(folder, `task-${at + 1}`)
      writeFileSync(`${task}.patch`, patchOf(wanted.repository, commit))
      writeFileSync(`${task}.json`, JSON.stringify({ report: reportOf(commit), places: placesOf(commit) }))
    })
    const checks = await settle(places, wanted.checks, limits)
    const plain = join(folder, 'plain')
    plant(wanted.repository, last.sha, plain)
    const bare = await runBare(plain, checks, limits)
    rmSync(plain, { recursive: true, force: true })
    countCalls(places, Object.values(checks))
    const run = await deliver(places, limits)
    limits.signal.throwIfAborted()
    const judged = judge({ ...run, tasks: commits.length })
    if (keep !== null) keepFor(places, join(keep, `${name}-${last.sha.slice(0, 8)}`), run.text)
    const calls = existsSync(places.tally) ? readFileSync(places.tally, 'utf8').split('\n') : []
    const files = commits.flatMap(({ changes }) => changes.map(({ path }) => path))
    return {
      repository: name,
      commits: commits.map(({ sha }) => sha),
      ...judged,
      seconds: round(run.seconds, 1),
      bare,
      suite_runs: wholeRuns(checks['test'] ?? '', calls, files),
      setup_runs: wholeRuns(checks['setup'] ?? '', calls, []),
      checks: wanted.checks,
    }
  } finally {
    await shell([BIN, 'stop', '--force'], { cwd: folder, home: places.home, limitSeconds: STOP_SECONDS })
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** One commit with exactly the tree of another repository's commit, and none of that repository's other objects. */
function plant(from: string, commit: string, to: string): void {
  mkdirSync(to, { recursive: true })
  git(to, 'init', '-q', '-b', 'main')
  git(to, 'config', 'user.name', 'Ada')
  git(to, 'config', 'user.email', 'ada@example.org')
  const tree = git(from, 'rev-parse', `${commit}^{tree}`).trim()
  const objects = execFileSync('git', ['-C', from, 'rev-list', '--objects', '--no-object-names', tree])
  const pack = execFileSync('git', ['-C', from, 'pack-objects', '--stdout', '-q'], {
    input: objects,
    maxBuffer: 1024 ** 3,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  execFileSync('git', ['-C', to, 'unpack-objects', '-q'], { input: pack })
  const start = git(to, 'commit-tree', tree, '-m', 'Start').trim()
  git(to, 'reset', '-q', '--hard', start)
}

/** bosun.yaml as `bosun init` writes it, with the crew of the replay and the checks that the caller chose. */
async function settle(
  { folder, repo, home }: Places,
  chosen: ChosenChecks,
  limits: Limits,
): Promise<ChosenChecks> {
  await shell([BIN, 'init', '--no-input'], { ...limits, cwd: repo, home })
  const file = join(repo, 'bosun.yaml')
  const settings = parseDocument(existsSync(file) ? readFileSync(file, 'utf8') : '{}')
  for (const [check, command] of Object.entries(chosen)) settings.setIn(['environment', check], command)
  const author = join(folder, 'author.mjs')
  const reader = join(folder, 'reader.sh')
  writeFileSync(author, AUTHOR)
  writeFileSync(reader, READER)
  settings.set('agents', {
    author: { protocol: 'command', command: [process.execPath, author, folder] },
    reader: { protocol: 'command', command: ['sh', reader] },
  })
  settings.set('roles', { developer: 'author', fixer: 'author', reviewer: 'reader' })
  // It takes the patches from there, and notes what it did.
  settings.set('sandbox', { allow: [`${folder}:rw`] })
  writeFileSync(file, settings.toString())
  const { environment = {} } = parse(settings.toString()) as {
    environment?: Record<string, string | null | { readonly command: string }>
  }
  return Object.fromEntries(
    Object.entries(environment).map(([check, command]) => [
      check,
      typeof command === 'object' && command !== null ? command.command : command,
    ]),
  )
}

/** Applies the patch of its task unless an earlier attempt did; of a task that was split, the part for its files. */
const AUTHOR = `import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
process.stdin.resume()
const read = (path) => JSON.parse(readFileSync(path, 'utf8'))
const [id, part] = process.env.BOSUN_TASK_ID.split('-')
const task = process.argv[2] + '/task-' + id
const contract = read(process.env.BOSUN_CONTRACT)
const files = [...Object.values(contract.expected_files).flat(), ...contract.tests_to_add]
const isMine = (path) => part === undefined || files.includes(path)
const only = part === undefined ? [] : files.map((path) => '--include=' + path)
const apply = (...how) =>
  execFileSync('git', ['apply', '--whitespace=nowarn', ...how, ...only, task + '.patch'], { stdio: 'pipe' })
try {
  apply('--reverse', '--check')
} catch {
  apply()
}
const { report, places } = read(task + '.json')
const place = places.find(({ file }) => isMine(file))
const criteria = place === undefined ? [] : contract.acceptance_criteria.map((_, at) => ({ criterion: at + 1, ...place }))
writeFileSync(process.env.BOSUN_REPORT, JSON.stringify({ ...report, criteria }))
process.exit(0)
`
const READER = `cat > /dev/null
echo '{"verdict":"approved","summary":"The change is as planned.","critical":[],"major":[],"minor":[]}' > "$BOSUN_REPORT"
`

/** What the suite takes without Bosun, on the tree that the plan ends with. */
async function runBare(folder: string, checks: ChosenChecks, limits: Limits): Promise<Bare> {
  const timed = (command: string | null | undefined): Promise<Ended> | null =>
    typeof command === 'string' ? shell(['sh', '-c', command], { ...limits, cwd: folder }) : null
  const setup = await timed(checks['setup'])
  const suite = await timed(checks['test'])
  return {
    suite: suite === null ? 'none' : suite.exit === 0 ? 'green' : 'red',
    suite_seconds: round(suite?.seconds ?? 0, 1),
    setup_seconds: round(setup?.seconds ?? 0, 1),
  }
}

/** Puts a program of the same name before each that the checks call, which notes the call; calls within calls are none. */
function countCalls({ shims, tally }: Places, commands: readonly (string | null)[]): void {
  mkdirSync(shims)
  const called = commands.flatMap((command) => (command === null ? [] : simpleCommands(command)))
  for (const program of new Set(['npx', ...called.map(([program = '']) => program)])) {
    const path = programOf(program)
    if (path === null) continue
    const text = `#!/bin/sh
if [ -z "$REPLAY_INSIDE" ]; then
  export REPLAY_INSIDE=1
  printf '%s\\n' "$(printf '%s ' ${program} "$@" | tr '\\n' ' ')" >> ${tally}
fi
exec ${path} "$@"
`
    writeFileSync(join(shims, program), text, { mode: 0o755 })
  }
}

function programOf(name: string): string | null {
  if (!/^[\w.-]+$/.test(name)) return null
  const folders = (builtEnvironment(process.env)['PATH'] ?? '').split(delimiter)
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null
}

async function deliver({ folder, repo, home, shims }: Places, limits: Limits) {
  const command = [BIN, 'run', join(folder, 'plan.yaml'), '--no-input', '--json']
  const { exit, stdout, stderr, seconds } = await shell(command, { ...limits, cwd: repo, home, shims })
  const lines = stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []))
  return { exit: exit === OUT_OF_TIME ? null : exit, lines, stderr, seconds, text: stdout }
}

function keepFor({ folder, repo, home, tally }: Places, to: string, output: string): void {
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to, { recursive: true })
  writeFileSync(join(to, 'run.jsonl'), output)
  const state = join(home, 'repos')
  const parts = [join(folder, 'plan.yaml'), join(repo, 'bosun.yaml'), join(home, 'daemon.log'), tally]
  for (const part of parts) if (existsSync(part)) cpSync(part, join(to, basename(part)))
  for (const patch of readdirSync(folder).filter((name) => name.endsWith('.patch')))
    cpSync(join(folder, patch), join(to, patch))
  if (existsSync(state)) cpSync(state, join(to, 'repos'), { recursive: true, filter: isEvidence })
  execFileSync(BIN, ['export', join(to, 'log.jsonl')], { cwd: repo, env: environmentOf({ home }) })
}

/** Clones, checkouts and caches say nothing that the log and the evidence do not. */
const isEvidence = (path: string): boolean =>
  !/\/(cache|checkouts|clones|private|tools|quarantine\.git)$/.test(path)

interface Ended {
  /** 124: it was ended at its limit. */
  readonly exit: number
  readonly stdout: string
  readonly stderr: string
  readonly seconds: number
}

interface ShellOptions {
  readonly cwd: string
  readonly limitSeconds: number
  readonly signal?: AbortSignal
  readonly home?: string
  readonly shims?: string
}

function environmentOf({ home, shims }: { readonly home?: string; readonly shims?: string }) {
  const path = builtEnvironment(process.env)['PATH'] ?? ''
  return builtEnvironment(process.env, {
    PATH: shims === undefined ? path : `${shims}${delimiter}${path}`,
    BOSUN_NOTIFY: 'off',
    ...(home === undefined ? {} : { BOSUN_HOME: home }),
  })
}

/** In a process group of its own, so that all of it can be ended at the limit. */
async function shell(command: readonly string[], options: ShellOptions): Promise<Ended> {
  options.signal?.throwIfAborted()
  const [program = '', ...args] = command
  const start = performance.now()
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: environmentOf(options),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  let isOver = false
  const end = (signal: NodeJS.Signals): void => {
    isOver = true
    if (child.pid !== undefined) endGroup(child.pid, signal)
  }
  const stop = (): void => end('SIGTERM')
  options.signal?.addEventListener('abort', stop)
  const asked = setTimeout(stop, options.limitSeconds * 1000)
  const forced = setTimeout(() => end('SIGKILL'), options.limitSeconds * 1000 + GRACE_MS)
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    const seconds = (performance.now() - start) / 1000
    return { exit: isOver ? OUT_OF_TIME : (code ?? 1), stdout, stderr, seconds }
  } finally {
    clearTimeout(asked)
    clearTimeout(forced)
    options.signal?.removeEventListener('abort', stop)
  }
}

function endGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal)
  } catch {
    // It ended in this moment.
  }
}
