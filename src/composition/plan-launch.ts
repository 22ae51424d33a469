/** How the workers of one plan are launched: with which agent, in which folder, and with which brief. */
import { dirname, join, basename, extname, isAbsolute, relative, resolve, sep } from 'node:path'
import { chooseWorkerAgent, type AgentTable, type ChosenAgent } from '../agents/agent-table.ts'
import { withChoice, withoutOwnSetup } from '../agents/with-choice.ts'
import { reportingThrough, type Preparation, type Reporting } from '../agents/write-job.ts'
import { readPlanEnvironment } from '../app/host/plan-environment.ts'
import type { PlanPlace } from '../app/host/plan-place.ts'
import { streamOf } from '../app/host/stream-name.ts'
import { workerChoice } from '../core/choice/choose-agent.ts'
import { kindOfWork } from '../core/choice/kind-of-work.ts'
import { guidanceFor, specialistBrief } from '../core/crew/guidance.ts'
import { agentVariables, possibleAgents } from '../core/settings/agent-variables.ts'
import { inherits } from '../core/settings/role-settings.ts'
import type { Settings } from '../core/settings/settings.ts'
import { portVariables } from '../lib/process/built-environment.ts'
import type { Job } from '../ports/agent.ts'
import type { PlanTrees } from '../workspaces/plan-trees.ts'
import type { PlanWorkspace } from '../workspaces/plan-workspace.ts'
import { continuationPrompt } from './continuation.ts'
import { agentsNow, requireAnswerer } from './crew/plan-agents.ts'
import type { PlanLaunch } from './open-repository.ts'
import type { Machine } from './plan-world.ts'
import {
  reviewerBrief,
  LandedProject,
  landedFor,
  workerBrief,
  workerContract,
  type BriefParts,
} from './worker-brief.ts'
import { copyFile, mkdir, open, realpath, stat } from 'node:fs/promises'
import { imageReferences } from '../core/planning/brief/nearby-files.ts'
import type { TaskSpec } from '../core/planning/plan.ts'
import { imageType, type ImageType } from '../lib/files/image-type.ts'
import { quoted } from '../lib/text/quoted.ts'
import type { PlanSecrets } from './plan-secrets.ts'
import type { PlanWalls } from './plan-walls.ts'

/** The share of the time after which a worker counts as stalled that its provider may stay silent. */
const IDLE_SHARE = 0.75

interface LaunchParts {
  readonly table: AgentTable
  readonly workspace: PlanWorkspace
  readonly trees: PlanTrees
  readonly walls: PlanWalls
  readonly secrets: PlanSecrets
}

export function planLaunch(machine: Machine, place: PlanPlace, parts: LaunchParts): PlanLaunch {
  const { settings } = place.document
  const environment = { ...settings.environment, ...place.document.environment }
  const project = new LandedProject(parts.trees)
  return {
    watch: settings.watch,
    portCount: environment.ports ?? 0,
    choose: async (job) => {
      const chosen = await chooseFor(job, { machine, place }, parts.table)
      parts.secrets.holdGiven(chosen.env ?? {})
      return chosen
    },
    prepare: async (job, paths, given) => {
      const { question } = job.context
      const prepared =
        question === undefined
          ? await prepareWorker(job, paths, { ...parts, ...given, machine, place, environment, project })
          : await prepareSpecialist(job, paths, { workspace: parts.workspace, question, settings })
      parts.secrets.holdToken(job.worker)
      return {
        ...prepared,
        secrets: parts.secrets.ofFiles,
        userTokenFile: join(machine.root, 'token'),
        token: place.tokenOf(job.worker),
        coordination: join(place.folder, 'coordination'),
        walls: parts.walls.worker,
        nests: parts.walls.nests,
        idleMs: settings.watch.stalled * IDLE_SHARE,
      }
    },
  }
}

async function chooseFor(
  job: Job,
  { machine, place }: { readonly machine: Machine; readonly place: PlanPlace },
  table: AgentTable,
): Promise<ChosenAgent> {
  const { settings } = place.document
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
}

/** What a worker is given besides the token, the folder and the limit that all of a plan's workers get. */
type Prepared = Omit<
  Preparation,
  'token' | 'coordination' | 'idleMs' | 'walls' | 'nests' | 'secrets' | 'userTokenFile'
>

/** A specialist works in a copy of what the asker has written so far. */
async function prepareSpecialist(
  job: Job,
  paths: Reporting,
  asked: {
    readonly workspace: PlanWorkspace
    readonly question: NonNullable<Job['context']['question']>
    readonly settings: Settings
  },
): Promise<Prepared> {
  const { workspace, question } = asked
  const copy = await workspace.prepareCopy(job.worker, question.asker)
  return {
    workspace: copy.path,
    outbox: copy.outbox,
    brief: specialistBrief({
      question,
      spec: job.spec,
      guidance: guidanceFor(job.role, kindOfWork(job.spec)).lines,
      reportPath: reportingThrough(copy.outbox, paths).reportPath,
      minutes: Math.max(1, Math.floor(job.timeLimitMs / 60_000)),
    }),
    contract: {},
    url: null,
    // There is no time to ask a person.
    permissions: { outsideWorkspace: 'deny', network: 'deny', gitPush: 'deny', agentSettings: 'deny' },
  }
}

