import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AgentUnavailable } from '../ports/agent.ts'
import { agentTable, chooseAgent, chooseWorkerAgent, commandIn, type AgentProfile } from './agent-table.ts'

let root: string
let workspace: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'bosun-table-'))
  workspace = join(root, 'workspace')
  await mkdir(join(root, 'tools'))
  await mkdir(join(workspace, 'tools'), { recursive: true })
  await writeFile(join(root, 'tools/agent.sh'), '#!/bin/sh\n', { mode: 0o755 })
  await writeFile(join(root, 'tools/plain.sh'), '#!/bin/sh\n', { mode: 0o644 })
  await writeFile(join(root, 'tools/here.mjs'), '')
  await writeFile(join(workspace, 'tools/both.mjs'), '')
  await writeFile(join(root, 'tools/both.mjs'), '')
})
afterAll(() => rm(root, { recursive: true, force: true }))

const command = (...words: string[]) => ({ protocol: 'command', command: words }) as const
const choose = (agents: Record<string, ReturnType<typeof command>>, roles: Record<string, string> = {}) => {
  const table = agentTable({
    settings: { agents, roles },
    builtIn: { scripted: command('sh') },
    fallback: 'scripted',
  })
  return chooseAgent(table, 'developer', { root, path: '/usr/bin:/bin' })
}

test('a role has the agent the settings name, else the fallback', async () => {
  const agents = { mine: command('./tools/agent.sh', '--fast') }
  expect(await choose(agents, { developer: 'mine' })).toEqual({
    name: 'mine',
    protocol: 'command',
    command: [join(root, 'tools/agent.sh'), '--fast'],
  })
  expect((await choose(agents)).name).toBe('scripted')
})

test('the settings may give a built-in name another meaning', async () => {
  const chosen = await choose({ scripted: command('./tools/agent.sh') })
  expect(chosen.command).toEqual([join(root, 'tools/agent.sh')])
})

test('an agent that cannot be run is refused with the reason', async () => {
  const roles = { developer: 'mine' }
  const refusals = [
    [{}, 'no agent named mine (role developer); known agents: scripted'],
    [{ mine: command('no-such-agent') }, 'cannot run agent mine: no-such-agent is not on the PATH'],
    [{ mine: command('./tools/plain.sh') }, 'cannot run agent mine: ./tools/plain.sh is not executable'],
    [{ mine: command('./tools') }, 'cannot run agent mine: ./tools is not a file'],
  ] as const
  for (const [agents, message] of refusals) {
    await expect(choose(agents, roles)).rejects.toThrow(new AgentUnavailable(message))
  }
  await expect(choose({}, { developer: 'toString' })).rejects.toBeInstanceOf(AgentUnavailable)
})

test('a path in the command names a file of the workspace, else of the user', async () => {
  const chosen = {
    name: 'mine',
    ...command('/bin/sh', 'tools/both.mjs', 'tools/here.mjs', 'tools/none.mjs', '-x'),
  }
  expect(commandIn(chosen, { root, workspace })).toEqual([
    '/bin/sh',
    'tools/both.mjs',
    join(root, 'tools/here.mjs'),
    'tools/none.mjs',
    '-x',
  ])
})

test('an argument without a slash is never a file of the user', async () => {
  await writeFile(join(root, 'exec'), 'x')
  const chosen = { name: 'mine', ...command('/bin/sh', 'exec', './exec') }
  expect(commandIn(chosen, { root, workspace })).toEqual(['/bin/sh', 'exec', join(root, 'exec')])
})

const reviewerOf = async (
  authors: readonly string[],
  agents: Record<string, ReturnType<typeof command>>,
  roles: Record<string, string> = {},
): Promise<string> => {
  const builtIn = { scripted: command('sh') }
  const table = agentTable({
    settings: { agents, roles },
    builtIn,
    fallback: Object.keys(agents)[0] ?? 'scripted',
  })
  const wanted = { role: 'reviewer', as: 'reviewer', authors, unusable: [], byCommand: [] } as const
  return (await chooseWorkerAgent(table, wanted, { root, path: '/usr/bin:/bin' })).name
}

