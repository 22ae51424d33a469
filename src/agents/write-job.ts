/** Prepares a worker's folder with everything its supervisor needs; the job file comes last. */
import { randomUUID } from 'node:crypto'
import { appendFileSync, mkdirSync, writeFileSync, realpathSync } from 'node:fs'
import { delimiter, join, basename, dirname } from 'node:path'
import { tmpdir } from 'node:os'
import { detectContainment, type Containment } from '../lib/process/containment.ts'
import type { PermissionSettings } from '../core/crew/permission-policy.ts'
import { builtEnvironment, type Environment } from '../lib/process/built-environment.ts'
import { atomicCreateSync } from '../lib/files/atomic-write.ts'
import { secretsGiven } from '../core/gates/secrets/secret-values.ts'
import { shellArgument } from '../lib/text/counted.ts'
import { Redactor, type NamedSecret } from '../lib/text/redactor.ts'
import type { Job } from '../ports/agent.ts'
import type { WallsFor } from '../ports/sandbox.ts'
import { agentWalls } from './agent-state.ts'
import { withoutOwnSandbox, type Run } from './own-sandbox.ts'
import { hasMcp, mcpAddition } from './hand-mcp.ts'
import { commandIn, type ChosenAgent, type AcpProfile } from './agent-table.ts'
import { CHECKIN_COMMAND } from './command/checkin-script.ts'
import {
  briefIn,
  outboxReport,
  workerFolder,
  type WorkerFolder,
  type WorkerJob,
  type AcpJob,
} from './worker-folder.ts'
import { AGENT_ROWS } from './profiles/rows.ts'
import { sessionChoice } from './with-choice.ts'
import { orNull, readResult } from './worker-records.ts'

/** How a worker reports: the paths and commands that its brief names. */
export interface Reporting {
  readonly reportPath: string
  /** The whole brief, for a worker that continues a session. */
  readonly briefPath: string
  readonly checkin: { readonly command: string }
  /** Whether it has Bosun's MCP tools. */
  readonly hasMcp: boolean
}

/** What one worker is given. */
export interface Preparation {
  readonly workspace: string
  /** The folder in its workspace for what it hands to Bosun, where it has one. */
  readonly outbox?: string | null | undefined
  readonly brief: string
  /** Paths of images that belong to it. */
  readonly images?: readonly string[] | undefined
  /** What to say in the session of an earlier worker instead; null where there is none. */
  readonly continuation?: string | null | undefined
  /** Written out as JSON for the worker to read. */
  readonly contract: unknown
  readonly url: string | null
  readonly token: string
  readonly coordination: string
  /** What it is given besides its token and the variables of its agent, and what is hidden in all that is kept of it. */
  readonly secrets?: readonly NamedSecret[] | undefined
  /** Where the user's token lies, which is hidden too; it is in no file of a worker. */
  readonly userTokenFile?: string | undefined
  /** Around it and all it starts; none where there is no sandbox. */
  readonly walls: WallsFor
  /** Whether a sandbox of the agent's own can start within them; as if it can when absent. */
  readonly nests?: boolean | undefined
  /** On top of the built environment and of the agent's own: its ports, for one. */
  readonly env?: Environment | undefined
  /** How requests for permission are answered, where the agent makes any. */
  readonly permissions: PermissionSettings
  /** A turn without any update for so long is trouble with the provider. */
  readonly idleMs: number
}

export interface JobMaker {
  /** Finds the agent for a job. Throws AgentUnavailable if it cannot be had. */
  readonly choose: (job: Job) => Promise<ChosenAgent>
  /**
   * Makes the workspace ready and the brief. Asked again for the same job it answers the same. It ends soon after the
   * signal, and nothing that it started goes on then.
   */
  readonly prepare: (job: Job, reporting: Reporting, signal: AbortSignal) => Promise<Preparation>
  /** The folder the settings stand in. */
  readonly repository: string
  /** The folder of the commands a worker may call. */
  readonly tools: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** How long a worker with this limit may run before its supervisor ends it. */
  readonly endingMs: (plan: string, limitMs: number) => number
  /** Between being asked to end and being killed. */
  readonly graceMs: number
  /** What this machine allows, when absent. */
  readonly containment?: Containment | undefined
}

/** With an outbox, a worker's report goes there, since a sandbox may let it write nowhere else. */
export const reportingThrough = (outbox: string | null, reporting: Reporting): Reporting =>
  outbox === null ? reporting : { ...reporting, reportPath: outboxReport(outbox), briefPath: briefIn(outbox) }

