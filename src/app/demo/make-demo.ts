/** Creates the demo's folder: a repository, a state root, and the Node that runs this program. */
import { cp, mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { PACKAGE_ROOT } from '../../lib/system/package-root.ts'
import { Refusal } from '../../lib/refusal.ts'
import { runProgram } from '../../lib/process/run-program.ts'

export const DEMO_PLAN = { id: 'harbour', path: 'docs/plans/harbour-plan.yaml' } as const
const CAPTAIN = {
  'user.name': 'Captain Demo',
  'user.email': 'captain@example.org',
  'commit.gpgsign': 'false',
}

export interface DemoPlace {
  /** Everything the demo leaves behind is in here. */
  readonly folder: string
  readonly repository: string
  /** The state root. */
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export async function makeDemo(env: Readonly<Record<string, string | undefined>>): Promise<DemoPlace> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'bosun-demo-'))
  try {
    return await provision(folder, env)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

async function provision(folder: string, env: DemoPlace['env']): Promise<DemoPlace> {
  const repository = join(folder, 'harbour-log')
  const home = join(folder, 'state')
  const tools = join(folder, 'bin')
  await cp(join(PACKAGE_ROOT, 'examples/demo'), repository, { recursive: true })
  // The demo's tests need a Node that knows node:test, which the user's may not.
  await mkdir(tools)
  await symlink(process.execPath, join(tools, 'node'))
  const path = `${tools}${delimiter}${env['PATH'] ?? ''}`
  const place = { folder, repository, home, env: { ...env, PATH: path, BOSUN_HOME: home } }
  await demoGit(place, ['init', '--quiet', '--template=', '--initial-branch=main'])
  for (const [key, value] of Object.entries(CAPTAIN)) await demoGit(place, ['config', key, value])
  await demoGit(place, ['add', '--all'])
  await demoGit(place, ['commit', '--quiet', '--message', 'A harbour log to begin with'])
  return place
}

/** Ignores the user's git settings (hooks, signing, aliases). */
export async function demoGit(
  { repository, env }: Pick<DemoPlace, 'repository' | 'env'>,
  args: readonly string[],
): Promise<string> {
  const { PATH, HOME } = env
  const done = await runProgram({
    command: 'git',
    args,
    cwd: repository,
    env: { PATH, HOME, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' },
    timeoutMs: 30_000,
    maxBytes: 1024 * 1024,
  })
  if (done.kind === 'exited' && done.code === 0) return done.stdout
  const why = done.kind === 'exited' ? done.stderr.trim() : done.kind.replaceAll('_', ' ')
  throw new Refusal({
    code: 'failed',
    message: `git ${args[0] ?? ''} failed: ${why}`,
    remedy: 'Check your installation: bosun doctor',
  })
}
