/** Throw-away repositories, for the demo and for dry runs. */
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '../../lib/process/run-program.ts'
import { Refusal } from '../../lib/refusal.ts'

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
  throw new Refusal({
    code: 'failed',
    message: `git ${args[0] ?? ''} failed: ${why}`,
    remedy: 'Check free space in the temporary folder (TMPDIR), and your installation: bosun doctor',
  })
}
