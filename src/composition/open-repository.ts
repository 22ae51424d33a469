/**
 * One repository of the user: its quarantine, clones, checkouts and supervised workers, shared by all of its plans, and what cleans
 * them up.
 */
import { join } from 'node:path'
import { SupervisedAgent } from '../agents/supervised-agent.ts'
import type { Reporting, JobMaker, Preparation } from '../agents/write-job.ts'
import type { PlanPlace } from '../app/host/plan-place.ts'
import type { CheckSlots } from '../checks/runner/check-slots.ts'
import { HomeCaches } from '../checks/gate-homes.ts'
import type { Settings } from '../core/settings/settings.ts'
import { detectContainment } from '../lib/process/containment.ts'
import type { PortLeases } from '../lib/files/port-leases.ts'
import { AgentUnavailable, type Job } from '../ports/agent.ts'
import { CheckoutSlots } from '../workspaces/clones/slots.ts'
import { ClonePool } from '../workspaces/clones/clone-pool.ts'
import { Dependencies } from '../workspaces/clones/dependencies.ts'
import { Git, surroundingsIn } from '../workspaces/git/git.ts'
import { Quarantine } from '../workspaces/quarantine.ts'
import { openUserRepository, type UserRepository } from '../workspaces/user-repository.ts'
import { RepositoryLook } from '../workspaces/survey/repository-state.ts'
import { RepositoryWatch } from './repository-watch.ts'
import { existsSync } from 'node:fs'
import type { Caretaker } from '../ports/caretaker.ts'
import { removeFolder } from '../lib/files/remove-folder.ts'
import { clean, forgetUnnamed } from '../workspaces/saved-work/retention.ts'
import { salvageRef } from '../workspaces/saved-work/salvage.ts'

const GRACE_MS = 10_000

/** Shared by all repositories of a machine. */
export interface SharedResources {
  readonly ports: PortLeases
  readonly checkSlots: CheckSlots
}

export interface RepositoryOptions extends SharedResources {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The command that supervises the folder named after it. */
  readonly supervise: readonly string[]
  readonly onError: (what: string, error: unknown) => void
}

/** How one plan launches its workers. */
export interface PlanLaunch {
  readonly watch: Settings['watch']
  /** The number of ports each worker gets. */
  readonly portCount: number
  readonly choose: JobMaker['choose']
  readonly prepare: (
    job: Job,
    reporting: Reporting,
    given: { readonly ports: readonly number[]; readonly signal: AbortSignal },
  ) => Promise<Preparation>
}

export interface OpenRepository extends SharedResources {
  readonly git: Git
  readonly user: UserRepository
  readonly quarantine: Quarantine
  readonly clones: ClonePool
  readonly slots: CheckoutSlots
  readonly agent: SupervisedAgent
  readonly watch: RepositoryWatch
  readonly dependencies: Dependencies
  readonly homeCaches: HomeCaches
  /** By plan; a plan that is not in here starts no worker. */
  readonly launches: Map<string, PlanLaunch>
}

/** Opens the repository of this plan, and adopts or ends the workers found in it. */
export async function openRepository(options: RepositoryOptions, place: PlanPlace): Promise<OpenRepository> {
  const { env, onError, supervise, ports, checkSlots } = options
  const { folder: directory, repository } = place
  const git = new Git(surroundingsIn(env))
  // Starts the detection early: the first gate or worker needs its result.
  void detectContainment()
  const user = await openUserRepository(git, repository.path)
  const quarantine = await Quarantine.open({ git, directory, objectFormat: user.objectFormat })
  const launches = new Map<string, PlanLaunch>()
  const agent = await SupervisedAgent.open({
    root: join(directory, 'workers'),
    tools: join(directory, 'tools'),
    repository: repository.path,
    supervise,
    env,
    graceMs: GRACE_MS,
    onError,
    endingMs: (plan, limitMs) =>
      endingMs(launches.get(plan)?.watch ?? place.document.settings.watch, limitMs),
    choose: async (job) => launchOf(launches, job).choose(job),
    prepare: async (job, reporting, signal) => {
      const launch = launchOf(launches, job)
      const leased = await ports.hold(leaseName(repository.id, job.worker), launch.portCount)
      return launch.prepare(job, reporting, { ports: leased, signal })
    },
  })
  const pools = { quarantine, directory }
  const clones = new ClonePool(pools)
  const dependencies = new Dependencies(join(directory, 'cache', 'workers'))
  const homeCaches = new HomeCaches(join(directory, 'cache', 'homes'))
  await Promise.all([dependencies.sweep(), homeCaches.sweep()])
  await reclaimFromEnded({ agent, clones, ports, onError }, repository.id)
  const slots = new CheckoutSlots(pools)
  const look = new RepositoryLook(git, user)
  const watch = new RepositoryWatch({ look, quarantine, folder: join(directory, 'before-workers'), onError })
  return {
    git,
    user,
    quarantine,
    clones,
    slots,
    agent,
    watch,
    dependencies,
    homeCaches,
    ports,
    checkSlots,
    launches,
  }
}

function launchOf(launches: ReadonlyMap<string, PlanLaunch>, { plan }: Job): PlanLaunch {
  const launch = launches.get(plan)
  if (launch === undefined) throw new AgentUnavailable(`plan ${plan} is not loaded`)
  return launch
}

/** In monitor mode the watch ends no worker, however long it runs. */
function endingMs({ mode, terminate_at: percent }: Settings['watch'], limitMs: number): number {
  return mode === 'monitor' ? Number.MAX_SAFE_INTEGER : Math.ceil((limitMs * percent) / 100)
}

/** Worker ids are unique only within a repository. */
const leaseName = (repository: string, worker: string): string => `${repository} ${worker}`

/** Takes ports and env files back from workers that have ended, now and whenever another one ends. */
async function reclaimFromEnded(
  {
    agent,
    clones,
    ports,
    onError,
  }: Pick<OpenRepository, 'agent' | 'clones' | 'ports'> & Pick<RepositoryOptions, 'onError'>,
  repository: string,
): Promise<void> {
  const reclaim = async (worker: string): Promise<void> => {
    ports.release(leaseName(repository, worker))
    // A person works on in its folder; it is cleared when the work is collected.
    if (!agent.wasTakenOver(worker)) await clones.removeSecrets(worker)
  }
  agent.listen((event) => {
    if (event.kind !== 'ended') return
    reclaim(event.worker).catch((error: unknown) => onError(`clearing up after ${event.worker}`, error))
  })
  const prefix = leaseName(repository, '')
  const holders = ports
    .owners()
    .flatMap((owner) => (owner.startsWith(prefix) ? [owner.slice(prefix.length)] : []))
  for (const worker of holders)
    if ((await agent.standing(worker)) !== 'running') ports.release(leaseName(repository, worker))
  for (const worker of await clones.workers())
    if ((await agent.standing(worker)) === 'ended') await reclaim(worker)
}

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

interface RepositoryFolders {
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
