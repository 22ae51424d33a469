/** `bosun doctor`: what is missing here, and how to fix it. Each check is a rule over one finding. */
import { SECRET_VARIABLE } from '../../core/settings/notify-settings.ts'
import { localMoment } from '../../lib/system/local-time.ts'
import type {
  DaemonFinding,
  FoundAgent,
  Machine,
  NamedAgent,
  NoticesFinding,
  RepositoryFinding,
  SettingsFinding,
  StartRefusal,
  StateRootFinding,
  TokenFinding,
} from '../../ports/machine.ts'
import type { SandboxFinding } from '../../ports/sandbox.ts'
import { counted } from '../../lib/text/counted.ts'
import { LOOKED_FOR } from '../workers/crew.ts'
import { ok, problem, warning, checkBrain, type Check } from './check.ts'

export { brainText } from '../../core/settings/brain-description.ts'
export type { Check } from './check.ts'

/** Every check, in the order they are shown. With `triesBrain`, the agent that answers questions is started. */
export async function examine(
  machine: Machine,
  { triesBrain }: { readonly triesBrain: boolean } = { triesBrain: false },
): Promise<readonly Check[]> {
  const agents = await machine.agents()
  const settings = await machine.settings()
  const refused = await machine.startRefusals()
  const sandbox = await machine.sandbox()
  return [
    checkNode(machine.nodeVersion),
    checkSqlite(machine.sqliteVersion),
    checkGit(await machine.gitVersion()),
    ...checkStateRoot(await machine.stateRoot()),
    ...daemonChecks(await machine.daemon(), refused),
    ...withRefusals([checkRepository(await machine.repository())], refused, 'repository'),
    ...checkSettings(settings),
    ...checkBrain(settings, await machine.brain({ tries: triesBrain })),
    ...withRefusals(checkAgents(agents, settings.kind === 'valid' ? settings.agents : []), refused, 'agents'),
    ...agents.map(checkAgent),
    ...ownSandboxes(agents, sandbox, settings),
    ...refused
      .filter(({ about }) => WARNINGS.includes(about))
      .map(({ about, message, remedy }) => warning(about, message, remedy)),
    ...checkNotices(await machine.notices()),
    isolation(sandbox, settings),
  ]
}

const WARNINGS: readonly StartRefusal['about'][] = ['budgets', 'inherit', 'models', 'brain']

/** What keeps a daemon from being started matters where none serves. */
function daemonChecks(finding: DaemonFinding, refused: readonly StartRefusal[]): readonly Check[] {
  const checks = [checkDaemon(finding)]
  return finding.kind === 'serving' ? checks : withRefusals(checks, refused, 'daemon')
}

/** What a run would be refused for takes the place of what else was found about it. */
export function withRefusals(
  checks: readonly Check[],
  refused: readonly StartRefusal[],
  about: StartRefusal['about'],
): readonly Check[] {
  const own = refused.filter((one) => one.about === about)
  return own.length === 0 ? checks : own.map(({ message, remedy }) => problem(about, message, remedy))
}

export function checkNode(version: string): Check {
  if (atLeast(version, [24, 15])) return ok('node', `Node ${version}`)
  return problem('node', `Node ${version} is too old`, 'Install Node 24.15 or newer from https://nodejs.org.')
}

/** SQLite before 3.51.3 can lose committed writes when its write-ahead log is reset. */
export function checkSqlite(version: string): Check {
  if (atLeast(version, [3, 51, 3])) return ok('sqlite', `SQLite ${version}`)
  return problem('sqlite', `SQLite ${version} may lose committed writes`, 'Install Node 24.15 or newer.')
}

/** `git merge-tree --write-tree` came with 2.38. */
export function checkGit(version: string | null): Check {
  const remedy = 'Install git 2.38 or newer from https://git-scm.com.'
  if (version === null) return problem('git', 'git cannot be run', remedy)
  return atLeast(version, [2, 38])
    ? ok('git', `git ${version}`)
    : problem('git', `git ${version} is too old`, remedy)
}

export function checkStateRoot(finding: StateRootFinding): readonly Check[] {
  if (finding.kind === 'unusable') {
    return [problem('state_root', `${finding.path}: ${finding.why}`, finding.remedy)]
  }
  const { lock } = finding
  const who = lock.kind === 'held' && lock.pid !== null ? ` (process ${lock.pid})` : ''
  const at =
    lock.kind === 'free' ? 'no other Bosun is running' : `a Bosun is running${who} and holds the lock`
  const database = finding.database.map(({ message, remedy }) => problem('database', message, remedy))
  return [
    ok('state_root', `state is kept in ${finding.path}`),
    ok('lock', at),
    ...checkToken(finding.token, lock.kind === 'held'),
    ...(database.length > 0 ? database : [ok('database', 'the database can be read and written')]),
    ...finding.workers.map(({ message, remedy }) => warning('workers', message, remedy)),
  ]
}

