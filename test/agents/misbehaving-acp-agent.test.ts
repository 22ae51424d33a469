/** That the misbehaving agent does what its behaviours are named after: tests of Bosun rely on it. */
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { programPath } from '../helpers/program-path.ts'
import { AcpClient, type Params } from './acp-client.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const PROGRAM = programPath('test/agents/misbehaving-acp-agent.ts')

let cwd: string
let agents: AcpClient[]
beforeEach(async () => {
  cwd = tempFolder('acp')
  agents = []
})
afterEach(async () => {
  await Promise.all(agents.map((agent) => agent.stop(0)))
})

const start = (what: string, log?: string): AcpClient => {
  const argv = [process.execPath, PROGRAM, what, ...(log === undefined ? [] : [log])]
  const agent = new AcpClient({ argv, cwd, env: { PATH: process.env['PATH'] ?? '', TEST_TAG: '0' } })
  agents.push(agent)
  return agent
}

const open = async (what: string, log?: string) => {
  const agent = start(what, log)
  await agent.initialize()
  return { agent, session: await agent.newSession() }
}

const turn = async (what: string) => {
  const { agent, session } = await open(what)
  const end = await agent.prompt(session, 'Do the task.')
  return { agent, session, end }
}

const kinds = (agent: AcpClient): readonly unknown[] =>
  agent.updates.map(({ update }) => (update as Params | undefined)?.['sessionUpdate'])

const work = () => readFile(join(cwd, 'work.txt'), 'utf8')

test('it works, with an edit, a message and usage', async () => {
  const { agent, end } = await turn('works')
  expect(end).toMatchObject({ stopReason: 'end_turn', usage: { totalTokens: 190 } })
  expect(kinds(agent)).toEqual([
    'agent_thought_chunk',
    'agent_message_chunk',
    'tool_call',
    'tool_call_update',
    'agent_message_chunk',
    'usage_update',
  ])
  expect([agent.text, await work()]).toEqual(['I do the task. It is done.', 'work\n'])
  expect(await agent.stop()).toBe('stdin')
})

test('a script sets what it writes and how each turn ends', async () => {
  const script = join(cwd, 'script.json')
  const writes = [{ path: 'a/b.txt', text: 'b\n' }]
  await writeFile(script, JSON.stringify({ behaviours: ['is_limited', 'works'], writes }))
  const { agent, session } = await open(script)
  await expect(agent.prompt(session, '1')).rejects.toMatchObject({
    code: -32603,
    data: { errorKind: 'rate_limit' },
  })
  expect(await agent.prompt(session, '2')).toMatchObject({ stopReason: 'end_turn' })
  expect(await readFile(join(cwd, 'a/b.txt'), 'utf8')).toBe('b\n')
})

test('it records what the client sends', async () => {
  const log = join(cwd, 'log.jsonl')
  const { agent, session } = await open('works', log)
  await agent.prompt(session, 'Do the task.')
  const lines = (await readFile(log, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Params)
  expect(lines.map((line) => (line['in'] as Params)['method'])).toEqual([
    'initialize',
    'session/new',
    'session/prompt',
  ])
})

test('it works only where it is allowed to', async () => {
  const { agent } = await turn('asks_first')
  expect(agent.requests).toMatchObject([
    { method: 'session/request_permission', params: { toolCall: { kind: 'edit' } } },
  ])
  expect(await work()).toBe('work\n')
})

test('a session that is loaded is replayed', async () => {
  const agent = start('works')
  await agent.initialize()
  await agent.request('session/load', { sessionId: 'earlier', cwd, mcpServers: [] })
  expect(kinds(agent)).toEqual(['user_message_chunk', 'agent_message_chunk', 'tool_call'])
  expect(await agent.prompt('earlier', 'Go on.')).toMatchObject({ stopReason: 'end_turn' })
})

test('turns that never end by themselves end when they are cancelled', async () => {
  const names = ['works_on', 'is_silent', 'asks_and_never_ends']
  const { agent, session } = await open(names.join(','))
  for (const name of names) {
    const end = agent.prompt(session, 'Do the task.')
    agent.notify('session/cancel', { sessionId: session })
    expect(await end, name).toEqual({ stopReason: 'cancelled' })
  }
})

test('turns that break protocol rules still end with their work done', async () => {
  const names = [
    'is_late',
    'updates_after_end',
    'sends_twice',
    'sends_unknown_updates',
    'sends_unknown_requests',
    'has_wrong_session',
    'has_wrong_ids',
    'sends_wrong_json',
    'sends_wrong_types',
    'sends_huge_line',
    'floods',
    'storms_for_permission',
    'asks_to_push',
    'asks_outside',
    'asks_and_ends',
    'prints_garbage',
    'writes_by_client',
    'works_without_usage',
    'leaves_child',
    'cannot_load',
    'never_closes_session',
    'stays_after_end',
  ]
  const { agent, session } = await open(names.join(','))
  for (const name of names) {
    await rm(join(cwd, 'work.txt'), { force: true })
    const end = await agent.prompt(session, 'Do the task.')
    expect([end['stopReason'], await work()], name).toEqual(['end_turn', 'work\n'])
  }
})

test('turns that end after no work have no usage', async () => {
  const reasons = {
    ends_without_tokens: 'end_turn',
    ends_with_error_as_text: 'end_turn',
    ends_with_error_in_meta: 'end_turn',
    refuses: 'refusal',
    cancels_itself: 'cancelled',
  }
  const { agent, session } = await open(Object.keys(reasons).join(','))
  for (const [name, reason] of Object.entries(reasons)) {
    const end = await agent.prompt(session, 'Do the task.')
    expect([end['stopReason'], end['usage'] ?? null], name).toEqual([reason, null])
  }
  expect(existsSync(join(cwd, 'work.txt'))).toBe(false)
})

test('turns that fail end with the error they are named after', async () => {
  const codes = {
    signs_out_in_turn: -32000,
    is_limited: -32603,
    is_over_usage_limit: -32603,
    fails: -32603,
    fails_oddly: 12,
  }
  const { agent, session } = await open(Object.keys(codes).join(','))
  for (const [name, code] of Object.entries(codes)) {
    await expect(agent.prompt(session, 'Do the task.'), name).rejects.toMatchObject({ code })
  }
  await expect(open('is_signed_out')).rejects.toMatchObject({ code: -32000 })
})

test.each([
  ['exits', 3],
  ['exits_as_if_done', 0],
  ['is_killed', 'SIGKILL'],
] as const)('%s in the middle of its turn', async (what, how) => {
  const { agent, session } = await open(what)
  await expect(agent.prompt(session, 'Do the task.')).rejects.toThrow('the agent exited')
  expect(await agent.exited).toBe(how)
})

test('it never answers initialize', async () => {
  const log = join(cwd, 'log.jsonl')
  const agent = start('never_initializes', log)
  void agent.initialize().catch(() => {})
  await expect.poll(() => readFile(log, 'utf8').catch(() => '')).toContain('initialize')
  expect(agent.updates).toEqual([])
  expect(await agent.stop()).toBe('stdin')
})

test('only a kill ends an agent that ignores every signal', async () => {
  const { agent, session } = await open('ignores_every_end')
  void agent.prompt(session, 'Do the task.').catch(() => {})
  await expect.poll(() => agent.text).toBe('I stay.')
  agent.notify('session/cancel', { sessionId: session })
  expect(await agent.stop(100)).toBe('SIGKILL')
})

test('an unknown behaviour is refused with the list of those it knows', async () => {
  const agent = start('dances')
  await expect(agent.initialize()).rejects.toThrow('known behaviours: works,')
})
