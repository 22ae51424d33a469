/** Cleans up Bosun's folder of one repository. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Caretaker } from '../ports/caretaker.ts'
import { CheckoutSlots } from '../workspaces/clones/slots.ts'
import { ClonePool } from '../workspaces/clones/clone-pool.ts'
import { Git, surroundingsIn } from '../workspaces/git/git.ts'
import { Quarantine } from '../workspaces/quarantine.ts'
import { removeFolder } from '../lib/files/remove-folder.ts'
import { clean, forgetUnnamed } from '../workspaces/saved-work/retention.ts'
import { salvageRef } from '../workspaces/saved-work/salvage.ts'

/** While plans are open, this many folders stay ready for the next worker. */
const READY_FOLDERS = 2

/** For a repository that no daemon has open; null where there is nothing to clean up. */
export async function caretakerOf(
  directory: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Caretaker | null> {
  const gitDir = join(directory, 'quarantine.git')
  if (!existsSync(gitDir)) return null
  const git = new Git(surroundingsIn(env))
  const format = await git.line({ args: ['rev-parse', '--show-object-format'], at: { gitDir } })
  const objectFormat = format === 'sha256' ? 'sha256' : 'sha1'
  const quarantine = await Quarantine.open({ git, directory, objectFormat })
  const pools = { quarantine, directory }
  const folders = { clones: new ClonePool(pools), checkouts: new CheckoutSlots(pools) }
  return caretakerIn({ directory, quarantine, ...folders })
}

export interface RepositoryFolders {
  readonly directory: string
  readonly quarantine: Quarantine
  readonly clones: ClonePool
  readonly checkouts: CheckoutSlots
}

/** For an open repository: its own pools know which folders are in use. */
export function caretakerIn({ directory, quarantine, ...folders }: RepositoryFolders): Caretaker {
  return {
    async clean({ isIdle, ...order }) {
      const keepSlots = isIdle ? 0 : READY_FOLDERS
      const done = await clean({ quarantine, ...folders, ...order, keepSlots })
      const cache = join(directory, 'cache')
      const hasCache = isIdle && existsSync(cache)
      if (hasCache) await removeFolder(cache)
      if (isIdle) await forgetUnnamed(quarantine)
      return { ...done, caches: hasCache }
    },
    async saved(worker) {
      const ref = salvageRef(worker)
      const isSaved = (await quarantine.refValue(ref)) !== null
      const folder = folders.clones.kept(worker)
      return { repository: quarantine.place.gitDir, ref: isSaved ? ref : null, folder }
    },
  }
}
