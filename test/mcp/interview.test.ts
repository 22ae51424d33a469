/** The interview as an assistant leads it: `bosun mcp` of the real program, with a real daemon and without a model. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BIN, bosun, CLEAN_ENV } from '../cli/bosun.ts'
import { endProcessesOf } from '../helpers/end-processes.ts'
import { newClient, callTool, type Called } from './mcp-door.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const folder = tempFolder()
const root = join(folder, 'state')
const env = { BOSUN_HOME: root, USER: 'ann' }
const repo = join(folder, 'shop')
let client: Client

beforeAll(async () => {
  mkdirSync(repo)
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', repo, '-c', 'user.name=ann', '-c', 'user.email=ann@example.com', ...args])
  writeFileSync(
    join(repo, 'package.json'),
    JSON.stringify({ name: 'shop', scripts: { test: 'node --test' } }),
  )
  writeFileSync(join(repo, 'shop.test.js'), "require('node:test')('it works', () => undefined)\n")
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'start')
  client = newClient('auto')
  await client.connect(
    new StdioClientTransport({ command: BIN, args: ['mcp'], cwd: repo, env: { ...CLEAN_ENV, ...env } }),
  )
})
afterAll(async () => {
  await client.close()
  await bosun(['stop'], { env })
  endProcessesOf(root)
})

const call = (name: string, args: Record<string, unknown> = {}): Promise<Called> =>
  callTool(client, name, args)

test('an assistant looks at an interview, begins it, fills its form, goes back from the spec, and ends it', async () => {
  expect((await call('interview')).text).toContain('No interview is open')
  expect(await call('interview', { action: 'submit' })).toEqual({
    isError: true,
    text: expect.stringContaining('no interview is open') as string,
  })
  const begun = await call('interview', { text: 'A clock on the start page' })
  expect(begun).toEqual({ isError: false, text: expect.stringContaining('3 is done') as string })

  const filled = await call('interview', { answers: { done: 'The start page shows the time' } })
  expect(filled.text).toContain('R-001: The start page shows the time')
  expect(filled.text).toContain('action "submit"')
  expect((await call('spec')).text).toContain('R-001: The start page shows the time')

  expect((await call('interview', { action: 'continue' })).text).toContain('3 is done')
  expect((await call('interview', { action: 'abandon' })).text).toContain('abandoned')
  const { text } = await call('log', { event: 'interview_message' })
  expect(text.match(/ann \(by MCP\): /g)).toHaveLength(2)
})

test('a spec that an assistant wrote is previewed where it is valid, and refused with its mistakes where it is not', async () => {
  expect(await call('spec', { markdown: '# Nothing', upload: true })).toEqual({
    isError: true,
    text: expect.stringContaining('front matter') as string,
  })
  await call('interview', { text: 'A clock' })
  await call('interview', { answers: { done: 'It shows the time' } })
  const { text } = await call('spec')
  const markdown = text.slice(0, text.indexOf('Next:'))
  await call('interview', { action: 'abandon' })
  expect(await call('spec', { markdown })).toEqual({
    isError: false,
    text: expect.stringContaining('1 requirement') as string,
  })
  expect((await call('interview')).text).toContain('No interview is open')
  expect((await call('spec', { markdown, upload: true })).text).toContain('action "submit"')
})
