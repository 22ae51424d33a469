import { describe, expect, test } from 'vitest'
import type { ServiceHealth } from '../../ports/brain.ts'
import type { DaemonFinding, FoundAgent, LockFinding, Machine } from '../../ports/machine.ts'
import { checkBrain } from './check.ts'
import {
  checkAgent,
  checkAgents,
  checkGit,
  checkNotices,
  checkNode,
  checkRepository,
  checkSettings,
  checkSqlite,
  checkStateRoot,
  examine,
  withRefusals,
  type Check,
} from './doctor.ts'

test.each([
  ['24.15.0', 'ok'],
  ['24.21.0', 'ok'],
  ['26.0.0', 'ok'],
  ['24.14.9', 'problem'],
  ['22.20.0', 'problem'],
  ['unknown', 'problem'],
])('Node %s is %s', (version, status) => {
  expect(checkNode(version).status).toBe(status)
})

test.each([
  ['3.53.4', 'ok'],
  ['3.51.3', 'ok'],
  ['3.51.2', 'problem'],
  ['3.9.0', 'problem'],
])('SQLite %s is %s', (version, status) => {
  expect(checkSqlite(version).status).toBe(status)
})

test.each([
  ['2.38.0', 'ok'],
  ['2.39.5.windows.1', 'ok'],
  ['3.0', 'ok'],
  ['2.37.9', 'problem'],
  ['2.5', 'problem'],
  [null, 'problem'],
])('git %s is %s', (version, status) => {
  expect(checkGit(version).status).toBe(status)
})

describe('the repository', () => {
  const found = { kind: 'found', root: '/shop', branch: 'main', hasCommits: true, changedFiles: 0 } as const

  test('is fine when clean', () => {
    expect(checkRepository(found)).toMatchObject({ status: 'ok', message: '/shop, branch main, clean' })
  })

  test('is fine without a branch', () => {
    expect(checkRepository({ ...found, branch: null }).message).toBe('/shop, no branch, clean')
  })

  test('with changes is left alone, and doctor reports it', () => {
    const check = checkRepository({ ...found, changedFiles: 1 })
    expect(check).toMatchObject({ status: 'warning', message: '/shop, branch main, 1 file not committed' })
    expect(check.remedy).toContain('left alone')
  })

  test('needs a first commit', () => {
    expect(checkRepository({ ...found, hasCommits: false }).status).toBe('warning')
  })

  test('that git cannot read is a problem', () => {
    expect(checkRepository({ kind: 'unreadable', root: '/shop', why: 'dubious ownership' }).status).toBe(
      'problem',
    )
  })

  test('may be absent', () => {
    expect(checkRepository({ kind: 'none' }).status).toBe('warning')
  })
})

test('each problem of the settings is a check of its own', () => {
  const problem = {
    severity: 'error',
    file: 'bosun.yaml',
    line: 3,
    message: 'unknown key x',
    remedy: 'y?',
  } as const
  const other = { ...problem, line: 7, message: 'store.url is not supported yet' }
  expect(checkSettings({ kind: 'invalid', problems: [problem, other] })).toEqual([
    { id: 'settings', status: 'problem', message: 'bosun.yaml:3: unknown key x', remedy: 'y?' },
    {
      id: 'settings',
      status: 'problem',
      message: 'bosun.yaml:7: store.url is not supported yet',
      remedy: 'y?',
    },
  ])
})

const CLAUDE: FoundAgent = {
  name: 'claude',
  title: 'Claude Code',
  path: '/bin/claude',
  version: '2.1.325',
  tried: '2.1.325',
  folders: ['~/.claude'],
  signIn: { by: 'key', detail: 'ANTHROPIC_API_KEY' },
  protocol: 'command',
  adapter: null,
  fix: null,
  caution: null,
  smallModels: [],
}

test('without any agent a run is a dry run; one on the PATH is enough', () => {
  expect(checkAgents([], [])).toMatchObject([
    {
      status: 'warning',
      message: 'no agent in bosun.yaml and no coding agent on the PATH, so nothing can be started',
    },
  ])
  expect(checkAgents([CLAUDE], [])).toEqual([])
})