export async function writeJob(
  job: Job,
  folder: WorkerFolder,
  { maker, signal }: { readonly maker: JobMaker; readonly signal: AbortSignal },
): Promise<void> {
  const chosen = await maker.choose(job)
  const reporting: Reporting = {
    reportPath: folder.report,
    briefPath: briefIn(folder.agentFolder),
    // By its path: a login shell (`bash -lc`) resets the PATH.
    checkin: { command: shellArgument(join(maker.tools, CHECKIN_COMMAND)) },
    hasMcp: hasMcp(chosen, chosen.env ?? {}),
  }
  const given = await maker.prepare(job, reporting, signal)
  const hide = new Redactor([
    { name: 'BOSUN_TOKEN', value: given.token },
    ...secretsGiven(chosen.env ?? {}),
    ...(given.secrets ?? []),
  ])
  const prepared = withoutSecrets(given, hide)
  mkdirSync(folder.agentFolder, { recursive: true, mode: 0o700 })
  writeFileSync(folder.contract, JSON.stringify(prepared.contract, null, 2), { mode: 0o600 })
  writeFileSync(briefIn(prepared.outbox ?? folder.agentFolder), prepared.brief, { mode: 0o600 })
  // It is there from the start, so that it can be watched.
  appendFileSync(folder.journal, '', { mode: 0o600 })
  const { workspace, url, token } = prepared
  const parts: Parts = { chosen, prepared, folder, maker }
  const { reportPath } = reportingThrough(prepared.outbox ?? null, reporting)
  const env = workerEnvironment(job, reportPath, parts)
  const mcp =
    url === null
      ? null
      : mcpAddition(chosen, { url, token, folder: folder.agentFolder, env: chosen.env ?? {} })
  for (const [name, text] of Object.entries(mcp?.files ?? {}))
    writeFileSync(join(folder.agentFolder, name), text, { mode: 0o600 })
  const walls = wallsAround(parts, env)
  const command = commandIn(chosen, { root: maker.repository, workspace })
  const own: Run = { command, env }
  const run =
    walls.length === 0 ? own : withoutOwnSandbox({ ...chosen, command }, own, prepared.nests ?? true)
  const written: WorkerJob = {
    v: 1,
    worker: job.worker,
    plan: job.plan,
    role: job.role,
    agent: chosen.name,
    protocol: chosen.protocol,
    command: [
      ...run.command,
      ...(chosen.choiceArguments ?? []),
      ...directoryOptions(chosen, [folder.agentFolder, join(prepared.coordination, 'worker-checkins')]),
      ...(mcp?.args ?? []),
    ],
    prints: chosen.prints ?? 'text',
    workspace,
    outbox: prepared.outbox ?? null,
    env: { ...run.env, ...mcp?.env, ...(walls.length === 0 ? {} : { TMPDIR: '/tmp' }) },
    secrets: hide.secrets,
    userTokenFile: prepared.userTokenFile ?? null,
    brief: prepared.brief,
    images: prepared.images ?? [],
    limitMs: maker.endingMs(job.plan, job.timeLimitMs),
    budget: job.budget,
    graceMs: maker.graceMs,
    mark: randomUUID(),
    containment: maker.containment ?? (await detectContainment()),
    walls,
    signIn: signInFix(chosen),
    choice: {
      model: chosen.model ?? null,
      effort: chosen.effort?.level ?? null,
      why: chosen.why ?? null,
      candidates: chosen.candidates ?? null,
    },
    acp: chosen.protocol === 'acp' ? acpJob(job, parts) : null,
  }
  atomicCreateSync(folder.job, JSON.stringify(written))
}

/** What a worker reads: a reviewer is shown what others wrote. */
const withoutSecrets = (given: Preparation, hide: Redactor): Preparation => ({
  ...given,
  brief: hide.text(given.brief),
  continuation: hide.inAll(given.continuation),
  contract: hide.inAll(given.contract),
})

/**
 * It may write its clone, its desk and what its agent keeps; it may read its messages and the commands it is given. Where its
 * agent keeps settings in a file of the home, it has a copy of that.
 */
