/** Runs commands of a repository in throw-away checkouts of its commits; the work tree is not touched. */
import { join } from 'node:path'
import { rerunEvidence, tryCommands, type TrialPlace } from '../checks/try-commands.ts'
import { findSettings } from '../config/read-settings.ts'
import { defaultSettings } from '../core/settings/settings.ts'
import { builtEnvironment } from '../lib/process/built-environment.ts'
import type { TriedCommand, TrialRequest } from '../ports/command-trial.ts'
import type { ReleaseRepository } from '../ports/checkouts.ts'
import { Git, surroundingsIn } from '../workspaces/git/git.ts'
import { stateRoot } from '../store/root-path.ts'
import { BorrowedRepository } from '../workspaces/landing/release-repository.ts'
import { planWalls } from './plan-walls.ts'

type Env = Readonly<Record<string, string | undefined>>

const TRIAL_TIMEOUT_MS = 5 * 60_000
const RERUN_TIMEOUT_MS = 30 * 60_000

/** Tries commands on the newest commit. `from` is a folder in the repository. Refuses what `bosun run` would refuse. */
export async function tryRepositoryCommands(
  from: string,
  env: Env,
  request: TrialRequest,
): Promise<readonly TriedCommand[]> {
  const repository = await BorrowedRepository.open(new Git(surroundingsIn(env)), from)
  try {
    const { commit, tree } = repository.base
    const place = await trialPlace(repository, { head: commit, env, timeoutMs: TRIAL_TIMEOUT_MS })
    return await tryCommands(place, tree, request)
  } finally {
    await repository.close()
  }
}

/** To verify a release in, with checkouts to re-run its evidence. The caller closes it. */
export async function openReleaseRepository(from: string, env: Env): Promise<ReleaseRepository> {
  const repository = await BorrowedRepository.open(new Git(surroundingsIn(env)), from)
  const rerun: ReleaseRepository['rerun'] = async (request, signal) => {
    const place = await trialPlace(repository, { head: request.head, env, timeoutMs: RERUN_TIMEOUT_MS })
    return rerunEvidence(place, request, signal)
  }
  return Object.assign(repository, { rerun })
}

/** `head` is the commit that is HEAD of each checkout. Commands run behind walls: what they do is a worker's. */
async function trialPlace(
  repository: BorrowedRepository,
  { head, env, timeoutMs }: { readonly head: string; readonly env: Env; readonly timeoutMs: number },
): Promise<TrialPlace> {
  const { folder, root } = repository
  const checkouts = { checkout: (tree: string) => repository.checkout(tree, head) }
  const found = await findSettings(root)
  const { check } = await planWalls({
    settings: found.kind === 'valid' ? found.settings : defaultSettings(),
    root: stateRoot(env),
    env,
    repository: root,
    objects: repository.objects,
    caches: join(folder, 'packages'),
  })
  return { checkouts, folder, root, processEnv: builtEnvironment(env), timeoutMs, walls: check }
}