test('an agent on the PATH is listed with its version and sign-in, and with the fix where it has none', () => {
  const message =
    'claude: Claude Code 2.1.325 (/bin/claude), signed in by key (ANTHROPIC_API_KEY), run as a plain command'
  expect(checkAgent(CLAUDE)).toEqual({ id: 'agents', status: 'ok', message, remedy: '' })
  const out = { ...CLAUDE, version: null, signIn: { by: 'none', detail: null }, fix: 'Sign in.' } as const
  expect(checkAgent(out)).toEqual({
    id: 'agents',
    status: 'warning',
    message: 'claude: Claude Code of unknown version (/bin/claude), not signed in, run as a plain command',
    remedy: 'Sign in.',
  })
})

test('an agent of bosun.yaml is enough, and a spare one that cannot be run is a warning', () => {
  const mine = { name: 'mine', program: { ok: true, file: '/shop/agent.sh' } } as const
  const gone = { name: 'gone', program: { ok: false, why: './x does not exist' } } as const
  expect(checkAgents([], [mine])).toMatchObject([
    { status: 'ok', message: 'of bosun.yaml: mine (/shop/agent.sh)' },
  ])
  expect(checkAgents([], [mine, gone])).toMatchObject([
    {
      status: 'warning',
      message: 'cannot run agent gone: ./x does not exist',
      remedy: 'No role needs it. Correct agents.gone.command in bosun.yaml, or remove the agent.',
    },
  ])
})

test('doctor says how people would be notified, and warns of what cannot work', () => {
  const none = {
    on: ['needs_you'],
    desktop: { isWanted: true, program: null },
    webhook: null,
    command: null,
    quiet: null,
  }
  expect(checkNotices(null)).toEqual([])
  expect(checkNotices({ ...none, quiet: '22:00-07:00' })).toMatchObject([
    {
      status: 'ok',
      message: 'notices of needs_you: in attached terminals; in the open page, but not from 22:00 to 07:00',
    },
  ])
  const webhook = { host: 'example.org', isSigned: false }
  expect(checkNotices({ ...none, webhook })).toMatchObject([
    { status: 'warning', remedy: expect.stringContaining('BOSUN_WEBHOOK_SECRET') },
  ])
  const desktop = { isWanted: true, program: '/usr/bin/notify-send' }
  expect(checkNotices({ ...none, desktop, webhook: { ...webhook, isSigned: true } })).toMatchObject([
    {
      status: 'ok',
      message: expect.stringContaining(
        'on the desktop by /usr/bin/notify-send; by webhook to example.org, signed',
      ),
    },
  ])
  const command = { text: 'ring', problem: 'ring is not on the PATH' }
  expect(checkNotices({ ...none, command })).toMatchObject([{ status: 'warning' }])
})

const MACHINE: Machine = {
  nodeVersion: '24.15.0',
  sqliteVersion: '3.53.4',
  gitVersion: () => Promise.resolve('2.1'),
  stateRoot: () =>
    Promise.resolve({ kind: 'unusable', path: '/nfs', why: 'on a network', remedy: 'Move it.' }),
  daemon: () => Promise.resolve({ kind: 'none' }),
  repository: () => Promise.resolve({ kind: 'none' }),
  settings: () => Promise.resolve({ kind: 'absent' }),
  startRefusals: () => Promise.resolve([]),
  agents: () => Promise.resolve([]),
  brain: () => Promise.resolve(null),
  notices: () => Promise.resolve(null),
  sandbox: () => Promise.resolve({ kind: 'contain', nests: true }),
}

test('what a run would be refused for is a problem, in the words of the run', () => {
  const refused = [{ about: 'agents', message: 'no agent named claude', remedy: 'Name one.' }] as const
  const other = { id: 'agents', status: 'ok', message: 'fine', remedy: '' } as const
  expect(withRefusals([other], refused, 'agents')).toEqual([
    { id: 'agents', status: 'problem', message: 'no agent named claude', remedy: 'Name one.' },
  ])
  expect(withRefusals([other], refused, 'repository')).toEqual([other])
})

