/** The walls around what runs for one plan: its workers, its set-ups and its checks. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { adaptersFolder } from '../agents/profiles/profile-of.ts'
import { placesOfAgents } from '../agents/agent-state.ts'
import type { Settings } from '../core/settings/settings.ts'
import type { WallsFor } from '../ports/sandbox.ts'
import { cacheFolders } from '../sandbox/home-view.ts'
import { openSandbox } from '../sandbox/open-sandbox.ts'

export interface PlanWalls {
  /** Why there are none; null where there are. */
  readonly lacking: string | null
  /** Whether a sandbox of an agent's own can start within them. */
  readonly nests: boolean
  readonly worker: WallsFor
  readonly check: WallsFor
}

export async function planWalls(place: {
  readonly settings: Pick<Settings, 'sandbox'>
  /** The state root. */
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The user's work tree. */
  readonly repository: string
  /** The objects that clones borrow. */
  readonly objects: string
  /** Where package managers keep what they fetch, for workers and for checks apart. */
  readonly caches: string
}): Promise<PlanWalls> {
  const { settings, root, env, repository, objects, caches } = place
  const sandbox = await openSandbox(settings.sandbox, { root, env, hidden: placesOfAgents(env) })
  const within = (name: string): WallsFor => {
    const own = join(caches, name)
    if (sandbox.mode === 'contain')
      for (const folder of cacheFolders(own)) mkdirSync(folder, { recursive: true, mode: 0o700 })
    return (walls) =>
      sandbox.wall({
        network: 'open',
        caches: own,
        ...walls,
        readable: [repository, objects, adaptersFolder(root), ...(walls.readable ?? [])],
      })
  }
  return { lacking: sandbox.why, nests: sandbox.nests, worker: within('workers'), check: within('checks') }
}
