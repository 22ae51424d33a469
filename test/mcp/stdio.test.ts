/** `bosun mcp` as assistants and agents start it: a child process that speaks MCP on stdin and stdout. */
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import type { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Home } from '../daemon/program.ts'
import { programPath } from '../helpers/program-path.ts'
import { callTool, newClient, openMcpDoor, WORKER, type Called, type Era, type McpDoor } from './mcp-door.ts'

const PROGRAM = programPath('test/fixtures/daemon/bosun.ts')

interface Started {
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly era: Era
}

async function started({ args, cwd, env, era }: Started): Promise<Client> {
  const client = newClient(era)
  const all = { PATH: process.env['PATH'] ?? '', USER: 'ann', GIT_CEILING_DIRECTORIES: tmpdir(), ...env }
  const command = { command: process.execPath, args: [PROGRAM, ...args], cwd, env: all }
  await client.connect(new StdioClientTransport(command))
  return client
}

describe('an assistant', () => {
  let home: Home
  let client: Client
  beforeAll(async () => {
    home = new Home({ SCRIPT: 'endless' })
    const env = { HOME: home.folder, BOSUN_HOME: home.root, SCRIPT: 'endless' }
    client = await started({ args: ['mcp'], cwd: home.repo, env, era: 'auto' })
  })
  afterAll(async () => {
    await client.close()
    await home.dispose()
  })
  const call = (name: string, args: Record<string, unknown> = {}): Promise<Called> =>
    callTool(client, name, args)

  test('finds thirteen tools with small schemas', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'status',
      'inbox',
      'answer',
      'plan',
      'plan_text',
      'start',
      'interview',
      'spec',
      'run',
      'pm_instruct',
      'release',
      'log',
      'diff',
    ])
    expect(JSON.stringify(tools).length).toBeLessThan(6500)
  })

  test('checks a plan and runs it, without waiting for its end', async () => {
    expect(await call('plan', { file: 'shop-plan.md' })).toEqual({
      isError: false,
      text: expect.stringContaining('Add slugify') as string,
    })
    expect(await call('run', { plan: 'shop-plan.md' })).toEqual({
      isError: false,
      text: expect.stringContaining('shop is running\n') as string,
    })
    expect((await call('status')).text).toContain('shop')
  })

  test('starts from a sentence, and is asked where the request is unclear', async () => {
    const ann = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org']
    execFileSync('git', ['-C', home.repo, ...ann, 'commit', '-q', '--allow-empty', '-m', 'Start'])
    const { isError, text } = await call('start', {
      request: 'Fix typo in README',
      type: 'bug_fix',
      scope: 'trivial',
    })
    expect({ isError, text }).toMatchObject({ isError: false, text: expect.stringContaining('bug_fix') })
    expect(text).toContain('fix-typo-in is running')
    expect(await call('start', { request: '%% 99 ??' })).toEqual({
      isError: true,
      text: expect.stringContaining('What should be done?') as string,
    })
  })

  test('checks a plan that it wrote itself, and starts it, without a file', async () => {
    const text = 'plan: typed\ntasks:\n  - { id: "1", title: Add a clock, acceptance_criteria: [it ticks] }\n'
    expect(await call('plan_text', { text })).toEqual({
      isError: false,
      text: expect.stringContaining('Add a clock') as string,
    })
    expect((await call('status')).text).not.toContain('typed')
    expect((await call('plan_text', { text, run: true })).text).toContain('typed is running')
    expect(await call('plan_text', { text: 'tasks: {' })).toMatchObject({ isError: true })
  })

  test('checks a spec that it wrote, and names what is wrong with it', async () => {
    const written = await call('spec', { markdown: '# Nothing' })
    expect(written).toEqual({ isError: true, text: expect.stringContaining('front matter') as string })
  })

  test('reads the log and what a task changes', async () => {
    expect(await call('log', { event: 'plan_registered' })).toEqual({
      isError: false,
      text: expect.stringContaining('plan_registered') as string,
    })
    expect((await call('diff', { task: 'shop/1' })).text).toMatch(/^(nothing|so far): /)
  })

  test('instructs a worker', async () => {
    await expect
      .poll(() =>
        call('pm_instruct', {
          to_agent: 'w-shop-1-1',
          instruction_type: 'expand_scope',
          instructions: 'name it in the README',
          context: { files: ['README.md'] },
        }),
      )
      .toEqual({
        isError: false,
        text: 'message queued for w-shop-1-1; delivered with its next check-in\n',
      })
    const { stdout } = await home.run(['worker', 'show', 'w-shop-1-1'])
    expect(stdout).toContain('Your contract now also names README.md.')
  })

  test('reads the inbox', async () => {
    expect((await call('inbox')).isError).toBe(false)
  })

  test.each([
    ['answer', { id: 'E-99', choice: 'approve' }, /E-99/],
    ['answer', { id: 'E-99' }, /choice/],
    ['inbox', { id: 'E-99' }, /E-99/],
    ['diff', { task: 'shop/99' }, /99/],
    ['plan', { file: 'nothing.md' }, /nothing\.md/],
    ['run', { plan: 'nothing.md' }, /nothing\.md/],
    [
      'pm_instruct',
      { to_agent: 'w-shop-1-1', instruction_type: 'reduce_scope', instructions: 'less' },
      /files or criteria/,
    ],
    ['pm_instruct', { to_agent: 'w-nobody', instructions: 'go' }, /w-nobody/],
    ['release', { plan: 'shop' }, /no release yet/],
    ['release', { plan: 'shop', action: 'sign' }, /action/],
  ])('is told what is wrong: %s %j', async (name, input, problem) => {
    expect(await call(name, input)).toEqual({ isError: true, text: expect.stringMatching(problem) as string })
  })

  test('gets an error for a tool that does not exist', async () => {
    await expect(client.callTool({ name: 'cancel', arguments: {} })).rejects.toThrow(/cancel/)
  })

  test('does not get the tools of the user inside a worker', async () => {
    const { exit, stdout, stderr } = await home.run(['mcp'], { BOSUN_WORKER_ID: WORKER })
    expect({ exit, stdout, stderr }).toEqual({
      exit: 2,
      stdout: '',
      stderr: expect.stringContaining('only the user may call it') as string,
    })
  })
})