/** Who holds the token may do everything; without it no command reaches a daemon. */
function checkToken({ path, state }: TokenFinding, isServed: boolean): readonly Check[] {
  const again = isServed
    ? 'Run a command that asks the daemon, such as `bosun status`: it writes it again.'
    : 'The next start of the daemon makes a new one (bosun resume). Browsers sign in again with `bosun open`; workers that still run cannot report with the old one.'
  switch (state) {
    case 'ok':
    case 'none':
      return []
    case 'missing':
      return [warning('token', `the token is missing: ${path}`, again)]
    case 'damaged':
      return [warning('token', `${path} holds no token (64 hexadecimal characters)`, again)]
    case 'exposed':
      return [
        problem(
          'token',
          `others may read the token: ${path}`,
          `chmod 600 ${path}. If another user may have read it, make a new one: bosun stop && rm ${path}`,
        ),
      ]
  }
}

/** Worded like the other commands. */
export function checkDaemon(finding: DaemonFinding, now = new Date()): Check {
  const id = 'daemon'
  switch (finding.kind) {
    case 'none':
      return ok(id, 'no daemon is running; a command that needs it starts it')
    case 'serving':
      return ok(id, `the daemon is running (pid ${finding.pid})`)
    case 'dead':
      return warning(
        id,
        `PM offline since ${localMoment(finding.lastLoop, now)}: the daemon (pid ${finding.pid}) died`,
        'Restart it with a command that needs it: bosun resume. To have the system restart it: bosun service install.',
      )
    case 'silent':
      return problem(id, finding.message, finding.remedy)
  }
}

const FIRST_COMMIT = "git commit --allow-empty -m 'Start'"
const OFFERED = '`bosun start` and `bosun interview` offer to do it.'

export function checkRepository(finding: RepositoryFinding): Check {
  const id = 'repository'
  switch (finding.kind) {
    case 'none':
      return warning(
        id,
        'not a git repository',
        `Run Bosun inside a repository, or create one: git init && ${FIRST_COMMIT}. ${OFFERED}`,
      )
    case 'gone':
      return problem(
        id,
        'the current folder no longer exists',
        'Go to another one: cd /path/to/your/repository',
      )
    case 'unreadable':
      return problem(id, `${finding.root}: ${finding.why}`, 'Check `git status` there.')
    case 'found': {
      const place = `${finding.root}, ${finding.branch === null ? 'no branch' : `branch ${finding.branch}`}`
      if (!finding.hasCommits) {
        return warning(
          id,
          `${place}, without commits`,
          `Work starts from a commit: ${FIRST_COMMIT}. ${OFFERED}`,
        )
      }
      if (finding.changedFiles === 0) return ok(id, `${place}, clean`)
      const files = counted(finding.changedFiles, 'file')
      return warning(
        id,
        `${place}, ${files} not committed`,
        'They are left alone: work starts from the commit. Commit what it should see.',
      )
    }
  }
}

/** One row for each problem: a run is refused for each of them. */
export function checkSettings(finding: SettingsFinding): readonly Check[] {
  const id = 'settings'
  switch (finding.kind) {
    case 'absent':
      return [ok(id, 'no bosun.yaml: every setting has its default')]
    case 'valid':
      return [ok(id, `${finding.file} is valid`)]
    case 'invalid':
      return finding.problems.map(({ file, line, message, remedy }) =>
        problem(id, `${file}:${line}: ${message}`, remedy),
      )
  }
}

/** How people would be notified. */
export function checkNotices(finding: NoticesFinding | null): readonly Check[] {
  if (finding === null) return []
  const { on, desktop, webhook, command, quiet } = finding
  const ways = [
    ...(desktop.isWanted && desktop.program !== null ? [`on the desktop by ${desktop.program}`] : []),
    ...(webhook === null
      ? []
      : [`by webhook to ${webhook.host}, ${webhook.isSigned ? 'signed' : 'not signed'}`]),
    ...(command === null ? [] : [`by the command ${command.text}`]),
  ]
  const hours = quiet === null ? '' : `, but not from ${quiet.replace('-', ' to ')}`
  const attached = desktop.isWanted ? ['in attached terminals', 'in the open page'] : ['in the open page']
  if (on.length === 0) return [ok('notices', 'no notices (notify.on is empty)')]
  const message = `notices of ${on.join(', ')}: ${[...ways, ...attached].join('; ')}${hours}`
  if (command !== null && command.problem !== null)
    return [
      warning(
        'notices',
        `${message}; cannot run it: ${command.problem}`,
        'Correct notify.command in bosun.yaml.',
      ),
    ]
  if (webhook !== null && !webhook.isSigned)
    return [
      warning(
        'notices',
        message,
        `Receivers cannot tell who sent them: set notify.webhook.secret in bosun.yaml, or ${SECRET_VARIABLE} where the daemon starts.`,
      ),
    ]
  return [ok('notices', message)]
}

