/**
 * The world of this machine: its git, its agents, its gates. One set of clones, checkouts and supervisors
 * a repository, and on top of it one workspace and one set of gates a plan.
 */
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { chooseAgent, chooseReviewer, type AgentTable } from '../agents/agent-table.ts'
import { REQUIRED, unavailableAgents } from '../agents/required-agents.ts'
import { AGENT_REMEDY, agentsOf } from './start-refusals.ts'
import { handIn } from '../agents/hand-in.ts'
import { SupervisedAgent } from '../agents/supervised-agent.ts'
import { workerFolder } from '../agents/worker-folder.ts'
import { endWorker, workerFolders } from '../agents/worker-folders.ts'
import { InboxReviewer, noopNotifier } from '../app/host/inbox-reviewer.ts'
import type { PlanPlace, PlanWorld, WorldFor, Worlds } from '../app/host/plan-place.ts'
import { systemClock } from '../lib/system/system-clock.ts'
import { RulesBrain } from '../brain/rules-brain.ts'
import { CheckSlots } from '../checks/runner/check-slots.ts'
import { CommandGateRunner } from '../checks/runner/command-gate-runner.ts'
import { CommandIntegrationRunner } from '../checks/runner/command-integration-runner.ts'
import { removeLeftGateFolders } from '../checks/runner/gate-folder.ts'
import { HomePool } from '../checks/runner/home-pool.ts'
import { completePlan } from '../core/planning/complete-plan.ts'
import type { Plan } from '../core/planning/plan.ts'
import { dataForms } from '../core/planning/readers/data-forms.ts'
import { readPlan } from '../core/planning/readers/read-plan.ts'
import { NO_FACTS } from '../core/planning/repo-facts.ts'
import { knownSecrets } from './known-secrets.ts'
import { EvidenceStore } from '../lib/files/evidence-store.ts'
import { fullDisk } from '../lib/files/full-disk.ts'
import { firstLook } from './baseline.ts'
import { PortLeases, portVariables } from '../lib/system/port-leases.ts'
import { builtEnvironment } from '../lib/process/built-environment.ts'
import { detectContainment } from '../lib/process/containment.ts'
import { Refusal } from '../lib/refusal.ts'
import { parseJsonText, parseYamlText } from '../lib/files/yaml-text.ts'
import { AgentUnavailable, type Job } from '../ports/agent.ts'
import type { Parser } from '../ports/parser.ts'
import type { FoundWorker } from '../ports/worker-folders.ts'
import { caretakerIn, caretakerOf } from './clean-up.ts'
import { agentWithRoomTold, gatesWithRoomTold, workspaceWithRoomTold, type Folders } from './disk-full.ts'
import { agentWithPlacesChecked } from './review-locations.ts'
import { reviewerBrief } from './reviewer-brief.ts'
import { deltaFor, workerBrief, workerContract } from './worker-brief.ts'
import { baseForecast, writtenBranch } from '../workspaces/survey/base-forecast.ts'
import { CheckoutSlots } from '../workspaces/clones/checkout-slots.ts'
import { ClonePool } from '../workspaces/clones/clone-pool.ts'
import { Dependencies } from '../workspaces/clones/dependencies.ts'
import { Git, surroundingsIn } from '../workspaces/git/git.ts'
import { requireKeptWork } from '../workspaces/saved-work/saved-work.ts'
import { PlanTrees } from '../workspaces/plan-trees.ts'
import { PlanWorkspace } from '../workspaces/plan-workspace.ts'
import { Quarantine } from '../workspaces/quarantine.ts'
import { salvageRef } from '../workspaces/saved-work/salvage.ts'
import {
  openUserRepository,
  requireRoomForBranches,
  type UserRepository,
} from '../workspaces/user-repository.ts'

export interface Machine {
  /** The state root. */
  readonly root: string
  /** Where workers reach the daemon. */
  readonly url: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The command that supervises the folder named after it. */
  readonly supervise: readonly string[]
  /** The command of the built-in scripted agent. */
  readonly scripted: readonly string[]
  readonly parser: Parser
  readonly onError: (what: string, error: unknown) => void
  /** Puts other backends in their place, for a dry run. `tipTree` is the tree of all that has landed. */
  readonly swap?: (world: PlanWorld, tipTree: () => Promise<string>) => PlanWorld
}

/** A gate or a set-up may take this much of the time a worker has; what hangs longer is inconclusive. */
const GATE_SHARE = 0.5
const GRACE_MS = 10_000
/** As many gates as run beside each other on an ordinary machine. */
const KEPT_HOMES = 4