test('the reviewer is the configured agent, preferably not the author', async () => {
  const [one, two, gone] = [command('sh'), command('sh'), command('no-such-agent')]
  const agents = { one, two }
  expect(await reviewerOf(['one'], agents, { developer: 'one', reviewer: 'two' })).toBe('two')
  expect(await reviewerOf(['two'], agents, { developer: 'one', fixer: 'two', reviewer: 'two' })).toBe('one')
  expect(await reviewerOf(['one', 'two'], agents, { developer: 'one', reviewer: 'two' })).toBe('two')
  expect(await reviewerOf(['one'], agents)).toBe('two')
  expect(await reviewerOf(['one'], { one })).toBe('one')
  expect(await reviewerOf(['one'], { one, gone })).toBe('one')
  expect(await reviewerOf([], {})).toBe('scripted')
})

test('an agent without a role is not made a reviewer where one is named', async () => {
  const agents = { one: command('sh'), two: command('sh') }
  expect(await reviewerOf(['one'], agents, { developer: 'one', reviewer: 'one' })).toBe('one')
})

const WRITER = { role: 'developer', as: 'developer', authors: [], unusable: [], byCommand: [] } as const
const where = () => ({ root, path: '/usr/bin:/bin' })

test('where the first choice cannot be run another agent of the settings takes over, and the reason is known', async () => {
  const agents = { gone: command('no-such-agent'), two: command('sh') }
  const table = agentTable({
    settings: { agents, roles: { developer: 'gone' } },
    builtIn: {},
    fallback: 'gone',
  })
  expect(await chooseWorkerAgent(table, WRITER, where())).toMatchObject({
    name: 'two',
    why: 'cannot run agent gone: no-such-agent is not on the PATH; two takes over',
    candidates: ['two'],
  })
  const only = { ...table, others: [] }
  await expect(chooseWorkerAgent(only, WRITER, where())).rejects.toThrow(
    new AgentUnavailable('cannot run agent gone: no-such-agent is not on the PATH'),
  )
})

test('an agent found on the PATH takes over only where the settings name none', () => {
  const builtIn = { one: command('sh'), two: command('sh') }
  const none = agentTable({
    settings: { agents: {}, roles: {} },
    builtIn,
    fallback: 'one',
    found: ['one', 'two'],
  })
  expect(none).toMatchObject({ others: ['one', 'two'], reviewers: ['one', 'two'] })
  const roles = { developer: 'one' }
  const named = agentTable({
    settings: { agents: {}, roles },
    builtIn,
    fallback: 'one',
    found: ['one', 'two'],
  })
  expect(named).toMatchObject({ others: ['one'], reviewers: ['one', 'one', 'two'] })
})

test('an adapter gets the path of the program that it drives, and the command is the other way', async () => {
  const adapted: AgentProfile = {
    protocol: 'acp',
    command: [process.execPath, '/adapter.js'],
    env: { A: '1' },
    drives: { program: 'sh', variable: 'SHELL_PATH' },
    otherwise: command('sh', '-p'),
  }
  const table = agentTable({
    settings: { agents: {}, roles: {} },
    builtIn: { one: adapted },
    fallback: 'one',
  })
  const chosen = await chooseWorkerAgent(table, WRITER, where())
  expect(chosen.command).toEqual([process.execPath, '/adapter.js'])
  expect(chosen.env).toEqual({ A: '1', SHELL_PATH: expect.stringMatching(/bin\/sh$/) })
  const other = await chooseWorkerAgent(table, { ...WRITER, byCommand: ['one'] }, where())
  expect(other).toMatchObject({ protocol: 'command', command: [expect.stringMatching(/bin\/sh$/), '-p'] })
})

test('a command around a known program has its maker', () => {
  const builtIn = { one: { ...command('sh'), maker: 'Acme' } }
  const agents = { mine: command('env', '/opt/sh', '-x'), other: command('cat') }
  const table = agentTable({ settings: { agents, roles: {} }, builtIn, fallback: 'mine' })
  expect([table.agents['mine']?.maker, table.agents['other']?.maker]).toEqual(['Acme', undefined])
})