test('an agent whose own sandbox cannot start within that of Bosun is named', async () => {
  const codex = { ...CLAUDE, name: 'codex', title: 'Codex', ownSandbox: true }
  const named = async (nests: boolean): Promise<readonly string[]> => {
    const sandbox = { kind: 'contain', nests } as const
    const agents = () => Promise.resolve([CLAUDE, codex])
    const checks = await examine({ ...MACHINE, agents, sandbox: () => Promise.resolve(sandbox) })
    return checks.map(({ message }) => message).filter((message) => message.includes('sandbox alone'))
  }
  expect(await named(true)).toEqual([])
  expect(await named(false)).toEqual([
    "codex: Codex runs in Bosun's sandbox alone; its own cannot start within it here",
  ])
})

test('what keeps a daemon from being started is a problem only where none serves', async () => {
  const refused = [{ about: 'daemon', message: 'it may open 40 files', remedy: 'Raise it.' }] as const
  const found = async (daemon: DaemonFinding): Promise<Check | undefined> => {
    const checks = await examine({
      ...MACHINE,
      daemon: () => Promise.resolve(daemon),
      startRefusals: () => Promise.resolve(refused),
    })
    return checks.find(({ id }) => id === 'daemon')
  }
  expect(await found({ kind: 'none' })).toMatchObject({ status: 'problem', message: 'it may open 40 files' })
  expect(await found({ kind: 'serving', pid: 7 })).toMatchObject({ status: 'ok' })
})

test('a held lock is no problem', () => {
  const lock = { kind: 'held', pid: 42 } as const
  const token = { path: '/state/token', state: 'ok' } as const
  const checks = checkStateRoot({ kind: 'usable', path: '/state', lock, token, database: [], workers: [] })
  expect(checks.map((check) => check.status)).toEqual(['ok', 'ok', 'ok'])
  expect(checks[1]?.message).toContain('42')
})

test('a token that is missing, damaged or readable by others is found, with what to do about it', () => {
  const found = (state: 'none' | 'missing' | 'damaged' | 'exposed', lock: LockFinding = { kind: 'free' }) => {
    const token = { path: '/state/token', state }
    const checks = checkStateRoot({ kind: 'usable', path: '/state', lock, token, database: [], workers: [] })
    return checks.find(({ id }) => id === 'token')
  }
  expect(found('none')).toBeUndefined()
  expect(found('missing')).toMatchObject({ status: 'warning', remedy: expect.stringContaining('bosun open') })
  expect(found('missing', { kind: 'held', pid: 7 })?.remedy).toContain('bosun status')
  expect(found('damaged')?.message).toContain('64 hexadecimal characters')
  expect(found('exposed')).toMatchObject({
    status: 'problem',
    remedy: expect.stringContaining('chmod 600 /state/token'),
  })
})

test('whatever is wrong with the database is a problem with its remedy', () => {
  const database = [
    { message: 'another version of Bosun wrote this database', remedy: 'Save its log.' },
    { message: 'plan shop is damaged', remedy: 'bosun cancel --damaged shop' },
  ]
  const token = { path: '/state/token', state: 'ok' } as const
  const checks = checkStateRoot({
    kind: 'usable',
    path: '/state',
    lock: { kind: 'free' },
    token,
    database,
    workers: [],
  })
  expect(checks.filter(({ status }) => status === 'problem')).toEqual(
    database.map((found) => ({ id: 'database', status: 'problem', ...found })),
  )
})

test('a damaged file of a worker is a warning with its remedy', () => {
  const workers = [{ message: 'w-shop-1-1: its job.json is missing', remedy: 'bosun resume' }]
  const checks = checkStateRoot({
    kind: 'usable',
    path: '/state',
    lock: { kind: 'free' },
    token: { path: '/state/token', state: 'ok' },
    database: [],
    workers,
  })
  expect(checks.at(-1)).toEqual({ id: 'workers', status: 'warning', ...workers[0] })
})

