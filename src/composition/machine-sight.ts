/** Shows plans' workers and work on this machine without a daemon, read-only. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { giveCommand, workerFolder, type WorkerFolder } from '../agents/worker-folder.ts'
import { orNull, readIdentity, readJob } from '../agents/worker-records.ts'
import type { PlanSight } from '../app/host/plan-place.ts'
import type { StopCause } from '../core/event-schemas/schemas.ts'
import { isAlive } from '../lib/process/processes.ts'
import type { Repository } from '../ports/repositories.ts'
import { Git, surroundingsIn, type GitPlace } from '../workspaces/git/git.ts'
import { salvageRef } from '../workspaces/saved-work/salvage.ts'

export interface SightPlace {
  /** The state root. */
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface Sights {
  readonly of: (repository: Repository) => PlanSight
  /** Asks workers to stop; their work stays in place for the next daemon to save. */
  readonly stopOrphans: (repository: Repository, workers: readonly string[], cause: StopCause) => void
}

export function machineSights({ root, env }: SightPlace): Sights {
  const git = new Git(surroundingsIn(env))
  return {
    of(repository) {
      const directory = join(root, 'repos', repository.id)
      const at = { gitDir: join(directory, 'quarantine.git') }
      const folderOf = (worker: string): WorkerFolder => workerFolder(join(directory, 'workers', worker))
      return {
        pidOf: (worker) => livingProcess(folderOf(worker)),
        workerPlace: async (worker) => ({
          workspace: workspaceOf(folderOf(worker)),
          repository: at.gitDir,
          salvage: (await valueOf(git, at, salvageRef(worker))) === null ? null : salvageRef(worker),
        }),
        evidenceFolder: join(directory, 'evidence'),
      }
    },
    stopOrphans({ id }, workers, cause) {
      for (const worker of workers) {
        const folder = workerFolder(join(root, 'repos', id, 'workers', worker))
        // One with damaged files fails when the next daemon takes it up.
        if (existsSync(folder.path)) giveCommand(folder, { kind: 'stop', cause })
      }
    },
  }
}

/** The pid of the agent, else of its supervisor; null where neither is alive. */
function livingProcess(folder: WorkerFolder): number | null {
  const identity = orNull(() => readIdentity(folder.identity))
  const known = [identity?.agent?.leader ?? null, identity?.supervisor ?? null]
  return known.find((one) => one !== null && isAlive(one))?.pid ?? null
}

/** Null once its end was acknowledged: the folder may belong to another worker by then. */
function workspaceOf(folder: WorkerFolder): string | null {
  if (existsSync(folder.acknowledged)) return null
  const workspace = orNull(() => readJob(folder.job))?.workspace ?? null
  return workspace !== null && existsSync(workspace) ? workspace : null
}

const valueOf = (git: Git, at: GitPlace, name: string): Promise<string | null> =>
  git.lineOrNull({ args: ['rev-parse', '--verify', '--quiet', name], at })
