/** The world of one plan, on top of its open repository: workspace, gates, agents, and how its workers are launched. */
import { dirname, join } from 'node:path'
import { chooseWorkerAgent, type AgentTable, type ChosenAgent } from '../agents/agent-table.ts'
import { handIn } from '../agents/hand-in.ts'
import { withChoice } from '../agents/with-choice.ts'
import { inheritWarnings, withoutOwnSetup } from '../agents/without-own-setup.ts'
import { usageReports } from '../agents/usage-reports.ts'
import { requiredRoles, unavailableAgents } from '../agents/required-agents.ts'
import { workerFolder } from '../agents/worker-folder.ts'
import { reportingThrough } from '../agents/write-job.ts'
import { InboxReviewer, noopNotifier } from '../app/host/inbox-reviewer.ts'
import { readPlanEnvironment, withEnvironment } from '../app/host/plan-environment.ts'
import type { PlanPlace, PlanWorld } from '../app/host/plan-place.ts'
import { streamOf } from '../app/host/stream-name.ts'
import { CommandGateRunner } from '../checks/runner/command-gate-runner.ts'
import { CommandIntegrationRunner } from '../checks/runner/command-integration-runner.ts'
import { workerChoice } from '../core/choice/choose-agent.ts'
import { budgetWarnings } from '../core/crew/budget-warnings.ts'
import { inherits } from '../core/settings/role-settings.ts'
import { planSettings } from '../core/settings/plan-settings.ts'
import { agentVariables, possibleAgents } from '../core/settings/agent-variables.ts'
import { guidanceFor } from '../core/crew/guidance.ts'
import { specialistBrief } from '../core/crew/specialist-brief.ts'
import { kindOfWork } from '../core/choice/kind-of-work.ts'
import { completePlan } from '../core/planning/complete-plan.ts'
import type { Plan } from '../core/planning/plan.ts'
import { dataForms } from '../core/planning/readers/data-forms.ts'
import { readPlan } from '../core/planning/readers/read-plan.ts'
import { NO_FACTS } from '../core/planning/repo-facts.ts'
import { EvidenceStore } from '../lib/files/evidence-store.ts'
import { fullDisk } from '../lib/files/full-disk.ts'
import { parseJsonText, parseYamlText } from '../lib/files/yaml-text.ts'
import { builtEnvironment } from '../lib/process/built-environment.ts'
import { Refusal } from '../lib/refusal.ts'
import { portVariables } from '../lib/process/command-environment.ts'
import { systemClock } from '../lib/system/system-clock.ts'
import type { Job } from '../ports/agent.ts'
import type { Parser } from '../ports/parser.ts'
import { adoptInstall } from '../workspaces/clones/dependencies.ts'
import { PlanTrees } from '../workspaces/plan-trees.ts'
import { PlanWorkspace } from '../workspaces/plan-workspace.ts'
import { salvageRef } from '../workspaces/saved-work/salvage.ts'
import { requireKeptWork } from '../workspaces/saved-work/saved-work.ts'
import { baseForecast, writtenBranch } from '../workspaces/survey/base-forecast.ts'
import { requireRoomForBranches } from '../workspaces/user-repository.ts'
import { takeBaseline } from './baseline.ts'
import { checkedChoices, type CheckedChoice } from '../agents/supervisor/acp/checked-choices.ts'
import {
  agentReportingFullDisk,
  gatesReportingFullDisk,
  workspaceReportingFullDisk,
  type Folders,
} from './disk-full.ts'
import { continuationPrompt } from './continuation.ts'
import { knownSecrets } from './known-secrets.ts'
import { openBrain, type BrainPlace } from './crew/open-brain.ts'
import type { OpenRepository, PlanLaunch, RepositoryOptions, SharedResources } from './open-repository.ts'
import { agentWithCheckedLocations } from './review-locations.ts'
import { changeText, reviewerBrief } from './reviewer-brief.ts'
import { SpecialistSessions } from '../agents/specialist-sessions.ts'
import { agentsNow, agentsOf, hasScript, requireAnswerer, SCRIPTED } from './crew/agents-here.ts'
import { refuseWithoutAgent } from './crew/no-agent.ts'
import { AGENT_REMEDY, CHOICE_REMEDY } from './start-refusals.ts'
import { taskImages } from './task-images.ts'
import { LandedProject, landedFor, workerBrief, workerContract } from './worker-brief.ts'

