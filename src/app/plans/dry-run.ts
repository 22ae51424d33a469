/** Prepares a dry run: a temporary clone of the user's repository with its own state root. */
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { DRY_RUN_FILE } from '../../core/dry-run/dry-run.ts'
import { runProgram } from '../../lib/process/run-program.ts'
import { makeThrowAway, plainGit, type ThrowAwayPlace } from './throw-away.ts'

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
