/** What the tests of workers share: a supervised agent over fixture programs, and a look at what runs. */
import { readFileSync, readlinkSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { agentTable, chooseAgent, type AcpProfile } from '../../src/agents/agent-table.ts'
import { SupervisedAgent } from '../../src/agents/supervised-agent.ts'
import type { Prints } from '../../src/agents/worker-folder.ts'
import { readIdentity } from '../../src/agents/worker-records.ts'
import type { PermissionSettings } from '../../src/core/crew/permission-policy.ts'
import type { Containment } from '../../src/lib/process/containment.ts'
import type { WallsFor } from '../../src/ports/sandbox.ts'
import { processRows } from '../../src/lib/process/processes.ts'
import type { Job } from '../../src/ports/agent.ts'
import { aTask } from '../helpers/plan-builder.ts'
import { programPath } from '../helpers/program-path.ts'
import { aJob } from '../helpers/requests.ts'

const FIXTURES = join(import.meta.dirname, '../fixtures/agents')

export interface Lab {
  readonly root: string
  /** A unique sleep duration, by which the test finds what fixtures start. */
  readonly tag: string
  readonly containment?: Containment | undefined
  /** None by default. */
  readonly walls?: WallsFor | undefined
  /** Whether a sandbox of its own can start within them. */
  readonly nests?: boolean | undefined
  readonly graceMs?: number | undefined
  readonly supervise?: readonly string[] | undefined
  readonly launchLimitMs?: number
  /** Called while a workspace is made ready, as often as that happens. */
  readonly onPrepare?: ((worker: string, signal: AbortSignal) => Promise<void>) | undefined
  /** Whether workers have an outbox in their workspace. */
  readonly hasOutbox?: boolean
  /** How to run the fixture that a job names; by itself when absent. */
  readonly commandFor?: ((fixture: string) => readonly string[]) | undefined
  /** What the command prints; text when absent. */
  readonly prints?: Prints | undefined
  /** Of an agent that speaks the Agent Client Protocol. */
  readonly acp?: Partial<AcpProfile> | undefined
  readonly permissions?: Partial<PermissionSettings> | undefined
  readonly idleMs?: number | undefined
  /** More variables for its workers. */
  readonly variables?: Readonly<Record<string, string>> | undefined
}

export const newTag = (): string => String(200_000_000 + Math.floor(Math.random() * 700_000_000))

export function labAgent(lab: Lab): Promise<SupervisedAgent> {
  const { root, tag, containment, graceMs = 400, commandFor } = lab
  const env = { ...process.env }
  return SupervisedAgent.open({
    root: join(root, 'workers'),
    tools: join(root, 'tools'),
    repository: FIXTURES,
    supervise: lab.supervise ?? [process.execPath, programPath('test/fixtures/agents/supervise.ts')],
    ...(lab.launchLimitMs === undefined ? {} : { launchLimitMs: lab.launchLimitMs }),
    env,
    endingMs: (_plan, limitMs) => limitMs,
    graceMs,
    containment,
    onError: (what, error) => process.stderr.write(`${what}: ${String(error)}\n`),
    choose: (job) => {
      const command = commandFor?.(job.spec.title) ?? [`./${job.spec.title}`]
      const protocol = lab.acp === undefined ? 'command' : 'acp'
      const settings = {
        agents: { lab: { protocol, command, acp: lab.acp, prints: lab.prints } as const },
        roles: {},
      }
      const table = agentTable({ settings, builtIn: {}, fallback: 'lab' })
      return chooseAgent(table, job.role, { root: FIXTURES, path: env['PATH'] ?? '' })
    },
    prepare: async (job, _, signal) => {
      await lab.onPrepare?.(job.worker, signal)
      const workspace = join(root, 'clones', job.worker)
      const outbox = lab.hasOutbox === true ? join(workspace, '.bosun') : null
      await mkdir(outbox ?? workspace, { recursive: true })
      return {
        workspace,
        outbox,
        continuation: `Go on with ${job.spec.id}.`,
        brief: `Do ${job.spec.id}.\n${job.context.block}`,
        contract: { task_id: job.spec.id },
        url: 'http://127.0.0.1:1',
        token: `token-of-${job.worker}`,
        coordination: join(root, 'coordination'),
        walls: lab.walls ?? (() => []),
        nests: lab.nests,
        env: { ...lab.variables, TEST_TAG: tag, TEST_OUTER_NAMESPACE: outerNamespace() },
        permissions: { ...PERMISSIONS, ...lab.permissions },
        idleMs: lab.idleMs ?? 600_000,
      }
    },
  })
}

const PERMISSIONS: PermissionSettings = {
  outsideWorkspace: 'ask',
  network: 'ask',
  gitPush: 'deny',
  agentSettings: 'deny',
}

const outerNamespace = (): string => readlinkSync('/proc/self/ns/pid')

/** A job for a worker that is the given fixture. */
export function labJob(worker: string, fixture: string, more: Partial<Job> = {}): Job {
  return aJob(worker, {
    spec: aTask('1', { title: fixture }),
    timeLimitMs: 600_000,
    plan: 'lab',
    ...more,
  })
}

/** Processes whose command line or environment has the tag. */
export function withTag(tag: string): readonly number[] {
  return processRows()
    .filter((row) => !row.isZombie && row.pid !== process.pid)
    .map((row) => row.pid)
    .filter((pid) =>
      [`/proc/${pid}/cmdline`, `/proc/${pid}/environ`].some((path) => textOf(path).includes(tag)),
    )
}

export const supervisorOf = ({ root }: Lab, worker: string): number =>
  readIdentity(join(root, 'workers', worker, 'identity.json'))?.supervisor?.pid ?? 0

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    // It has ended, or is not ours.
    return ''
  }
}