interface Site {
  readonly git: Git
  readonly user: UserRepository
  readonly quarantine: Quarantine
  readonly clones: ClonePool
  readonly slots: CheckoutSlots
  readonly agent: SupervisedAgent
  readonly dependencies: Dependencies
  readonly ports: PortLeases
  readonly homes: HomePool
  readonly checkSlots: CheckSlots
  /** What each plan needs to send a worker off. */
  readonly desks: Map<string, PlanDesk>
}

interface PlanDesk {
  readonly place: PlanPlace
  readonly plan: () => Plan
  readonly table: AgentTable
  readonly workspace: PlanWorkspace
  readonly trees: PlanTrees
}

export function machineWorlds(machine: Machine): Worlds {
  const sites = new Map<string, Promise<Site>>()
  // One for all repositories: there is one set of ports on a machine.
  const ports = new PortLeases(join(machine.root, 'ports.json'))
  const homes = new HomePool(KEPT_HOMES)
  const checkSlots = new CheckSlots()
  removeLeftGateFolders().catch((error: unknown) => machine.onError('folders of gates', error))
  const worldFor: WorldFor = async (place) => {
    const { id, path } = place.repository
    const known = sites.get(id)
    const site = known ?? openSite(machine, { ports, homes, checkSlots }, place)
    sites.set(id, site)
    // Only one that could not be opened is opened again: two would hand out the same folders.
    site.catch(() => sites.delete(id))
    const opened = await site
    // A later plan starts from what the repository is like by then.
    const user = known === undefined ? opened.user : await openUserRepository(opened.git, path)
    return worldOf(machine, { ...opened, user }, place)
  }
  // Where plans are at work their own folders are asked for: nobody else knows which are in use.
  const careFor: Worlds['caretakerOf'] = async ({ id }) => {
    const directory = join(machine.root, 'repos', id)
    const site = await sites.get(id)
    if (site === undefined) return caretakerOf(directory, machine.env)
    const { quarantine, clones, slots: checkouts } = site
    return caretakerIn({ directory, quarantine, clones, checkouts })
  }
  return {
    worldFor,
    caretakerOf: careFor,
    async stopOrphans({ repository, plan, workers }) {
      const { id } = repository
      const matches = (found: FoundWorker): boolean =>
        found.repository === id && (found.plan === plan || workers.includes(found.worker))
      const found = [...workerFolders(machine.root)].filter(matches)
      await Promise.all(found.map((worker) => endWorker(machine.root, worker)))
      const finishedWorkers = new Set(found.map(({ worker }) => worker))
      const keep = { isIdle: false, keepSavedMs: Number.MAX_SAFE_INTEGER, nowMs: Date.now() }
      await (await careFor(repository))?.clean({ finishedWorkers, ...keep })
    },
    async letGo() {
      // A site that could not be opened watches nobody.
      for (const opened of await Promise.allSettled(sites.values())) {
        if (opened.status !== 'fulfilled') continue
        await opened.value.agent.quiet()
        opened.value.agent.close()
      }
      await homes.close()
    },
  }
}

async function openSite(
  machine: Machine,
  shared: Pick<Site, 'ports' | 'homes' | 'checkSlots'>,
  place: PlanPlace,
): Promise<Site> {
  const { ports } = shared
  const { env } = machine
  const directory = place.folder
  const scratch = join(directory, 'private', 'git')
  const git = new Git({ ...surroundingsIn(env), scratch })
  // Tried now, since the first gate or worker will want to know.
  void detectContainment()
  const user = await openUserRepository(git, place.repository.path)
  const quarantine = await Quarantine.open({ git, directory, objectFormat: user.objectFormat })
  const desks = new Map<string, PlanDesk>()
  const deskOf = (job: Job): PlanDesk => {
    const desk = desks.get(job.plan)
    if (desk === undefined) throw new AgentUnavailable(`plan ${job.plan} is not at work here`)
    return desk
  }
  const agent = await SupervisedAgent.open({
    root: join(directory, 'workers'),
    tools: join(directory, 'tools'),
    repository: place.repository.path,
    supervise: machine.supervise,
    env,
    endingMs: (plan, limitMs) => endingMs(desks.get(plan)?.place ?? place, limitMs),
    graceMs: GRACE_MS,
    onError: machine.onError,
    choose: async (job) => {
      const { table } = deskOf(job)
      const where = { root: place.repository.path, path: env['PATH'] ?? '' }
      return job.role === 'reviewer'
        ? chooseReviewer(table, job.context.draft?.agents ?? [], where)
        : chooseAgent(table, job.role, where)
    },
    prepare: async (job, desk, signal) => {
      const { place: at, plan, workspace, trees } = deskOf(job)
      const { settings, environment } = at.document
      const commands = { ...settings.environment, ...environment }
      const leased = await ports.hold(leaseOf(place, job.worker), commands.ports ?? 0)
      const prepared = await workspace.prepare(job, { ports: leased, signal })
      const notes = [...prepared.notes, ...portsNote(leased)]
      const delta = await deltaFor(job, { settings }, (commits) => trees.landedChanges(commits))
      const parts = { plan: plan(), settings, environment: commands, desk, workspace: notes, delta }
      const contract = workerContract(job, parts)
      const sources = { changes: trees, readText: trees.readText.bind(trees), design: job.design, desk }
      return {
        workspace: prepared.path,
        env: portVariables(leased),
        brief:
          job.role === 'reviewer' ? await reviewerBrief(job, contract, sources) : workerBrief(job, parts),
        contract,
        url: machine.url,
        token: at.tokenOf(job.worker),
        coordination: join(at.folder, 'coordination'),
      }
    },
  })
  const pools = { quarantine, directory }
  const clones = new ClonePool(pools)
  const dependencies = new Dependencies(join(directory, 'cache', 'workers'))
  await dependencies.sweep()
  const site = { git, user, quarantine, agent, desks, clones, dependencies, ...shared }
  await takeBackFromTheEnded(site, place, machine)
  return { ...site, slots: new CheckoutSlots(pools) }
}