test("an assistant's answer is recorded with the user's name and the way it came", async () => {
  const home = new Home()
  const env = { HOME: home.folder, BOSUN_HOME: home.root }
  const client = await started({ args: ['mcp'], cwd: home.repo, env, era: 'legacy' })
  try {
    await callTool(client, 'run', { plan: 'shop-plan.md' })
    await expect
      .poll(async () => (await callTool(client, 'inbox', {})).text, { timeout: 60_000 })
      .toMatch(/R-\d+/)
    const id = /R-\d+/.exec((await callTool(client, 'inbox', {})).text)?.[0] ?? ''
    expect((await callTool(client, 'release', { plan: 'shop' })).isError).toBe(false)
    const choice = /answer R-\d+ (\w+)/.exec((await callTool(client, 'inbox', {})).text)?.[1] ?? 'approve'
    expect(await callTool(client, 'answer', { id, choice })).toMatchObject({ isError: false })
    expect((await home.run(['log'])).stdout).toContain('(by MCP)')
  } finally {
    await client.close()
    await home.dispose()
  }
})

describe.each(['legacy', 'auto'] as const)('a worker over stdio in mode %s', (era) => {
  let door: McpDoor
  let client: Client
  beforeAll(async () => {
    door = await openMcpDoor()
    const env = { BOSUN_URL: door.url, BOSUN_TOKEN: door.token, BOSUN_WORKER_ID: WORKER }
    client = await started({ args: ['mcp', '--worker'], cwd: tmpdir(), env, era })
  })
  afterAll(async () => {
    await client.close()
    await door[Symbol.asyncDispose]()
  })

  test('reports, checks in, asks and gets instructions as over HTTP', async () => {
    const payload = { explanation: 'written' }
    const said = async (name: string, input: Record<string, unknown>) =>
      JSON.parse((await callTool(client, name, input)).text) as unknown
    expect(await said('report_to_pm', { message_type: 'work_completed', payload })).toMatchObject({
      accepted: true,
    })
    expect(door.reports).toEqual([payload])
    expect(await said('checkin', { status: 'in_progress', progress_pct: 40 })).toMatchObject({
      accepted: true,
    })
    expect(await said('request_help', { text: 'the parser' })).toMatchObject({ accepted: true })
    expect(door.plan.state.tasks.get('a')?.live?.watch.requests).toMatchObject([{ text: 'the parser' }])
    expect(await said('get_instructions', {})).toEqual({ instructions: [] })
  })

  test('gets an error that names what is wrong with its input', async () => {
    const input = { type: 'need_time', text: 'slow', minutes: 1e9 }
    expect(await callTool(client, 'request_help', input)).toEqual({
      isError: true,
      text: expect.stringMatching(/minutes/) as string,
    })
  })
})

test('a worker with a wrong token is refused every call', async () => {
  await using door = await openMcpDoor()
  const env = { BOSUN_URL: door.url, BOSUN_TOKEN: '0'.repeat(64), BOSUN_WORKER_ID: WORKER }
  const client = await started({ args: ['mcp', '--worker'], cwd: tmpdir(), env, era: 'legacy' })
  expect(await callTool(client, 'get_instructions', {})).toEqual({
    isError: true,
    text: expect.stringContaining('token') as string,
  })
  await client.close()
})
