/** Real agents in the sandbox of a user who has everything that a worker may not change. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { keptOf } from '../../src/agents/profiles/kept-settings.ts'
import { act, play, say, write } from '../agents/model-server/script.ts'
import { REAL_AGENTS } from './agents.ts'
import { install } from './install.ts'
import { FORMS, type Form } from './matrix.ts'
import { Supervised } from './supervised.ts'

/** By the end of a name; what has none is a folder. */
const TEXTS: Readonly<Record<string, string>> = {
  '.json': '{}\n',
  '.jsonc': '{}\n',
  '.toml': '',
  '.yaml': '',
  '.md': 'Be kind.\n',
}
const DOTTED = new Set(['.env', '.goosehints'])

let bosun: Supervised | null = null
afterEach(async () => {
  await bosun?.close()
  bosun = null
})

/** Puts there what is missing, and returns all files with what they hold. */
function fill(agent: string, home: string): ReadonlyMap<string, string> {
  const paths = keptOf(agent).map((path) => {
    const [at, ending] = [join(home, path.slice(2)), extname(path)]
    if (ending !== '' || DOTTED.has(path.slice(path.lastIndexOf('/') + 1))) return at
    return join(at, 'note.txt')
  })
  for (const path of paths) {
    mkdirSync(dirname(path), { recursive: true })
    if (!existsSync(path)) writeFileSync(path, TEXTS[extname(path)] ?? '')
  }
  return new Map(paths.map((path) => [path, readFileSync(path, 'utf8')]))
}

describe.each(REAL_AGENTS)('$name', (agent) => {
  beforeAll(async () => {
    for (const installation of agent.installations) await install(installation)
  })

  test.each(FORMS)('works where it may not change the settings of its user (%s)', async (form: Form) => {
    bosun = await Supervised.open(agent, { form })
    const before = fill(agent.name, bosun.home.place.home)
    bosun.server.play(play([{ steps: [act(write('hello.txt', 'hello')), say('I wrote it.')] }]))
    await bosun.start('w-1')
    expect((await bosun.ended('w-1')).end).toEqual({ kind: 'done' })
    expect(existsSync(join(bosun.workspaceOf('w-1'), 'hello.txt'))).toBe(true)
    for (const [path, text] of before) expect([path, readFileSync(path, 'utf8')]).toEqual([path, text])
  })
})