/** A watch that only looks on ends nobody, however long it takes. */
function endingMs({ document: { settings } }: PlanPlace, limitMs: number): number {
  const { mode, terminate_at: percent } = settings.watch
  return mode === 'monitor' ? Number.MAX_SAFE_INTEGER : Math.ceil((limitMs * percent) / 100)
}

/** Under which name a worker's ports are held: ids are told apart within a repository only. */
const leaseOf = ({ repository }: PlanPlace, worker: string): string => `${repository.id} ${worker}`

const portsNote = (ports: readonly number[]): readonly string[] =>
  ports.length === 0
    ? []
    : [
        `These ports are yours, and no others: ${ports.join(', ')} ($PORT, $BOSUN_PORT_1 and on, $BOSUN_PORTS).`,
      ]

/** A worker's ports and env files are its own while it runs, whoever saw it end. */
async function takeBackFromTheEnded(
  { agent, clones, ports }: Pick<Site, 'agent' | 'clones' | 'ports'>,
  place: PlanPlace,
  machine: Machine,
): Promise<void> {
  const takeBack = async (worker: string): Promise<void> => {
    ports.release(leaseOf(place, worker))
    await clones.removeSecrets(worker)
  }
  agent.listen((event) => {
    if (event.kind !== 'ended') return
    takeBack(event.worker).catch((error: unknown) =>
      machine.onError(`clearing up after ${event.worker}`, error),
    )
  })
  const prefix = leaseOf(place, '')
  const holders = ports
    .owners()
    .flatMap((owner) => (owner.startsWith(prefix) ? [owner.slice(prefix.length)] : []))
  for (const worker of holders)
    if ((await agent.standing(worker)) !== 'running') ports.release(leaseOf(place, worker))
  for (const worker of await clones.workers())
    if ((await agent.standing(worker)) === 'ended') await takeBack(worker)
}

