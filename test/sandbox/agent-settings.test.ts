/** What an agent can change of its user's settings from within walls, and homes whose folders are links. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { agentWalls, placesOfAgents } from '../../src/agents/agent-state.ts'
import { AGENT_ROWS } from '../../src/agents/profiles/rows.ts'
import { runCapped } from '../../src/lib/process/run-capped.ts'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

let home: string
let clone: string
let own: string
let state: string
beforeEach(() => {
  home = tempFolder('home')
  clone = tempFolder('clone')
  own = tempFolder('own-home')
  state = tempFolder('state')
})

function put(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

/** What a command of an agent prints behind walls, complaints apart: they come by a pipe of their own, at any time. */
async function within(agent: string, script: string, agentHome = home): Promise<string> {
  const env = { HOME: home, PATH: process.env['PATH'] ?? '' }
  const place = { root: state, env, hidden: placesOfAgents(env) }
  const sandbox = await openSandbox({ mode: 'contain', allow: [] }, place)
  expect(sandbox.mode, sandbox.why ?? '').toBe('contain')
  const command = ['sh', '-c', script]
  const walls = agentWalls({ name: agent, command }, { env: { HOME: agentHome }, folder: clone })
  let printed = ''
  await runCapped({
    command,
    cwd: clone,
    env: { ...env, HOME: agentHome },
    timeoutMs: 30_000,
    maxOutputBytes: 10_000,
    walls: sandbox.wall({ network: 'open', ...walls, writable: [clone, ...walls.writable] }),
    onOutput: (chunk, from) => {
      if (from === 'stdout') printed += chunk.toString()
    },
  })
  return printed.trim()
}

test('an agent writes its sessions and its sign-in, and not the settings of its user', async () => {
  const settings = put(join(home, '.claude/settings.json'), '{}')
  const signIn = put(join(home, '.claude/.credentials.json'), 'old')
  const command = put(join(home, '.claude/commands/deploy.md'), 'deploy')
  const script = `cd ~/.claude; echo hooks > settings.json; mv settings.json x; ln settings.json y
    echo more > commands/more.md; rm -r commands; mkdir projects; echo new > .credentials.json; ls -A`
  expect((await within('claude', script)).split('\n').slice(-4)).toEqual([
    '.credentials.json',
    'commands',
    'projects',
    'settings.json',
  ])
  expect([settings, command, signIn].map((path) => readFileSync(path, 'utf8').trim())).toEqual([
    '{}',
    'deploy',
    'new',
  ])
})

test.each(AGENT_ROWS)('$name reads the files that it is signed in by', async ({ name, signIn }) => {
  const files = signIn.checks
    .flatMap((check) => (check.kind === 'file' ? check.paths : []))
    .filter((path) => path.startsWith('~/'))
  for (const path of files) put(join(home, path.slice(2)), `signed in by ${path}\n`)
  const printed = await within(name, `cat ${files.join(' ')} < /dev/null`)
  expect(printed.split('\n').filter((line) => line !== '')).toEqual(
    files.map((path) => `signed in by ${path}`),
  )
})

test('folders of the home that are links hide and show what they lead to', async () => {
  const real = tempFolder('dotfiles')
  put(join(real, 'config/goose/config.yaml'), 'provider')
  put(join(real, 'config/gh/hosts.yml'), 'secret')
  put(join(real, 'claude/.credentials.json'), 'other agent')
  symlinkSync(join(real, 'config'), join(home, '.config'))
  symlinkSync(join(real, 'claude'), join(home, '.claude'))
  const script = `cat ~/.config/goose/config.yaml; touch ~/.config/goose/state; cat ~/.config/gh/hosts.yml ~/.claude/.credentials.json`
  const printed = await within('goose', script)
  expect(printed).toContain('provider')
  expect(printed).not.toMatch(/secret|other agent/)
  expect(readFileSync(join(real, 'config/goose/state'), 'utf8')).toBe('')
})

test('nothing is written to the state root, where it would be lost', async () => {
  put(join(state, 'repos/one/token'), 'secret')
  const script = `mkdir -p ${state}/repos/one/coordination || echo refused; cat ${state}/repos/one/token`
  const printed = await within('claude', script)
  expect(printed).toContain('refused')
  expect(printed).not.toContain('secret')
})

test('an agent with a home of its own has its settings and sessions there', async () => {
  put(join(own, '.claude.json'), 'before\n')
  const script =
    'cat ~/.claude.json; echo kept > ~/.claude/session; echo changed > ~/.claude.json; cat ~/.claude.json'
  expect(await within('claude', script, own)).toBe('before\nchanged')
  expect(readFileSync(join(own, '.claude/session'), 'utf8').trim()).toBe('kept')
  expect(readFileSync(join(own, '.claude.json'), 'utf8')).toBe('before\n')
})
