/** Runs the commands of a repository on its newest commit, in a throw-away checkout; the work tree is not touched. */
import { tryCommands } from '../checks/baseline/try-commands.ts'
import { builtEnvironment } from '../lib/process/built-environment.ts'
import type { TriedCommand, TrialRequest } from '../ports/command-trial.ts'
import { Git, surroundingsIn } from '../workspaces/git/git.ts'
import { BorrowedRepository } from '../workspaces/landing/release-repository.ts'

const COMMAND_TIMEOUT_MS = 5 * 60_000

/** `from` is a folder in the repository. Refuses what `bosun run` would refuse. */
export async function tryRepositoryCommands(
  from: string,
  env: Readonly<Record<string, string | undefined>>,
  request: TrialRequest,
): Promise<readonly TriedCommand[]> {
  const repository = await BorrowedRepository.open(new Git(surroundingsIn(env)), from)
  try {
    const { commit, tree } = repository.base
    return await tryCommands(
      {
        checkouts: {
          checkout: (wanted) => repository.checkout(wanted, commit),
        },
        folder: repository.folder,
        root: repository.root,
        processEnv: builtEnvironment(env),
        timeoutMs: COMMAND_TIMEOUT_MS,
      },
      tree,
      request,
    )
  } finally {
    await repository.close()
  }
}
