/** Throw-away repositories: a temporary clone for a dry run, the repository of the demo. */
import { cp, mkdir, writeFile, mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, delimiter } from 'node:path'
import { DRY_RUN_FILE } from '../../core/dry-run/dry-run.ts'
import { runProgram } from '../../lib/process/run-program.ts'
import { tmpdir } from 'node:os'
import { refusal } from '../../lib/refusal.ts'
import { reviewPath } from '../../core/delivery/review-artifact.ts'
import { PACKAGE_ROOT } from '../../lib/system/package-root.ts'

export interface DryRunPlace extends ThrowAwayPlace {
  /** The user's working directory, in the clone. */
  readonly cwd: string
}

export interface DryRunAsked {
  /** Root of the user's repository. Nothing in it is changed. */
  readonly root: string
  readonly cwd: string
  readonly env: ThrowAwayPlace['env']
  /** The text of the script, read and checked. */
  readonly script: string
  /** Files taken from the work tree, committed or not: the plan, its design, the settings. */
  readonly files: readonly string[]
}

export const makeDryRun = (asked: DryRunAsked): Promise<DryRunPlace> =>
  makeThrowAway('dry-run', (folder) => provision(folder, asked))

async function provision(
  folder: string,
  { root, cwd, env, script, files }: DryRunAsked,
): Promise<DryRunPlace> {
  const repository = join(folder, 'repository')
  const home = join(folder, 'state')
  // Without the user's hooks and filters; their identity is copied below.
  await plainGit(folder, env, ['clone', '--quiet', '--template=', root, repository])
  await plainGit(repository, env, ['remote', 'remove', 'origin'])
  for (const key of ['user.name', 'user.email']) {
    const value = await configured(root, env, key)
    if (value !== '') await plainGit(repository, env, ['config', key, value])
  }
  await mkdir(home, { mode: 0o700 })
  await writeFile(join(home, DRY_RUN_FILE), script)
  const inRoot = (path: string): string | null => {
    const within = relative(root, path)
    return within.startsWith('..') || isAbsolute(within) ? null : within
  }
  for (const file of files) {
    const from = resolve(cwd, file)
    const within = inRoot(from)
    if (within === null) continue
    await mkdir(dirname(join(repository, within)), { recursive: true })
    // The command that needs a missing file reports it.
    await cp(from, join(repository, within)).catch(() => undefined)
  }
  const there = join(repository, inRoot(cwd) ?? '')
  await mkdir(there, { recursive: true })
  return { folder, repository, home, cwd: there, env: { ...env, BOSUN_HOME: home } }
}

/** Empty where it is not set. */
async function configured(root: string, env: ThrowAwayPlace['env'], key: string): Promise<string> {
  const done = await runProgram({
    command: 'git',
    args: ['config', '--get', key],
    cwd: root,
    env,
    timeoutMs: 10_000,
    maxBytes: 10_000,
  })
  return done.kind === 'exited' && done.code === 0 ? done.stdout.trim() : ''
}

/** Throw-away repositories, for the demo and for dry runs. */
type Env = Readonly<Record<string, string | undefined>>

export interface ThrowAwayPlace {
  /** Everything that is left behind is in here. */
  readonly folder: string
  readonly repository: string
  /** The state root. */
  readonly home: string
  readonly env: Env
}

/** Fills a new temporary folder; removes it again if that fails. */
export async function makeThrowAway<P>(name: string, provision: (folder: string) => Promise<P>): Promise<P> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), `bosun-${name}-`))
  try {
    return await provision(folder)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** Runs git without the user's settings: no hooks, filters, signing or aliases. */
export async function plainGit(cwd: string, { PATH, HOME }: Env, args: readonly string[]): Promise<string> {
  const own = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_LFS_SKIP_SMUDGE: '1' }
  const done = await runProgram({
    command: 'git',
    args: ['-c', 'core.hooksPath=/dev/null', ...args],
    cwd,
    env: { PATH, HOME, ...own, LC_ALL: 'C' },
    timeoutMs: 10 * 60_000,
    maxBytes: 1024 * 1024,
  })
  if (done.kind === 'exited' && done.code === 0) return done.stdout
  const why = done.kind === 'exited' ? done.stderr.trim() : done.kind.replaceAll('_', ' ')
  throw refusal(
    'failed',
    `git ${args[0] ?? ''} failed: ${why}`,
    'Check free space in the temporary folder (TMPDIR), and your installation: bosun doctor',
  )
}

/** Creates the demo's folder: a repository, a state root, and the Node that runs this program. */
export const DEMO_PLAN = { id: 'harbour', path: 'docs/plans/harbour-plan.yaml' } as const
/** Of the task where a worker cheats. */
export const DEMO_REVIEW = reviewPath('docs/reviews', DEMO_PLAN.id, '4')
/** Done by the first script of the crew. */
export const DEMO_SENTENCE = 'Add clockTime(minutes) in src/time.js: 425 is written as 07:05'
const CAPTAIN = {
  'user.name': 'Captain Demo',
  'user.email': 'captain@example.org',
  'commit.gpgsign': 'false',
}

export const makeDemo = (env: ThrowAwayPlace['env']): Promise<ThrowAwayPlace> =>
  makeThrowAway('demo', (folder) => provisionDemo(folder, env))

async function provisionDemo(folder: string, env: ThrowAwayPlace['env']): Promise<ThrowAwayPlace> {
  const repository = join(folder, 'harbour-log')
  const home = join(folder, 'state')
  const tools = join(folder, 'bin')
  await cp(join(PACKAGE_ROOT, 'examples/demo'), repository, { recursive: true })
  // The demo's tests need a Node that knows node:test, which the user's may not.
  await mkdir(tools)
  await symlink(process.execPath, join(tools, 'node'))
  const path = `${tools}${delimiter}${env['PATH'] ?? ''}`
  const git = (args: readonly string[]): Promise<string> => plainGit(repository, env, args)
  await git(['init', '--quiet', '--template=', '--initial-branch=main'])
  for (const [key, value] of Object.entries(CAPTAIN)) await git(['config', key, value])
  await git(['add', '--all'])
  await git(['commit', '--quiet', '--message', 'A harbour log to begin with'])
  return { folder, repository, home, env: { ...env, PATH: path, BOSUN_HOME: home, BOSUN_NOTIFY: 'off' } }
}
