/** Prepares a dry run: a temporary clone of the user's repository with its own state root. */
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { DRY_RUN_FILE } from '../../core/dry-run/dry-run.ts'
import { Refusal } from '../../lib/refusal.ts'
import { runProgram } from '../../lib/process/run-program.ts'

type Env = Readonly<Record<string, string | undefined>>

export interface DryRunPlace {
  /** Everything the dry run leaves behind is in here. */
  readonly folder: string
  readonly repository: string
  /** The state root. */
  readonly home: string
  /** The user's working directory, in the clone. */
  readonly cwd: string
  readonly env: Env
}

export interface DryRunAsked {
  /** Root of the user's repository. Nothing in it is changed. */
  readonly root: string
  readonly cwd: string
  readonly env: Env
  /** The text of the script, read and checked. */
  readonly script: string
  /** Files taken from the work tree, committed or not: the plan, its design, the settings. */
  readonly files: readonly string[]
}

const CLONE_MS = 10 * 60_000

export async function makeDryRun(asked: DryRunAsked): Promise<DryRunPlace> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'bosun-dry-run-'))
  try {
    return await provision(folder, asked)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

async function provision(
  folder: string,
  { root, cwd, env, script, files }: DryRunAsked,
): Promise<DryRunPlace> {
  const repository = join(folder, 'repository')
  const home = join(folder, 'state')
  // Without the user's hooks and filters; their identity is copied below.
  await git(folder, env, ['clone', '--quiet', '--template=', root, repository])
  await git(repository, env, ['remote', 'remove', 'origin'])
  for (const key of ['user.name', 'user.email']) {
    const value = await configured(root, env, key)
    if (value !== '') await git(repository, env, ['config', key, value])
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
async function configured(root: string, env: Env, key: string): Promise<string> {
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

async function git(cwd: string, { PATH, HOME }: Env, args: readonly string[]): Promise<void> {
  const done = await runProgram({
    command: 'git',
    args: ['-c', 'core.hooksPath=/dev/null', ...args],
    cwd,
    env: {
      PATH,
      HOME,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_LFS_SKIP_SMUDGE: '1',
      LC_ALL: 'C',
    },
    timeoutMs: CLONE_MS,
    maxBytes: 1024 * 1024,
  })
  if (done.kind === 'exited' && done.code === 0) return
  const why = done.kind === 'exited' ? done.stderr.trim() : done.kind.replaceAll('_', ' ')
  throw new Refusal({
    code: 'failed',
    message: `cannot clone the repository for the dry run: git ${args[0] ?? ''}: ${why}`,
    remedy: 'Check free space in the temporary folder (TMPDIR) and `git status` in the repository.',
  })
}
