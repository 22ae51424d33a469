import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { adapterNamed } from './profile-of.ts'
import { AgentFinder, type FinderOptions } from './find-agents.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bosun-found-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const program = (name: string, script: string): void => {
  mkdirSync(join(folder, 'bin'), { recursive: true })
  writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}
const file = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
const env = (more: Readonly<Record<string, string>> = {}) => ({
  PATH: `${join(folder, 'bin')}:/usr/bin:/bin`,
  HOME: folder,
  ...more,
})
const finderWith = (options: Partial<FinderOptions> = {}) =>
  new AgentFinder({ root: join(folder, 'state'), node: '/node', ...options })
const found = (more?: Readonly<Record<string, string>>) => finderWith().all(env(more))

test('an agent is found with the version that it prints', async () => {
  program('goose', 'echo " 1.52.0"')
  expect(await found({ GOOSE_PROVIDER: 'openai' })).toEqual([
    {
      name: 'goose',
      title: 'goose',
      path: join(folder, 'bin/goose'),
      version: '1.52.0',
      tried: '1.52.0',
      folders: ['~/.config/goose', '~/.local/share/goose', '~/.local/state/goose'],
      signIn: { by: 'configuration', detail: 'GOOSE_PROVIDER' },
      protocol: 'acp',
      adapter: null,
      fix: null,
      caution: null,
      smallModels: [],
    },
  ])
})

test('no agent is found where none is on the PATH', async () => {
  expect(await finderWith().all({ PATH: join(folder, 'bin'), HOME: folder })).toEqual([])
})

test.each([
  ['prints no version', 'echo hello'],
  ['fails', 'echo 1.2.3; exit 1'],
  ['prints without end', 'yes 1.2.3'],
  ['does not end', 'exec sleep 600'],
])('an agent that %s is found without a version', async (_, script) => {
  program('goose', script)
  const [goose] = await finderWith({ timeoutMs: 300 }).all(env())
  expect(goose).toMatchObject({ version: null, fix: expect.stringContaining('goose configure') })
})

test('a version is one word of bounded length', async () => {
  program('pi', `printf '1.2.3\\033[31m%s\\n' ${'x'.repeat(100)}`)
  program('goose', `echo 1.${'2'.repeat(500)}`)
  const [goose, pi] = await found()
  expect(goose?.version).toHaveLength(32)
  expect(pi?.version).toBe('1.2.3')
})

test('discovery runs once a minute, and again when a key changes', async () => {
  program('goose', `echo asked >> ${join(folder, 'asked')}; echo 1.$(grep -c . ${join(folder, 'asked')})`)
  let now = 0
  const finder = finderWith({ now: () => now })
  const version = async (more?: Readonly<Record<string, string>>) => (await finder.all(env(more)))[0]?.version
  expect([await version(), await version()]).toEqual(['1.1', '1.1'])
  expect(await version({ OPENAI_API_KEY: 'k' })).toBe('1.2')
  now = 60_000
  expect(await version()).toBe('1.3')
})

const CLAUDE = (status: string): string =>
  `case "$1" in --version) echo 2.1.325;; *) cat <<'END'\n${status}\nEND\n;; esac`

test.each([
  ['{"loggedIn":true,"authMethod":"claude.ai"}', { by: 'subscription', detail: 'claude.ai' }],
  ['{"loggedIn":true,"authMethod":"api_key"}', { by: 'key', detail: 'api_key' }],
  ['{"loggedIn":false,"authMethod":"none"}', { by: 'none', detail: null }],
  ['not JSON', { by: 'unknown', detail: 'exited with 0' }],
])('Claude Code that says %s is signed in accordingly', async (status, signIn) => {
  program('claude', CLAUDE(status))
  expect((await found())[0]?.signIn).toEqual(signIn)
})

test.each([
  ['echo Logged in using ChatGPT >&2', { by: 'subscription', detail: 'ChatGPT' }],
  ['echo Logged in using an API key - sk-1', { by: 'key', detail: 'codex login' }],
  ['echo Not logged in; exit 1', { by: 'none', detail: null }],
  ['exec sleep 600', { by: 'unknown', detail: 'timed out' }],
])('Codex whose login status is %s is signed in accordingly', async (script, signIn) => {
  program('codex', `[ "$1" = --version ] && echo 1.0 && exit 0\n${script}`)
  const [codex] = await finderWith({ timeoutMs: 500 }).all(env())
  expect(codex?.signIn).toEqual(signIn)
})

test("the agent's own file shows how it is signed in, also where a variable moves it", async () => {
  program('codex', 'exit 1')
  program('gemini', 'exit 0')
  file('.gemini/oauth_creds.json', '{"refresh_token":"r"}')
  file('elsewhere/config.toml', 'model_provider = "mine"\n')
  const [codex, gemini] = await found({ CODEX_HOME: join(folder, 'elsewhere') })
  expect(codex?.signIn).toEqual({ by: 'configuration', detail: join(folder, 'elsewhere/config.toml') })
  expect(gemini?.signIn).toEqual({ by: 'subscription', detail: join(folder, '.gemini/oauth_creds.json') })
})

test('sign-ins are checked one agent after the other', async () => {
  program('claude', CLAUDE('{"loggedIn":false}'))
  program('codex', `touch ${join(folder, 'asked')}`)
  const seen: string[] = []
  for await (const { name, signIn } of finderWith().signIns(env({ CODEX_API_KEY: 'k' }))) {
    seen.push(`${name} ${signIn.by}`)
  }
  expect(seen).toEqual(['claude none', 'codex key'])
})

test('an agent with an adapter is driven over ACP where that is installed, else as a command', async () => {
  program('codex', 'echo 0.166.0')
  const asked = { CODEX_API_KEY: 'k' }
  const { package: name, version, entry } = adapterNamed('codex') ?? { package: '', version: '', entry: '' }
  expect(await found(asked)).toMatchObject([
    { protocol: 'command', adapter: { package: name, version, isInstalled: false } },
  ])
  const home = join('state/adapters', `${name}@${version}`.replaceAll('/', '+'), 'node_modules', name)
  file(join(home, 'package.json'), JSON.stringify({ name, version: '0.0.1' }))
  file(join(home, entry), '')
  expect(await found(asked)).toMatchObject([{ protocol: 'command', adapter: { isInstalled: false } }])
  file(join(home, 'package.json'), JSON.stringify({ name, version }))
  expect(await found(asked)).toMatchObject([{ protocol: 'acp', adapter: { isInstalled: true } }])
})

test('the names of those that are signed in are known without asking for versions', async () => {
  program('goose', 'echo 1')
  program('codex', 'exit 1')
  program('gemini', 'exit 1')
  expect(await finderWith().signedIn(env({ GEMINI_API_KEY: 'k', GOOSE_PROVIDER: 'x' }))).toEqual([
    'gemini',
    'goose',
  ])
})
