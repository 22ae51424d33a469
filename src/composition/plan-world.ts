/**
 * The stages of a plan, in the order in which a task meets them, and who does each. All of it stands on the plan's open
 * repository, which its plans share.
 */
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { handIn } from '../agents/worker-folders.ts'
import { SpecialistSessions } from '../agents/specialist-sessions.ts'
import { workerFolder } from '../agents/worker-folder.ts'
import { readPlanEnvironment, withEnvironment } from '../app/host/plan-environment.ts'
import { draftFromText } from '../app/plans/read-plan.ts'
import type { PlanPlace, PlanWorld } from '../app/host/plan-place.ts'
import { streamOf } from '../app/host/stream-name.ts'
import { CommandGateRunner } from '../checks/runner/command-gate-runner.ts'
import { CommandIntegrationRunner } from '../checks/runner/command-integration-runner.ts'
import type { MachinePlace } from '../core/gates/secrets/machine-places.ts'
import { knownSecrets } from '../core/gates/secrets/secret-values.ts'
import { EvidenceStore } from '../lib/process/output-keeper.ts'
import { fullDisk } from '../lib/files/system-error.ts'
import { builtEnvironment } from '../lib/process/built-environment.ts'
import { orElse } from '../lib/or-else.ts'
import type { Redactor } from '../lib/text/redactor.ts'
import { systemClock } from '../lib/system/system-clock.ts'
import type { Parser } from '../ports/parser.ts'
import { adoptInstall } from '../workspaces/clones/dependencies.ts'
import { PlanTrees } from '../workspaces/plan-trees.ts'
import type { ApprovedSpec } from '../workspaces/landing/landing.ts'
import { PlanWorkspace } from '../workspaces/plan-workspace.ts'
import { salvageRef } from '../workspaces/saved-work/salvage.ts'
import { requireKeptWork } from '../workspaces/saved-work/work-snapshot.ts'
import { baseForecast, writtenBranch } from '../workspaces/survey/base-forecast.ts'
import { requireRoomForBranches } from '../workspaces/user-repository.ts'
import { takeBaseline } from './baseline.ts'
import { openBrain, type BrainPlace } from './crew/open-brain.ts'
import {
  agentReportingFullDisk,
  gatesReportingFullDisk,
  reportFullDisk,
  workspaceReportingFullDisk,
  type Folders,
  agentWithCheckedLocations,
} from './guarded-ports.ts'
import type { OpenRepository, RepositoryOptions, SharedResources } from './open-repository.ts'
import { planAgents } from './crew/plan-agents.ts'
import { planLaunch } from './plan-launch.ts'
import { changeText } from './worker-brief.ts'
import { planWalls } from './plan-walls.ts'
import { PlanSecrets } from './plan-secrets.ts'

export interface Machine
  extends
    Omit<RepositoryOptions, keyof SharedResources>,
    Pick<BrainPlace, 'scripted' | 'finder' | 'sessions'> {
  /** The state root. */
  readonly root: string
  /** Where workers reach the daemon. */
  readonly url: string
  readonly parser: Parser
  /** Of all secrets that the daemon holds; each plan adds its own. */
  readonly hide?: Redactor | undefined
  /** Replaces backends for a dry run. `tipTree` is the tree of all landed work. */
  readonly swap?: (world: PlanWorld, tipTree: () => Promise<string>) => PlanWorld
}

/** The share of a worker's time limit that a gate or a set-up may take before it is inconclusive. */
const GATE_SHARE = 0.5