/** The agents of bosun.yaml, or that there are none at all. */
export function checkAgents(
  found: readonly Pick<FoundAgent, 'name'>[],
  named: readonly NamedAgent[],
): readonly Check[] {
  for (const { name, program } of named) {
    if (!program.ok)
      return [
        warning(
          'agents',
          `cannot run agent ${name}: ${program.why}`,
          `No role needs it. Correct agents.${name}.command in bosun.yaml, or remove the agent.`,
        ),
      ]
  }
  const own = named.flatMap(({ name, program }) => (program.ok ? [`${name} (${program.file})`] : []))
  if (own.length > 0) return [ok('agents', `of bosun.yaml: ${own.join(', ')}`)]
  const why = 'no agent in bosun.yaml and no coding agent on the PATH, so nothing can be started'
  const fix = `Install one of ${LOOKED_FOR}, or configure a command under agents: in bosun.yaml.`
  return found.length > 0 ? [] : [warning('agents', why, fix)]
}

/** One row for each agent on the PATH. */
export function checkAgent(agent: FoundAgent): Check {
  const { name, title, version, path, signIn, fix, protocol, adapter } = agent
  const way = protocol === 'acp' ? 'driven over ACP' : 'run as a plain command'
  const message = `${name}: ${title} ${version ?? 'of unknown version'} (${path}), ${signInText(signIn)}, ${way}`
  if (fix !== null) return warning('agents', message, fix)
  if (isOlder(agent)) return warning('agents', message, olderRemedy(agent))
  const lacks = adapter !== null && !adapter.isInstalled
  return lacks ? { ...ok('agents', message), remedy: adapterRemedy(name) } : ok('agents', message)
}

/** An older agent may lack an option or a part of the protocol that Bosun uses. */
export const isOlder = ({ version, tried }: Pick<FoundAgent, 'version' | 'tried'>): boolean =>
  version !== null && !atLeast(version, tried.split('.').map(Number))

export const olderRemedy = ({ version, tried }: Pick<FoundAgent, 'version' | 'tried'>): string =>
  `Update it: Bosun was tested with ${tried}, and ${version ?? 'this version'} may lack something.`

/** For an agent that could be driven over ACP. */
export const adapterRemedy = (agent: string): string =>
  `\`bosun crew install ${agent}\` fetches its adapter: then Bosun can talk with it, answer what it asks and count what it uses.`

const SIGN_INS: Readonly<Record<Exclude<FoundAgent['signIn']['by'], 'none'>, string>> = {
  subscription: 'signed in by subscription',
  key: 'signed in by key',
  configuration: 'signed in as configured',
  unknown: 'sign-in unknown',
}

export const signInText = ({ by, detail }: FoundAgent['signIn']): string =>
  by === 'none' ? 'not signed in' : `${SIGN_INS[by]}${detail === null ? '' : ` (${detail})`}`

/** Agents whose own sandbox is turned off, since Bosun's is around them. Those of containers are off by default. */
function ownSandboxes(
  agents: readonly FoundAgent[],
  found: SandboxFinding,
  settings: SettingsFinding,
): readonly Check[] {
  if (found.kind !== 'contain' || found.nests) return []
  if (settings.kind === 'valid' && settings.sandbox === 'off') return []
  return agents
    .filter(({ ownSandbox }) => ownSandbox === true)
    .map(({ name, title }) =>
      ok('agents', `${name}: ${title} runs in Bosun's sandbox alone; its own cannot start within it here`),
    )
}

/** Informational: nothing to fix. */
export function isolation(found: SandboxFinding, settings: SettingsFinding): Check {
  const rest = 'docs/sandbox.md says what that keeps out, and what it does not.'
  if (settings.kind === 'valid' && settings.sandbox === 'off')
    return warning(
      'isolation',
      `workers and checks run without a sandbox: sandbox.mode is off. ${UNWALLED}`,
      TURN_ON,
    )
  if (found.kind === 'contain')
    return ok('isolation', `workers and checks run in a sandbox (bwrap, tried here). ${rest}`)
  return warning(
    'isolation',
    `workers and checks run without a sandbox: ${found.why}. ${UNWALLED}`,
    found.remedy,
  )
}

const UNWALLED =
  'A worker runs as you, in a clone and a process group of its own: it can read what you can read, and answer in your place.'
const TURN_ON = 'Remove sandbox.mode from bosun.yaml, or give Bosun only agents that you would run yourself.'

/** Compares number by number; what follows the numbers (`-rc1`, `.windows.1`) does not matter. */
function atLeast(version: string, least: readonly number[]): boolean {
  const numbers = version.split('.').map((part) => Number.parseInt(part, 10))
  for (const [index, wanted] of least.entries()) {
    const number = numbers[index] ?? 0
    if (number !== wanted) return number > wanted
  }
  return true
}