export interface Machine
  extends
    Omit<RepositoryOptions, keyof SharedResources>,
    Pick<BrainPlace, 'scripted' | 'finder' | 'sessions'> {
  /** The state root. */
  readonly root: string
  /** Where workers reach the daemon. */
  readonly url: string
  readonly parser: Parser
  /** Replaces backends for a dry run. `tipTree` is the tree of all landed work. */
  readonly swap?: (world: PlanWorld, tipTree: () => Promise<string>) => PlanWorld
}

/** The share of a worker's time limit that a gate or a set-up may take before it is inconclusive. */
const GATE_SHARE = 0.5

/** The share of the time after which a worker counts as stalled that its provider may stay silent. */
const IDLE_SHARE = 0.75

/** Makes the world, and registers the plan's launch with its repository. */
export async function planWorld(
  machine: Machine,
  repository: OpenRepository,
  place: PlanPlace,
): Promise<PlanWorld> {
  const { settings } = place.document
  const environment = { ...settings.environment, ...place.document.environment }
  const id = place.plan.id
  const plan = once(() => planOf(place))
  const kept = readPlanEnvironment(machine.root, streamOf(place.repository.id, id))
  const env = kept === null ? machine.env : { ...machine.env, PATH: kept.path }
  const variables = Object.assign({}, env, ...Object.values(kept?.agents ?? {}), kept?.brain)
  const table = await agentsOf(settings, {
    ...machine,
    state: machine.root,
    root: place.repository.path,
    env: variables,
  })
  if (!place.hasBegun && machine.swap === undefined)
    refuseWithoutAgent(table, { root: place.repository.path, env })
  if (place.hasBegun) await requireKeptWork(repository.quarantine, id)
  const written = writtenBranch(repository.quarantine, id)
  const hasBegun = written.then((branch) => branch !== null)
  const [startBranch] = await Promise.all([
    written,
    requireRoomForBranches(repository.git, repository.user, { id, hasBegun }),
    requireAgent(table, place, env),
  ])
  const choices = place.hasBegun
    ? []
    : await checkedChoices(settings, table, { root: place.repository.path, env: variables })
  refuseChoices(choices)
  const evidenceDir = join(place.folder, 'evidence')
  const forCommands = {
    plan: id,
    environment,
    envFilesFrom: place.repository.path,
    processEnv: builtEnvironment(env),
    timeoutMs: Math.ceil(settings.watch.time_limit * GATE_SHARE),
  }
  const workspace = new PlanWorkspace({
    ...repository,
    plan: id,
    clock: systemClock,
    parser: machine.parser,
    provisioning: {
      ...repository,
      ...forCommands,
      evidence: { store: new EvidenceStore(evidenceDir), folder: evidenceDir },
    },
    reviewFolder: settings.pm.review_artifacts_dir,
    releaseFolder: settings.pm.release_manifest_dir,
    // Runs long after this function: gates and workspace need each other.
    look: (at, asked) =>
      takeBaseline({ ...repository, gates, header: plan().header, name: place.repository.name }, at, asked),
  })
  const trees = new PlanTrees({ ...repository, workspace, plan: id })
  const gates: CommandGateRunner = new CommandGateRunner({
    ...repository,
    ...forCommands,
    checkouts: trees,
    changes: trees,
    evidenceDir,
    parser: machine.parser,
    cacheDir: join(place.folder, 'cache'),
    onInstalled: (install) => adoptInstall(repository, { ...install, plan: id }),
    reruns: settings.proof.reruns,
    mutation: { of: settings.proof.mutation, limitMs: settings.proof.mutation_time },
    followUps: () => plan().tasks.map((task) => task.id),
    ownFolders: [settings.pm.review_artifacts_dir, settings.pm.release_manifest_dir],
    knownSecrets: knownSecrets(place, variables),
  })
  repository.launches.set(id, planLaunch(machine, place, { plan, table, workspace, trees }))
  const folders: Folders = [place.folder, repository.user.place.gitDir]
  const world: PlanWorld = {
    agent: agentWithCheckedLocations(
      agentReportingFullDisk(repository.agent.forPlan(id), folders),
      (worker, file) => workspace.linesSeenBy(worker, file),
      machine.onError,
    ),
    workspace: workspaceReportingFullDisk(workspace, folders),
    gates: gatesReportingFullDisk(gates, folders),
    integration: new CommandIntegrationRunner({ changes: trees, environment }, gates.parts),
    human: new InboxReviewer(),
    brain: openBrain({
      ...machine,
      settings,
      repository: place.repository.path,
      env: () => userVariables(machine, place),
    }),
    notifier: noopNotifier,
    specialist: new SpecialistSessions({
      agent: repository.agent,
      giveBack: (worker) => workspace.giveBackCopy(worker),
    }),
    pidOf: (worker) => repository.agent.pidOf(worker),
    channelOf: (worker) => repository.agent.channelOf(worker),
    checkOf: (task) => gates.running(task),
    handIn: (worker, report) => handIn(workerFolder(join(place.folder, 'workers', worker)), report),
    patchOf: (asked) => trees.patchOf(asked),
    changeText: (draft) => changeText(trees, draft),
    evidenceFolder: evidenceDir,
    hindrance: () => fullDisk(folders),
    notices: async () => [
      ...(await repository.user.notices()).map((notice) => notice.text),
      ...agentNotice(table, machine, place),
      ...budgetWarnings(planSettings(settings), usageReports(table)).map(({ message }) => message),
      ...choices.map(({ message }) => message),
      ...inheritWarnings(settings, table).map(({ message }) => message),
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

function planLaunch(
  machine: Machine,
  place: PlanPlace,
  parts: {
    readonly plan: () => Plan
    readonly table: AgentTable
    readonly workspace: PlanWorkspace
    readonly trees: PlanTrees
  },
): PlanLaunch {
  const { plan, table, workspace, trees } = parts
  const { settings } = place.document
  const environment = { ...settings.environment, ...place.document.environment }
  const project = new LandedProject(trees)
  return {
    watch: settings.watch,
    portCount: environment.ports ?? 0,
    choose: async (job) => {
      // Read for each worker: running the plan again brings another key.
      const kept = readPlanEnvironment(machine.root, streamOf(place.repository.id, place.plan.id))
      const root = place.repository.path
      const variables = kept?.agents ?? agentVariables(possibleAgents(settings), machine.env)
      const env = Object.assign({ ...machine.env }, ...Object.values(variables))
      const path = kept?.path ?? machine.env['PATH'] ?? ''
      const at = { ...machine, state: machine.root, root, env: { ...env, PATH: path } }
      const able = await chosenFor(job, await agentsNow(settings, table, at), { root, path })
      if (job.context.question !== undefined) requireAnswerer(able.name)
      const own = inherits(settings, { role: job.role, agent: able.name }) ? able : withoutOwnSetup(able)
      const chosen = job.context.question === undefined ? own : withoutMcp(own)
      return {
        ...chosen,
        env: { ...variables[chosen.name], ...chosen.env, ...(kept === null ? {} : { PATH: kept.path }) },
      }
    },
    prepare: async (job, paths, { ports, signal }) => {
      const { question } = job.context
      if (question !== undefined) {
        const copy = await workspace.prepareCopy(job.worker, question.asker)
        const { reportPath } = reportingThrough(copy.outbox, paths)
        return {
          workspace: copy.path,
          outbox: copy.outbox,
          brief: specialistBrief({
            question,
            spec: job.spec,
            guidance: guidanceFor(job.role, kindOfWork(job.spec)).lines,
            reportPath,
            minutes: Math.max(1, Math.floor(job.timeLimitMs / 60_000)),
          }),
          contract: {},
          url: null,
          token: place.tokenOf(job.worker),
          coordination: join(place.folder, 'coordination'),
          // There is no time to ask a person.
          permissions: { outsideWorkspace: 'deny', network: 'deny', gitPush: 'deny', agentSettings: 'deny' },
          idleMs: settings.watch.stalled * IDLE_SHARE,
        }
      }
      const prepared = await workspace.prepare(job, { ports, signal })
      const reporting = reportingThrough(prepared.outbox, paths)
      const shown = await taskImages(job.spec, {
        workspace: prepared.path,
        outbox: prepared.outbox,
        repository: place.repository.path,
        planFolder: dirname(place.plan.source),
      })
      const notes = [...prepared.notes, ...portsNote(ports), ...shown.notes]
      const landed = await landedFor(job, { settings }, (commits) => trees.landedChanges(commits))
      const facts = await project.factsFor(job)
      const sources = {
        plan: plan(),
        settings,
        environment,
        reporting,
        workspace: notes,
        facts,
        ...landed,
      }
      const contract = workerContract(job, sources)
      const review = { changes: trees, readText: trees.readText.bind(trees), design: job.design, reporting }
      const continued = { settings, workspace: prepared.path, notes, reporting }
      return {
        workspace: prepared.path,
        continuation: job.session === undefined ? null : continuationPrompt(job, continued),
        outbox: prepared.outbox,
        env: portVariables(ports),
        brief:
          job.role === 'reviewer' ? await reviewerBrief(job, contract, review) : workerBrief(job, sources),
        images: shown.images.map(({ path }) => path),
        contract,
        url: machine.url,
        token: place.tokenOf(job.worker),
        coordination: join(place.folder, 'coordination'),
        permissions: {
          outsideWorkspace: settings.permissions.outside_workspace,
          network: settings.permissions.network,
          gitPush: settings.permissions.git_push,
          agentSettings: settings.permissions.agent_settings,
        },
        idleMs: settings.watch.stalled * IDLE_SHARE,
      }
    },
  }
}

/** Read anew each time: running the plan again brings another key. */
function userVariables(machine: Machine, place: PlanPlace): Readonly<Record<string, string | undefined>> {
  const kept = readPlanEnvironment(machine.root, streamOf(place.repository.id, place.plan.id))
  return withEnvironment(machine.env, kept)
}

/** The agent for a worker with the model and the effort of its role, which are meant for the role's own agent. */
async function chosenFor(
  job: Job,
  table: AgentTable,
  where: { readonly root: string; readonly path: string },
): Promise<ChosenAgent> {
  const { role, context } = job
  const choice = job.choice ?? { ...workerChoice(job), unusable: [], byCommand: [] }
  const authors = context.question === undefined ? context.draft?.agents : [context.question.agent ?? '']
  const wanted = { ...choice, role, as: choice.role, authors: authors ?? [] }
  const chosen = await chooseWorkerAgent(table, wanted, where)
  const isOwn = chosen.name === (table.roles[choice.role] ?? table.fallback)
  const { size, effort } = choice
  const depth = isOwn ? choice : { model: null, size, effort: effort && { ...effort, by: 'table' as const } }
  return withChoice({ ...chosen, why: `${chosen.why ?? ''}; ${choice.why}` }, depth)
}

/** Its token is not one of a worker of the plan. */
const withoutMcp = (chosen: ChosenAgent): ChosenAgent => ({
  ...chosen,
  mcp: null,
  ...(chosen.acp === undefined ? {} : { acp: { ...chosen.acp, mcp: 'none' } }),
})

const portsNote = (ports: readonly number[]): readonly string[] =>
  ports.length === 0
    ? []
    : [
        `Use only these ports; they are reserved for you: ${ports.join(', ')} ($PORT, $BOSUN_PORT_1 …, $BOSUN_PORTS).`,
      ]

/** Refuses a plan that no agent could work on. */
async function requireAgent(
  table: AgentTable,
  place: PlanPlace,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const where = { root: place.repository.path, path: env['PATH'] ?? '' }
  // A plan that has begun may never need another review; if it does, it stops there.
  const [first] = await unavailableAgents(table, where, place.hasBegun ? ['developer'] : requiredRoles(table))
  if (first === undefined) return
  throw new Refusal({ code: 'no_agent', message: first.message, remedy: AGENT_REMEDY, cause: first })
}

/** Before any work: an agent with another model than the one that was asked for is no substitute. */
function refuseChoices(choices: readonly CheckedChoice[]): void {
  const refused = choices.filter(({ kind }) => kind === 'refused')
  if (refused.length === 0) return
  const message = refused.map((one) => one.message).join('; ')
  throw new Refusal({ code: 'usage', message, remedy: CHOICE_REMEDY })
}

/** Which agent works where the settings name none. */
function agentNotice({ fallback }: AgentTable, { env }: Machine, place: PlanPlace): readonly string[] {
  const { agents, roles } = place.document.settings
  const isConfigured = Object.keys(agents).length > 0 || roles.developer !== undefined
  if (isConfigured || fallback === SCRIPTED || hasScript(place.repository.path, env)) return []
  return [`no agent configured; using ${fallback}, found on the PATH (set roles: in bosun.yaml)`]
}

/** Defers reading the plan: a plan that is loaded again may start no worker for a long time. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => (made ??= { value: make() }).value
}

/** The plan as it was registered, read again from its text. */
function planOf({ plan, document }: PlanPlace): Plan {
  const forms = dataForms({ yaml: parseYamlText, json: parseJsonText })
  return completePlan(
    readPlan({ source: plan.source, text: document.text }, forms),
    NO_FACTS,
    document.settings,
  )
}