test('every finding has its check, and only what is not well has a remedy', async () => {
  const checks = await examine(MACHINE)
  expect(checks.map((check) => `${check.id} ${check.status}`)).toEqual([
    'node ok',
    'sqlite ok',
    'git problem',
    'state_root problem',
    'daemon ok',
    'repository warning',
    'settings ok',
    'agents warning',
    'isolation ok',
  ])
  for (const check of checks) expect(check.remedy === '', check.id).toBe(check.status === 'ok')
})

test('an agent that could be driven over ACP is listed with the command that brings its adapter', () => {
  const adapter = { package: '@x/acp', version: '1.0.0', isInstalled: false }
  expect(checkAgent({ ...CLAUDE, adapter })).toMatchObject({
    status: 'ok',
    remedy: expect.stringContaining('bosun crew install claude'),
  })
  const driven = checkAgent({ ...CLAUDE, protocol: 'acp', adapter: { ...adapter, isInstalled: true } })
  expect(driven).toMatchObject({
    status: 'ok',
    remedy: '',
    message: expect.stringContaining('driven over ACP'),
  })
})

test('an agent that is older than the one Bosun was tried with is a warning', () => {
  expect(checkAgent({ ...CLAUDE, version: '2.0.400' })).toMatchObject({ status: 'warning' })
  expect(checkAgent({ ...CLAUDE, version: '3.0' })).toMatchObject({ status: 'ok' })
})

describe('the brain', () => {
  const models = { small: 'm', large: 'm' }
  const goose = { who: 'goose', models: null, cost: 'unknown', usualTime: '10 to 60 s' }
  type Provider = 'anthropic' | 'agent' | 'compatible' | 'none'
  const settings = (provider: Provider, key: string | null = null) =>
    ({
      kind: 'valid',
      file: 'bosun.yaml',
      agents: [],
      brain: { provider, models, key },
      sandbox: 'contain',
    }) as const
  const byModel = (provider: Provider, key: string | null) =>
    checkBrain(settings(provider, key), { description: { ...goose, who: provider }, health: null })
  const byAgent = (health: ServiceHealth | null) =>
    checkBrain({ kind: 'absent' }, { description: goose, health })
  const byNobody = (why: string, found: Parameters<typeof checkBrain>[0] = { kind: 'absent' }) =>
    checkBrain(found, { description: { who: null, why }, health: null })

  test('by a model is shown with its models and where its key is', () => {
    expect(byModel('anthropic', 'ANTHROPIC_API_KEY')).toMatchObject([
      { id: 'brain', status: 'ok', message: 'anthropic with m, key from ANTHROPIC_API_KEY' },
    ])
  })

  test('without a key is a warning with the variable to set, unless it may need none', () => {
    expect(byModel('anthropic', null)).toMatchObject([
      { status: 'warning', remedy: expect.stringContaining('Set ANTHROPIC_API_KEY') as unknown },
    ])
    expect(byModel('compatible', null)).toMatchObject([{ status: 'ok' }])
  })

  test('is an agent only where a session with it opens', () => {
    expect(byAgent({ service: 'goose', ok: true, why: null })).toMatchObject([
      { status: 'ok', message: expect.stringContaining('goose with its own model') as unknown },
    ])
    expect(byAgent({ service: 'goose', ok: false, why: 'goose: Authentication required' })).toMatchObject([
      { status: 'warning', message: expect.stringContaining('Authentication required') as unknown },
    ])
  })

  test('by an agent whose adapter is lacking is a warning with the command that fetches it', () => {
    const why = 'claude does not speak the Agent Client Protocol here yet: bosun crew install claude'
    expect(byNobody(why)).toMatchObject([
      { status: 'warning', remedy: 'Fetch its adapter: bosun crew install claude' },
    ])
  })

  test('by nobody needs no row on a machine without an agent, nor where the settings want that', () => {
    expect(byNobody('no coding agent is found here')).toEqual([])
    expect(byNobody('brain.provider is none', settings('none'))).toEqual([])
    expect(byNobody('no coding agent is found here', settings('agent'))).toMatchObject([
      { status: 'warning' },
    ])
  })
})
