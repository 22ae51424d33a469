import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '../../test/helpers/temp-folder.ts'
import { agentWalls, placesOfAgents } from './agent-state.ts'
import { keptOf } from './profiles/kept-settings.ts'
import { AGENT_ROWS } from './profiles/rows.ts'

const home = tempFolder('home')
const desk = tempFolder('desk')

function place(name: string, text = ''): string {
  const path = join(home, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

const wallsOf = (name: string, env: Record<string, string> = {}, command: readonly string[] = [name]) =>
  agentWalls({ name, command }, { env: { HOME: home, ...env }, folder: desk })

test('an agent may write its folders, which are there afterwards, and no others', () => {
  expect(wallsOf('codex').writable).toEqual([join(home, '.codex')])
  expect(wallsOf('unknown').writable).toEqual([])
})

test('a known agent is known by its program too', () => {
  const path = '/opt/agents/dist/codex.js'
  expect(wallsOf('mine', {}, ['/usr/bin/node', path]).writable).toEqual([join(home, '.codex')])
})

test('a known agent is known by its package, where the program in it has another name', () => {
  const path = '/opt/lib/node_modules/@qwen-code/qwen-code/cli.js'
  expect(wallsOf('mine', {}, ['/usr/bin/node', path]).writable).toEqual([join(home, '.qwen')])
})

test('variables of the agent move its folders', () => {
  const env = { CODEX_HOME: join(home, 'elsewhere'), XDG_CONFIG_HOME: join(home, 'config') }
  expect(wallsOf('codex', env).writable).toEqual([env.CODEX_HOME])
  expect(wallsOf('goose', env).writable).toContain(join(env.XDG_CONFIG_HOME, 'goose'))
  expect(placesOfAgents({ HOME: home, ...env })).toContain(env.CODEX_HOME)
})

test('an agent has a copy of the settings that are a file of the home', () => {
  const at = place('.claude.json', '{"own":1}')
  const [link] = wallsOf('claude').links ?? []
  expect(link?.at).toBe(at)
  expect(readFileSync(link?.to ?? '', 'utf8')).toBe('{"own":1}')
})

test('settings that a variable moves into the folder of the agent are the file itself', () => {
  expect(wallsOf('claude', { CLAUDE_CONFIG_DIR: join(home, 'claude') }).links).toEqual([])
})

test('what acts in later sessions of the user is kept, as far as it is there', () => {
  const settings = place('.claude/settings.json', '{}')
  const command = place('.claude/commands/deploy.md')
  place('.claude/.credentials.json', '{}')
  expect(wallsOf('claude').kept).toEqual([settings, dirname(command)])
})

test.each(AGENT_ROWS)('what is kept of $name lies in a folder that cannot be moved away', (row) => {
  expect(keptOf(row.name).filter((path) => !row.folders.includes(dirname(path)))).toEqual([])
})

test('the program that an adapter drives is shown where it lies in a hidden place', () => {
  const program = place('bin/codex')
  const adapter = '/state/adapters/x/node_modules/@agentclientprotocol/codex-acp/dist/index.js'
  const walls = wallsOf('codex', { CODEX_PATH: program }, ['/usr/bin/node', adapter])
  expect(walls.readable).toEqual(expect.arrayContaining([program, dirname(program)]))
})

test('a folder to which a link leads is found without it', () => {
  const real = tempFolder('config')
  const linked = tempFolder('linked-home')
  symlinkSync(real, join(linked, '.config'))
  expect(wallsOf('goose', { HOME: linked }).writable).toContain(join(linked, '.config/goose'))
})
