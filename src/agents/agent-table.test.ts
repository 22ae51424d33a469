import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AgentUnavailable } from '../ports/agent.ts'
import { agentTable, chooseAgent, chooseReviewer, commandIn } from './agent-table.ts'

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
  return (await chooseReviewer(table, authors, { root, path: '/usr/bin:/bin' })).name
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
