/** The worlds of this machine: each repository is opened once, and every plan gets its own world on top of it. */
import { join } from 'node:path'
import { endWorker, workerFolders } from '../agents/worker-folders.ts'
import type { WorldFor, Worlds } from '../app/host/plan-place.ts'
import { CheckSlots } from '../checks/runner/check-slots.ts'
import { removeLeftGateFolders } from '../checks/gate-homes.ts'
import { PortLeases } from '../lib/files/port-leases.ts'
import type { FoundWorker } from '../ports/agent.ts'
import { openUserRepository } from '../workspaces/user-repository.ts'
import { diffsIn, workDiffs } from '../workspaces/work-diffs.ts'
import { caretakerIn, caretakerOf, openRepository, type OpenRepository } from './open-repository.ts'
import { openBrain } from './crew/open-brain.ts'
import { requireAgentAt } from './crew/plan-agents.ts'
import { planWorld, type Machine } from './plan-world.ts'

export function machineWorlds(machine: Machine): Worlds {
  const repositories = new Map<string, Promise<OpenRepository>>()
  const ports = new PortLeases(join(machine.root, 'ports.json'))
  const options = { ...machine, ports, checkSlots: new CheckSlots() }
  removeLeftGateFolders().catch((error: unknown) => machine.onError('folders of gates', error))
  const worldFor: WorldFor = async (place) => {
    const { id, path } = place.repository
    const known = repositories.get(id)
    const opening = known ?? openRepository(options, place)
    repositories.set(id, opening)
    // Opened again only after a failure: two open repositories would hand out the same folders.
    opening.catch(() => repositories.delete(id))
    const opened = await opening
    // A later plan starts from the repository's current state.
    const user = known === undefined ? opened.user : await openUserRepository(opened.git, path)
    return planWorld(machine, { ...opened, user }, place)
  }
  // An open repository knows which of its folders are in use.
  const careFor: Worlds['caretakerOf'] = async ({ id }) => {
    const directory = join(machine.root, 'repos', id)
    const opened = await repositories.get(id)
    if (opened === undefined) return caretakerOf(directory, machine.env)
    const { quarantine, clones, slots: checkouts } = opened
    return caretakerIn({ directory, quarantine, clones, checkouts })
  }
  return {
    worldFor,
    caretakerOf: careFor,
    diffsOf: async ({ id }) => {
      const opened = await repositories.get(id)
      if (opened === undefined) return diffsIn(join(machine.root, 'repos', id), machine.env)
      const { git, quarantine, clones } = opened
      return workDiffs({ git, place: quarantine.place, clones })
    },
    brainFor: async ({ repository, settings, variables }) =>
      openBrain({ ...machine, settings, repository, env: () => ({ ...machine.env, ...variables }) }),
    requireAgent: async ({ repository, settings, variables }) => {
      if (machine.swap !== undefined) return
      const env = { ...machine.env, ...variables }
      await requireAgentAt(settings, { ...machine, state: machine.root, root: repository, env })
    },
    async stopOrphans({ repository, plan, workers }) {
      const matches = (found: FoundWorker): boolean =>
        found.repository === repository.id && (found.plan === plan || workers.includes(found.worker))
      const found = [...workerFolders(machine.root)].filter(matches)
      await Promise.all(found.map((worker) => endWorker(machine.root, worker)))
      const finishedWorkers = new Set(found.map(({ worker }) => worker))
      const keep = { isIdle: false, keepSavedMs: Number.MAX_SAFE_INTEGER, nowMs: Date.now() }
      await (await careFor(repository))?.clean({ finishedWorkers, ...keep })
    },
    async detach() {
      // A repository that failed to open watches no workers.
      for (const opened of await Promise.allSettled(repositories.values())) {
        if (opened.status !== 'fulfilled') continue
        await opened.value.agent.quiet()
        await Promise.all([opened.value.agent.close(), opened.value.git.close()])
      }
      await machine.sessions?.close()
    },
  }
}
