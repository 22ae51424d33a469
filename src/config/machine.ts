/** What `bosun doctor` checks on this machine. */
import { dirname } from 'node:path'
import { brainFinding } from '../core/settings/brain-settings.ts'
import { areNoticesOff, webhookOf, type NotifySettings } from '../core/settings/notify-settings.ts'
import type { Settings } from '../core/settings/settings.ts'
import type {
  BrainFound,
  DaemonFinding,
  FoundAgent,
  Machine,
  NoticesFinding,
  RepositoryFinding,
  SettingsFinding,
  StartRefusal,
  StateRootFinding,
} from '../ports/machine.ts'
import type { SandboxFinding } from '../ports/sandbox.ts'
import { desktopProgram, findProgram } from '../lib/process/find-program.ts'
import { runProgram, type ProgramOutcome } from '../lib/process/run-program.ts'
import { DEFAULT_SETTINGS } from './default-settings.ts'
import { findSettings, SETTINGS_FILE, type FoundSettings } from './read-settings.ts'
import { findRepositoryRoot } from './repository.ts'

export interface Place {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly versions: Readonly<Record<string, string | undefined>>
  readonly stateRoot: () => Promise<StateRootFinding>
  readonly daemon: () => Promise<DaemonFinding>
  readonly agents: () => Promise<readonly FoundAgent[]>
  readonly sandbox: () => Promise<SandboxFinding>
  readonly brain: (place: {
    readonly repository: string
    readonly settings: Settings
    readonly tries: boolean
  }) => Promise<BrainFound>
  /** Why a run in this repository would be refused; `settings` is null if they are invalid. */
  readonly startRefusals: (place: {
    readonly root: string
    readonly settings: Settings | null
  }) => Promise<readonly StartRefusal[]>
}

export function machineAt(place: Place): Machine {
  const git = (cwd: string, ...args: string[]): Promise<ProgramOutcome> =>
    runProgram({ command: 'git', args, cwd, env: place.env, timeoutMs: 10_000, maxBytes: 10_000_000 })
  return {
    nodeVersion: place.versions['node'] ?? 'unknown',
    sqliteVersion: place.versions['sqlite'] ?? 'unknown',
    stateRoot: place.stateRoot,
    daemon: place.daemon,
    agents: place.agents,
    sandbox: place.sandbox,
    async gitVersion() {
      const outcome = await git(place.cwd, '--version')
      const version = outcome.kind === 'exited' ? /\d+(\.\d+)+/.exec(outcome.stdout) : null
      return version?.[0] ?? null
    },
    async repository(): Promise<RepositoryFinding> {
      const root = await findRepositoryRoot(place.cwd)
      if (root === null) return { kind: 'none' }
      const args = ['--no-optional-locks', 'status', '--porcelain=v2', '--branch']
      return repositoryFinding(root, await git(root, ...args))
    },
    async settings(): Promise<SettingsFinding> {
      const found = await findSettings(place.cwd)
      if (found.kind !== 'valid') return found
      const where = { cwd: dirname(found.file), path: place.env['PATH'] ?? '' }
      const agents = Object.entries(found.settings.agents).map(([name, { command }]) => ({
        name,
        program: findProgram(command[0] ?? '', where),
      }))
      const brain = brainFinding(found.settings.brain, place.env)
      return { kind: 'valid', file: SETTINGS_FILE, agents, brain, sandbox: found.settings.sandbox.mode }
    },
    async notices(): Promise<NoticesFinding | null> {
      const found = await findSettings(place.cwd)
      if (found.kind === 'invalid' || areNoticesOff(place.env)) return null
      const { notify } = found.kind === 'valid' ? found.settings : DEFAULT_SETTINGS
      return noticesFinding(notify, { cwd: dirname(found.file), env: place.env })
    },
    async brain({ tries }) {
      const settings = settingsOf(await findSettings(place.cwd))
      if (settings === null) return null
      const repository = (await findRepositoryRoot(place.cwd)) ?? place.cwd
      return place.brain({ repository, settings, tries })
    },
    async startRefusals() {
      const root = await findRepositoryRoot(place.cwd)
      if (root === null) return []
      return place.startRefusals({ root, settings: settingsOf(await findSettings(place.cwd)) })
    },
  }
}

/** Null where they are invalid. */
const settingsOf = (found: FoundSettings): Settings | null =>
  found.kind === 'valid' ? found.settings : found.kind === 'absent' ? DEFAULT_SETTINGS : null

function noticesFinding(
  notify: NotifySettings,
  { cwd, env }: { readonly cwd: string; readonly env: Place['env'] },
): NoticesFinding {
  const { on, desktop, command, quiet } = notify
  const webhook = webhookOf(notify, env)
  const program =
    typeof command === 'string' || command === null
      ? null
      : findProgram(command[0] ?? '', { cwd, path: env['PATH'] ?? '' })
  return {
    on,
    desktop: { isWanted: desktop, program: desktopProgram(env)?.file ?? null },
    webhook: webhook === null ? null : { host: new URL(webhook.url).host, isSigned: webhook.secret !== null },
    command:
      command === null
        ? null
        : {
            text: typeof command === 'string' ? command : command.join(' '),
            problem: program === null || program.ok ? null : program.why,
          },
    quiet,
  }
}

/** Reads `git status --porcelain=v2 --branch`. */
export function repositoryFinding(root: string, status: ProgramOutcome): RepositoryFinding {
  if (status.kind !== 'exited') return { kind: 'unreadable', root, why: `git status: ${status.kind}` }
  if (status.code !== 0) return { kind: 'unreadable', root, why: status.stderr.split('\n', 1)[0] ?? '' }
  const lines = status.stdout.split('\n').filter((line) => line !== '')
  const header = (name: string) => lines.find((line) => line.startsWith(`# ${name} `))?.slice(name.length + 3)
  const branch = header('branch.head')
  return {
    kind: 'found',
    root,
    branch: branch === undefined || branch === '(detached)' ? null : branch,
    hasCommits: header('branch.oid') !== '(initial)',
    changedFiles: lines.filter((line) => !line.startsWith('# ')).length,
  }
}