function wallsAround({ chosen, prepared, folder, maker }: Parts, env: Environment): readonly string[] {
  const { workspace, coordination, walls } = prepared
  const messages = join(coordination, 'worker-messages', basename(folder.path))
  mkdirSync(messages, { recursive: true, mode: 0o700 })
  const command = commandIn(chosen, { root: maker.repository, workspace })
  const own = agentWalls({ name: chosen.name, command }, { env, folder: folder.agentFolder })
  return walls({
    ...own,
    writable: [workspace, folder.agentFolder, ...own.writable],
    readable: [maker.tools, messages, ...own.readable],
  })
}

/** Its contract and its check-ins are outside of its workspace. */
const directoryOptions = ({ directories }: ChosenAgent, folders: readonly string[]): readonly string[] =>
  directories ? folders.flatMap((folder) => [directories, folder]) : []

/** What a worker finds in its environment: a built one, what Bosun tells it, and its commands first on the PATH. */
function workerEnvironment(
  job: Job,
  reportPath: string,
  { chosen, folder, maker, prepared }: Parts,
): Environment {
  const base = builtEnvironment(maker.env, { ...chosen.env, ...prepared.env })
  return {
    ...base,
    PATH: [maker.tools, base['PATH']].join(delimiter),
    BOSUN_WORKER_ID: job.worker,
    BOSUN_TASK_ID: job.spec.id,
    BOSUN_ATTEMPT: String(job.attempt),
    BOSUN_ROLE: job.role,
    BOSUN_CONTRACT: folder.contract,
    BOSUN_REPORT: reportPath,
    ...(prepared.outbox ? { BOSUN_OUTBOX: prepared.outbox } : {}),
    ...(prepared.url === null ? {} : { BOSUN_URL: prepared.url }),
    BOSUN_TOKEN: prepared.token,
    BOSUN_COORDINATION: prepared.coordination,
  }
}

const UNKNOWN =
  'Sign in with its own command, or name the variable with its key under env_from of the agent in bosun.yaml.'

/** What to do about an agent that is not signed in, known by its name or by the programs of its command. */
export function signInFix({
  name,
  command,
}: {
  readonly name: string
  readonly command: readonly string[]
}): string {
  const programs = command.map((word) => basename(word).replace(/\.(?:[cm]?js|sh)$/, ''))
  const matches = (one: string): boolean => one === name || programs.includes(one)
  return AGENT_ROWS.find((row) => matches(row.name))?.signIn.fix ?? UNKNOWN
}

/** Any agent that speaks the protocol, as far as nothing is known of it. */
const UNKNOWN_AGENT: AcpProfile = {
  mode: null,
  authenticate: null,
  mcpServers: [],
  meta: {},
  usage: 'none',
  continues: 'load',
  mcp: 'session',
}

interface Parts {
  readonly chosen: ChosenAgent
  readonly prepared: Preparation
  readonly folder: WorkerFolder
  readonly maker: JobMaker
}

/** The session that a worker continues; null where its agent is another one, or cannot. */
function continuedSession({ session }: Job, chosen: ChosenAgent): string | null {
  const isSame = chosen.protocol === 'acp' && session?.agent === chosen.name
  return isSame && chosen.acp?.continues !== null ? session.id : null
}

function acpJob(job: Job, { chosen, prepared, folder, maker }: Parts): AcpJob {
  const { mcp, ...profile } = { ...UNKNOWN_AGENT, ...chosen.acp }
  const id = continuedSession(job, chosen)
  const { workspace, coordination } = prepared
  return {
    ...profile,
    takesBosun: mcp === 'session',
    // Its report and its contract lie there.
    additionalDirectories: [folder.agentFolder],
    idleMs: prepared.idleMs,
    permissions: {
      ...prepared.permissions,
      roots: [workspace, folder.agentFolder, coordination, maker.tools, tmpdir()].map(withoutLinks),
    },
    choice: sessionChoice(chosen),
    hasCommand: chosen.otherwise !== undefined,
    session: id === null ? null : { id, prompt: prepared.continuation ?? prepared.brief },
    usdBefore: id === null ? undefined : costBefore(job, folder),
  }
}

/** What the session had cost when its last worker ended: agents report the cost of all of it. */
function costBefore({ session }: Job, { path }: WorkerFolder): number | undefined {
  if (session === undefined) return undefined
  const { acknowledged, result } = workerFolder(join(dirname(path), session.worker))
  const end = orNull(() => readResult(acknowledged)) ?? orNull(() => readResult(result))
  return end?.usage?.sessionUsd
}

function withoutLinks(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // Not there yet.
    return path
  }
}
