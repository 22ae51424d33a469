/** A real agent as a user has it: a program on the PATH, configured in their home and environment, not in bosun.yaml. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { shellWord } from '../../src/lib/text/counted.ts'
import type { ModelServer } from '../agents/model-server/model-server.ts'
import type { AgentHome } from './agent-home.ts'
import type { RealAgent } from './agents.ts'

/** What the rows of the tests say in a command is what a user has in a file or a variable. */
export const USER_SETTINGS: Readonly<
  Record<
    string,
    (url: string) => { readonly files?: Record<string, string>; readonly env?: Record<string, string> }
  >
> = {
  codex: (url) => ({
    env: { CODEX_API_KEY: 'scripted-key' },
    files: {
      '.codex/config.toml': `model = "scripted-model"
model_provider = "scripted"
[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
env_key = "CODEX_API_KEY"
wire_api = "responses"
[analytics]
enabled = false
`,
    },
  }),
  gemini: () => ({ env: { GEMINI_MODEL: 'scripted-model' } }),
}

/** Puts it there, and returns the environment of its user. */
export async function putOnPath(
  agent: RealAgent,
  home: AgentHome,
  { url }: ModelServer,
): Promise<Readonly<Record<string, string>>> {
  const { env = {}, files = {} } = USER_SETTINGS[agent.name]?.(url) ?? {}
  const bin = join(home.place.home, 'bin')
  const words = agent.command(home.place)
  const program = words.slice(
    0,
    words.findIndex((word) => !isAbsolute(word)),
  )
  const shim = `#!/bin/sh\nexec ${program.map(shellWord).join(' ')} "$@"\n`
  for (const [path, text] of Object.entries({ ...files, [`bin/${agent.name}`]: shim })) {
    await mkdir(dirname(join(home.place.home, path)), { recursive: true })
    await writeFile(join(home.place.home, path), text, { mode: 0o755 })
  }
  return { ...home.env, ...env, PATH: `${bin}:${home.env['PATH'] ?? ''}` }
}
