/** Opens a repository to verify a release in, with checkouts to re-run its evidence. */
import { rerunEvidence } from '../checks/baseline/rerun-evidence.ts'
import { builtEnvironment } from '../lib/process/built-environment.ts'
import type { ReleaseRepository } from '../ports/release-repository.ts'
import { Git, surroundingsIn } from '../workspaces/git/git.ts'
import { BorrowedRepository } from '../workspaces/landing/release-repository.ts'

const COMMAND_TIMEOUT_MS = 30 * 60_000

/** `from` is a folder in the repository. The caller closes it. */
export async function openReleaseRepository(
  from: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ReleaseRepository> {
  const git = new Git(surroundingsIn(env))
  const repository = await BorrowedRepository.open(git, from)
  return {
    find: (plan, path) => repository.find(plan, path),
    commit: (sha) => repository.commit(sha),
    text: (commit, path) => repository.text(commit, path),
    changed: (before, after) => repository.changed(before, after),
    treesWithout: (commit, artifacts) => repository.treesWithout(commit, artifacts),
    rerun: (request, signal) =>
      rerunEvidence(
        {
          checkouts: {
            checkout: (tree) => repository.checkout(tree, request.head),
          },
          folder: repository.folder,
          root: repository.root,
          processEnv: builtEnvironment(env),
          timeoutMs: COMMAND_TIMEOUT_MS,
        },
        request,
        signal,
      ),
    close: () => repository.close(),
  }
}