async function prepareWorker(
  job: Job,
  paths: Reporting,
  given: LaunchParts & {
    readonly machine: Machine
    readonly place: PlanPlace
    readonly environment: BriefParts['environment']
    readonly project: LandedProject
    readonly ports: readonly number[]
    readonly signal: AbortSignal
  },
): Promise<Prepared> {
  const { machine, place, environment, project, workspace, trees, ports, signal } = given
  const { settings } = place.document
  const prepared = await workspace.prepare(job, { ports, signal })
  const reporting = reportingThrough(prepared.outbox, paths)
  const shown = await taskImages(job.spec, {
    workspace: prepared.path,
    outbox: prepared.outbox,
    repository: place.repository.path,
    planFolder: dirname(place.plan.source),
  })
  const notes = [...prepared.notes, ...portsNote(ports), ...shown.notes]
  const plan = { header: place.plan, tasks: place.tasks }
  const sources: BriefParts = {
    plan,
    settings,
    environment,
    reporting,
    workspace: notes,
    facts: await project.factsFor(job),
    ...(await landedFor(job, { settings, plan }, (commits) => trees.landedChanges(commits))),
  }
  const contract = workerContract(job, sources)
  const review = { ...sources, changes: trees, readText: trees.readText.bind(trees), design: job.design }
  const continued = { settings, workspace: prepared.path, notes, reporting }
  const { outside_workspace, network, git_push, agent_settings } = settings.permissions
  return {
    workspace: prepared.path,
    continuation: job.session === undefined ? null : continuationPrompt(job, continued),
    outbox: prepared.outbox,
    env: portVariables(ports),
    brief: job.role === 'reviewer' ? await reviewerBrief(job, contract, review) : workerBrief(job, sources),
    images: shown.images,
    contract,
    url: machine.url,
    permissions: {
      outsideWorkspace: outside_workspace,
      network,
      gitPush: git_push,
      agentSettings: agent_settings,
    },
  }
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
  mcp: undefined,
  ...(chosen.acp === undefined ? {} : { acp: { ...chosen.acp, mcp: 'none' } }),
})

const portsNote = (ports: readonly number[]): readonly string[] =>
  ports.length === 0
    ? []
    : [
        `Use only these ports; they are reserved for you: ${ports.join(', ')} ($PORT, $BOSUN_PORT_1 …, $BOSUN_PORTS).`,
      ]

interface TaskImages {
  /** Absolute, in its workspace. */
  readonly images: readonly string[]
  /** For its brief, one line each. */
  readonly notes: readonly string[]
}

interface ImagePlaces {
  readonly workspace: string
  /** Its folder for what Bosun and it exchange; images from outside its workspace are copied there. */
  readonly outbox: string
  /** The user's work tree. */
  readonly repository: string
  /** Of the plan, from the root of the repository; absolute for one outside of it. */
  readonly planFolder: string
}

const MOST_IMAGES = 8
const MOST_BYTES = 5 * 1024 * 1024
const LONGEST_NAME = 200

/** Images that the task refers to, in its workspace or beside its plan, are put where its worker can read them. */
async function taskImages(spec: TaskSpec, places: ImagePlaces): Promise<TaskImages> {
  const images: string[] = []
  const notes: string[] = []
  for (const path of imageReferences(spec)) {
    const name = quoted(path, LONGEST_NAME)
    const found = await findImage(path, places)
    if (found === null) continue
    if (typeof found === 'string') notes.push(`The image ${name} is left out: ${found}.`)
    else if (images.length === MOST_IMAGES)
      notes.push(`The image ${name} is left out: a task has at most ${MOST_IMAGES}.`)
    else {
      const image = await broughtIn(found, { at: images.length + 1, places })
      images.push(image)
      notes.push(`The plan shows ${name}: open ${quoted(relative(places.workspace, image), LONGEST_NAME)}.`)
    }
  }
  return { images, notes }
}

interface FoundImage {
  readonly path: string
  readonly type: ImageType
  readonly isOutside: boolean
}

/** Null where there is no such file; why it cannot be used, where there is. */
async function findImage(
  path: string,
  { workspace, repository, planFolder }: ImagePlaces,
): Promise<FoundImage | string | null> {
  // A plan may lie outside of the repository.
  const beside = isAbsolute(planFolder) ? planFolder : repository
  const places = [
    [workspace, workspace],
    [workspace, join(workspace, planFolder)],
    [beside, resolve(repository, planFolder)],
    [repository, repository],
  ] as const
  for (const [root, folder] of places) {
    const file = await insideOf(root, resolve(folder, path))
    if (file === null) continue
    const type = await typeOf(file)
    return 'why' in type ? type.why : { path: file, ...type, isOutside: root !== workspace }
  }
  return null
}

/** The file itself, whatever links lead to it; null where it is not there, or outside of the folder. */
async function insideOf(root: string, path: string): Promise<string | null> {
  try {
    const [folder, file] = await Promise.all([realpath(root), realpath(path)])
    const isGit = relative(folder, file).split(sep).includes('.git')
    return file.startsWith(folder + sep) && !isGit ? file : null
  } catch {
    // Not there.
    return null
  }
}

/** Its type, or why it cannot be used. */
async function typeOf(path: string): Promise<{ readonly type: ImageType } | { readonly why: string }> {
  const found = await stat(path)
  if (!found.isFile()) return { why: 'it is not a file' }
  if (found.size > MOST_BYTES) return { why: `it is larger than ${MOST_BYTES / 1024 / 1024} MB` }
  await using file = await open(path, 'r')
  const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0)
  const type = imageType(buffer.subarray(0, bytesRead))
  return type === null ? { why: 'it is not a PNG, JPEG, GIF or WebP file' } : { type }
}

/** An image from the user's work tree is copied. */
async function broughtIn(
  { path, type, isOutside }: FoundImage,
  { at, places: { outbox } }: { readonly at: number; readonly places: ImagePlaces },
): Promise<string> {
  if (!isOutside) return path
  const copy = join(outbox, 'images', `${at}-${basename(path, extname(path)).slice(0, 60)}.${type.slice(6)}`)
  await mkdir(dirname(copy), { recursive: true })
  await copyFile(path, copy)
  return copy
}