async function worldOf(machine: Machine, site: Site, place: PlanPlace): Promise<PlanWorld> {
  const { settings, environment } = place.document
  const id = place.plan.id
  const plan = once(() => planOf(place))
  const table = agentsOf(settings, machine.scripted)
  if (place.hasBegun) await requireKeptWork(site.quarantine, id)
  const written = writtenBranch(site.quarantine, id)
  const hasBegun = written.then((branch) => branch !== null)
  const [startBranch] = await Promise.all([
    written,
    requireRoomForBranches(site.git, site.user, { id, hasBegun }),
    requireAgent(table, place, machine),
  ])
  const evidenceDir = join(place.folder, 'evidence')
  const workspace = new PlanWorkspace({
    ...site,
    plan: id,
    clock: systemClock,
    parser: machine.parser,
    furnishing: {
      ...site,
      plan: id,
      environment: { ...settings.environment, ...environment },
      envFilesFrom: place.repository.path,
      processEnv: builtEnvironment(machine.env),
      timeoutMs: Math.ceil(settings.watch.time_limit * GATE_SHARE),
      evidence: { store: new EvidenceStore(evidenceDir), folder: evidenceDir },
    },
    reviewFolder: settings.pm.review_artifacts_dir,
    releaseFolder: settings.pm.release_manifest_dir,
    look: (at, asked) =>
      firstLook({ ...site, gates, header: plan().header, name: place.repository.name }, at, asked),
  })
  const gateEnvironment = { ...settings.environment, ...environment }
  const trees = new PlanTrees({ ...site, workspace, plan: id })
  const gates: CommandGateRunner = new CommandGateRunner({
    checkouts: trees,
    changes: trees,
    environment: gateEnvironment,
    plan: id,
    evidenceDir,
    ports: site.ports,
    homes: site.homes,
    checkSlots: site.checkSlots,
    parser: machine.parser,
    cacheDir: join(place.folder, 'cache'),
    envFilesFrom: place.repository.path,
    processEnv: builtEnvironment(machine.env),
    timeoutMs: Math.ceil(settings.watch.time_limit * GATE_SHARE),
    requireTestsPass: settings.review.require_tests_pass,
    reruns: settings.proof.reruns,
    mutation: { of: settings.proof.mutation, limitMs: settings.proof.mutation_time },
    followUps: () => plan().tasks.map((task) => task.id),
    ownFolders: [settings.pm.review_artifacts_dir, settings.pm.release_manifest_dir],
    knownSecrets: knownSecrets(place, machine.env),
  })
  site.desks.set(id, { place, plan, table, workspace, trees })
  const folders: Folders = [place.folder, site.user.place.gitDir]
  const world: PlanWorld = {
    agent: agentWithPlacesChecked(
      agentWithRoomTold(site.agent.forPlan(id), folders),
      (worker, file) => workspace.linesSeenBy(worker, file),
      machine.onError,
    ),
    workspace: workspaceWithRoomTold(workspace, folders),
    gates: gatesWithRoomTold(gates, folders),
    integration: new CommandIntegrationRunner({ changes: trees, environment: gateEnvironment }, gates.parts),
    human: new InboxReviewer(),
    brain: new RulesBrain(),
    notifier: noopNotifier,
    workerFacts: (worker) => ({ pid: site.agent.pidOf(worker) }),
    checkOf: (task) => gates.running(task),
    handIn: (worker, report) => handIn(workerFolder(join(place.folder, 'workers', worker)), report),
    patchOf: (asked) => trees.patchOf(asked),
    evidenceFolder: join(place.folder, 'evidence'),
    hindrance: () => fullDisk(folders),
    notices: async () => [
      ...(await site.user.notices()).map((notice) => notice.text),
      ...(await standInNotice(machine, place)),
    ],
    forecast: await baseForecast({ ...site, workspace, plan: id }, startBranch),
    workerPlace: async (worker) => {
      const ref = salvageRef(worker)
      return {
        workspace: (await site.clones.find(worker))?.path ?? site.clones.kept(worker),
        repository: site.quarantine.place.gitDir,
        salvage: (await site.quarantine.refValue(ref)) === null ? null : ref,
      }
    },
  }
  return machine.swap?.(world, () => trees.tipTree()) ?? world
}

/** Refuses at once where nobody could do the work. */
async function requireAgent(table: AgentTable, place: PlanPlace, machine: Machine): Promise<void> {
  const where = { root: place.repository.path, path: machine.env['PATH'] ?? '' }
  // A plan that has begun may need no review any more, and stops where it does.
  const [first] = await unavailableAgents(table, where, place.hasBegun ? ['developer'] : REQUIRED)
  if (first === undefined) return
  throw new Refusal({ code: 'no_agent', message: first.message, remedy: AGENT_REMEDY, cause: first })
}

/** A person who named nobody is told who does the work. */
async function standInNotice({ env }: Machine, place: PlanPlace): Promise<readonly string[]> {
  const { agents, roles } = place.document.settings
  const isNamed = Object.keys(agents).length > 0 || roles.developer !== undefined
  if (isNamed || env['BOSUN_SCRIPT'] !== undefined) return []
  const script = join(place.repository.path, 'bosun-script.yaml')
  const isScripted = await access(script).then(
    () => true,
    () => false,
  )
  if (isScripted) return []
  return [
    'bosun.yaml names nobody under `agents`: the built-in scripted agent stands in, for a dry run. It makes empty files.',
  ]
}

/** Reading a plan takes a while, and a plan that is taken up again may need no new worker for long. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => (made ??= { value: make() }).value
}

/** The plan as it was registered: read again from its own text. */
function planOf({ plan, document }: PlanPlace): Plan {
  const forms = dataForms({ yaml: parseYamlText, json: parseJsonText })
  return completePlan(
    readPlan({ source: plan.source, text: document.text }, forms),
    NO_FACTS,
    document.settings,
  )
}