/** Makes the world, and registers with its repository how the plan's workers are launched. */
export async function planWorld(
  machine: Machine,
  repository: OpenRepository,
  place: PlanPlace,
): Promise<PlanWorld> {
  const { settings } = place.document
  const { id } = place.plan
  const stream = streamOf(place.repository.id, id)
  const kept = readPlanEnvironment(machine.root, stream)
  const env = kept === null ? machine.env : { ...machine.env, PATH: kept.path }
  const variables = Object.assign({}, env, ...Object.values(kept?.agents ?? {}), kept?.brain)
  const crew = await planAgents(machine, place, variables)
  if (place.hasBegun) await requireKeptWork(repository.quarantine, id)
  const startBranch = await writtenBranch(repository.quarantine, id)
  await requireRoomForBranches(repository.git, repository.user, { id, hasBegun: startBranch !== null })

  const secrets = new PlanSecrets(machine, place)
  const { hide } = secrets
  const evidenceDir = join(place.folder, 'evidence')
  const walls = await planWalls({
    settings,
    root: machine.root,
    env,
    repository: place.repository.path,
    objects: repository.quarantine.objects,
    caches: join(place.folder, 'cache', 'packages'),
  })
  const forCommands = {
    plan: id,
    environment: { ...settings.environment, ...place.document.environment },
    envFilesFrom: place.repository.path,
    processEnv: builtEnvironment(env),
    timeoutMs: Math.ceil(settings.watch.time_limit * GATE_SHARE),
  }
  const ownFolders = [settings.pm.review_artifacts_dir, settings.pm.release_manifest_dir]
  const folders: Folders = [place.folder, repository.user.place.gitDir]

  // Where work is done, collected and landed.
  const workspace = new PlanWorkspace({
    ...repository,
    plan: id,
    clock: systemClock,
    parser: machine.parser,
    provisioning: {
      ...repository,
      ...forCommands,
      walls: walls.worker,
      evidence: { store: new EvidenceStore(evidenceDir, hide), folder: evidenceDir },
    },
    reviewFolder: settings.pm.review_artifacts_dir,
    releaseFolder: settings.pm.release_manifest_dir,
    approvedSpec: () => approvedSpecOf(place),
  })
  const trees = new PlanTrees({ ...repository, workspace, plan: id })

  // What proves it.
  const gates = new CommandGateRunner({
    ...repository,
    ...forCommands,
    checkouts: trees,
    changes: trees,
    walls: walls.check,
    evidenceDir,
    parser: machine.parser,
    cacheDir: join(place.folder, 'cache'),
    onInstalled: (install) => adoptInstall(repository, { ...install, plan: id }),
    reruns: settings.proof.reruns,
    mutation: { of: settings.proof.mutation, limitMs: settings.proof.mutation_time },
    followUps: () => place.tasks.map((task) => task.id),
    ownFolders,
    knownSecrets: knownSecrets(place, variables),
    places: [
      ...placesAt("Bosun's state", machine.root),
      ...placesAt("the repository's folder", place.repository.path),
      ...placesAt('the home folder', env['HOME'] ?? ''),
    ],
    hide,
  })
  const baseline = { ...repository, workspace, gates, header: place.plan, name: place.repository.name }

  // Who does it.
  repository.launches.set(
    id,
    planLaunch(machine, place, { table: crew.table, workspace, trees, walls, secrets }),
  )
  const agent = agentWithCheckedLocations(
    agentReportingFullDisk(repository.watch.watched(repository.agent.forPlan(id)), folders),
    (worker, file) => workspace.linesSeenBy(worker, file),
    machine.onError,
  )

  const world: PlanWorld = {
    hide,
    takeBaseline: (asked, signal) => reportFullDisk(folders, () => takeBaseline(baseline, asked, signal)),
    agent,
    workspace: workspaceReportingFullDisk(workspace, folders),
    gates: gatesReportingFullDisk(gates, folders),
    integration: new CommandIntegrationRunner(
      { changes: trees, environment: forCommands.environment },
      gates.parts,
    ),
    brain: openBrain({
      ...machine,
      hide,
      settings,
      repository: place.repository.path,
      // Read anew each time: running the plan again brings another key.
      env: () => {
        const now = readPlanEnvironment(machine.root, stream)
        secrets.holdGiven(now?.brain ?? {})
        return withEnvironment(machine.env, now)
      },
    }),
    specialist: new SpecialistSessions({
      agent: repository.agent,
      giveBack: (worker) => workspace.giveBackCopy(worker),
    }),
    changeText: (draft) => changeText(trees, draft),

    pidOf: (worker) => repository.agent.pidOf(worker),
    channelOf: (worker) => repository.agent.channelOf(worker),
    checkOf: (task) => gates.running(task),
    handIn: (worker, report) => handIn(workerFolder(join(place.folder, 'workers', worker)), report),
    evidenceFolder: evidenceDir,
    hindrance: () => fullDisk(folders),
    notices: async () => [
      ...(await repository.user.notices()).map((notice) => notice.text),
      ...crew.notices(),
      ...(walls.lacking === null ? [] : [`workers and checks run without a sandbox: ${walls.lacking}`]),
    ],
    forecast: await baseForecast({ ...repository, workspace, plan: id }, startBranch),
    workerPlace: async (worker) => {
      const ref = salvageRef(worker)
      return {
        workspace: (await repository.clones.find(worker))?.path ?? repository.clones.kept(worker),
        repository: repository.quarantine.place.gitDir,
        salvage: (await repository.quarantine.refValue(ref)) === null ? null : ref,
      }
    },
  }
  return machine.swap?.(world, () => trees.tipTree()) ?? world
}

/** A folder by the name it is called by, and by its own. */
function placesAt(kind: string, path: string): readonly MachinePlace[] {
  const real = orElse(() => realpathSync(path), path)
  return [...new Set([path, real])].map((one) => ({ kind, path: one }))
}

/** Null for a plan that was not made from a spec. */
function approvedSpecOf({ plan: { source, specFile, title }, document }: PlanPlace): ApprovedSpec | null {
  if (specFile === null) return null
  const { spec } = draftFromText(source, document.text)
  if (spec === undefined) return null
  return { path: specFile, content: spec.endsWith('\n') ? spec : `${spec}\n`, title }
}
