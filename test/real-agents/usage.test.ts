/** What Bosun counts of a real agent's usage, as a command and over ACP, against what its model server says it used. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AGENT_ROWS } from '../../src/agents/profiles/rows.ts'
import type { Job, WorkerEnded } from '../../src/ports/agent.ts'
import { labAgent, labJob, newTag, type Lab } from '../agents/lab.ts'
import { startModelServer, type ModelServer } from '../agents/model-server/model-server.ts'
import { play, reply, say, write } from '../agents/model-server/script.ts'
import { openAgentHome, type AgentHome } from './agent-home.ts'
import { REAL_AGENTS } from './agents.ts'
import { install } from './install.ts'
import { walled } from './supervised.ts'

/** How a row asks for output that programs can read; the command of the test has other options beside. */
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  claude: ['--output-format', 'stream-json', '--verbose'],
  codex: ['--json'],
  pi: ['--mode', 'json'],
}

/** Of each of the two answers of the model. */
const STEP = { usage: { input: 1000, cached: 400, output: 50, reasoning: 0 } }
const ALL = { tokensIn: 2800, tokensOut: 100 }

const isClose = (ratio: number): boolean => ratio > 0.5 && ratio < 2

const seen: string[] = []
afterAll(() => process.stdout.write(`\n${seen.join('\n')}\n`))

describe.each(REAL_AGENTS)('$name', (agent) => {
  const report = (form: string, usage: unknown) =>
    seen.push(JSON.stringify({ agent: agent.name, form, usage }))
  let server: ModelServer
  let home: AgentHome
  let root: string
  beforeAll(async () => {
    for (const installation of agent.installations) await install(installation)
  })
  beforeEach(async () => {
    const steps = [reply({ does: [write('hello.txt', 'hello')], ...STEP }), say('I wrote it.', STEP)]
    server = await startModelServer(play([{ steps }]))
    home = await openAgentHome(agent, server)
    root = await mkdtemp(join(tmpdir(), 'bosun-usage-'))
  })
  afterEach(async () => {
    await server.close()
    await home.dispose()
    await rm(root, { recursive: true, force: true, maxRetries: 5 })
  })

  async function used(
    argv: readonly string[],
    more: Partial<Lab>,
    env = {},
    { worker = 'w-1', ...job }: Partial<Job> = {},
  ): Promise<WorkerEnded> {
    const { PATH: _, ...own } = home.env
    const variables = { ...own, ...env }
    const bosun = await labAgent({
      root,
      tag: newTag(),
      commandFor: () => argv,
      variables,
      ...(await walled(root)),
      graceMs: 5000,
      ...more,
    })
    try {
      const ended = new Promise<WorkerEnded>((resolve) =>
        bosun.listen((event) => event.kind === 'ended' && event.worker === worker && resolve(event)),
      )
      await bosun.start(labJob(worker, agent.name, job))
      return await ended
    } finally {
      await bosun.close()
    }
  }

  const row = AGENT_ROWS.find(({ name }) => name === agent.name)

  test('as a command, by what it prints, else estimated', async () => {
    const format = FORMATS[agent.name] ?? []
    expect(row?.command.command).toEqual(expect.arrayContaining([...format]))
    const { end, usage } = await used([...agent.command(home.place), ...format], {
      prints: row?.command.prints,
    })
    const output = await readFile(join(root, 'workers/w-1/output.log'), 'utf8')
    report('command', usage)
    const isEstimated = row?.command.prints === undefined
    expect([end.kind, usage?.isEstimated], output).toEqual(['done', isEstimated || undefined])
    if (!isEstimated) expect(usage, output).toMatchObject(ALL)
    expect(output).toContain('I wrote it.')
  })

  test('over ACP, the cost of a session that is continued counts once', async () => {
    const { argv, env, method = null, mode = null } = agent.acp(home.place)
    const acp = {
      authenticate: method,
      mode,
      usage: row?.acp.session.usage ?? 'none',
      continues: row?.acp.session.continues ?? null,
    }
    const first = await used(argv, { acp }, env)
    const { continues = null, session: sessionId = '' } = first.session ?? {}
    const usd = first.usage?.usd ?? 0
    // Only of agents that report a cost and continue sessions.
    if (continues === null || usd === 0) return
    const session = {
      id: sessionId,
      agent: 'lab',
      protocol: 'acp',
      continues,
      worker: 'w-1',
      isContinued: false,
    } as const
    const second = await used(argv, { acp }, env, { worker: 'w-2', session })
    report('continued', [first.usage, second.usage, second.session])
    expect(second.session?.isContinued).toBe(true)
    // Its one answer is smaller than the two of the first.
    expect(second.usage?.usd ?? 0).toBeLessThan(usd)
    expect(second.usage?.usd ?? 0).toBeGreaterThan(0)
  })

  test('over ACP', async () => {
    const { argv, env, method = null, mode = null } = agent.acp(home.place)
    const acp = { authenticate: method, mode, usage: row?.acp.session.usage ?? 'none' } as const
    const { end, usage } = await used(argv, { acp }, env)
    report('acp', usage)
    expect(end.kind).toBe('done')
    // An estimate is of the right size.
    if (usage?.isEstimated === true) expect((usage.tokensIn ?? 0) / ALL.tokensIn).toSatisfy(isClose)
    else expect(usage).toMatchObject(ALL)
  })
})
