/** Throw-away checkouts of a repository's newest commit, in which an agent looks around to answer a question. */
import { mkdir, mkdtemp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ReadingPlace } from '../../agents/asking/agent-model.ts'
import { removeFolder } from '../../lib/files/remove-folder.ts'
import { identify } from '../../lib/process/identity.ts'
import { Refusal } from '../../lib/refusal.ts'
import { Git, surroundingsIn } from '../../workspaces/git/git.ts'
import { BorrowedRepository } from '../../workspaces/landing/release-repository.ts'

export interface PlaceOptions {
  /** The state root. */
  readonly root: string
  /** The work tree of the repository. */
  readonly repository: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** They have no remote, and nothing is written to the repository. An empty folder where there is no commit to show. */
export async function makeReadingPlace({ root, repository, env }: PlaceOptions): Promise<ReadingPlace> {
  const folder = join(root, 'asking')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeLeft(folder)
  const prefix = join(folder, `${process.pid}-`)
  const git = new Git(surroundingsIn(env))
  try {
    const borrowed = await BorrowedRepository.open(git, repository, prefix)
    const { commit, tree } = borrowed.base
    const remove = async (): Promise<void> => {
      await borrowed.close()
      await git.close()
    }
    try {
      const { path } = await borrowed.checkout(tree, commit)
      const args = ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']
      const isCurrent = async () =>
        (await git.lineOrNull({ args, cwd: borrowed.root, settings: 'user' })) === commit
      return { path, isCurrent, remove }
    } catch (error) {
      await remove()
      throw error
    }
  } catch (error) {
    await git.close()
    if (!(error instanceof Refusal)) throw error
    const path = await mkdtemp(prefix)
    // Once there is a commit, that is shown.
    return { path, isCurrent: async () => false, remove: () => removeFolder(path) }
  }
}

/** Of a process that was killed. */
async function removeLeft(folder: string): Promise<void> {
  const left = (await readdir(folder)).filter((name) => identify(Number.parseInt(name, 10)) === null)
  await Promise.all(left.map((name) => removeFolder(join(folder, name))))
}
