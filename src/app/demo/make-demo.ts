/** Creates the demo's folder: a repository, a state root, and the Node that runs this program. */
import { cp, mkdir, symlink } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { reviewPath } from '../../core/delivery/review-artifact.ts'
import { PACKAGE_ROOT } from '../../lib/system/package-root.ts'
import { makeThrowAway, plainGit, type ThrowAwayPlace } from '../plans/throw-away.ts'

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
  makeThrowAway('demo', (folder) => provision(folder, env))

async function provision(folder: string, env: ThrowAwayPlace['env']): Promise<ThrowAwayPlace> {
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
