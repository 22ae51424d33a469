/** What agents get of the environment of the user who runs the plan. */
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { Lab } from './lab.ts'
import { smallProject } from './small-project.ts'

const KEY = 'sk-test-0123456789abcdef-of-the-user'
const VALUE = 'sk-test-fedcba9876543210-in-the-file'

/** The agent writes down what it got, beside the repository. */
const project = (more = ''): Lab =>
  smallProject({
    agent: `env > "$repo/../env-$id"; work; report; ${more}`,
    tasks: 2,
    command: '[my-agent, tools/agent.sh, .]',
  })

const envOf = (lab: Lab, id: number): readonly string[] =>
  readFileSync(join(lab.folder, `env-${id}`), 'utf8').split('\n')

/** A folder with the program of the agent, which the daemon does not know. */
function binFolder(lab: Lab): string {
  const folder = join(lab.folder, 'bin')
  mkdirSync(folder)
  writeFileSync(join(folder, 'my-agent'), `#!/bin/sh\nexec sh "$1" "${lab.repo}"\n`, { mode: 0o755 })
  return folder
}

test('come from the command that asks, not from the daemon, and stay out of the log', async () => {
  const lab = project()
  try {
    lab.write({
      'bosun.yaml': `agents:\n  crew:\n    protocol: command\n    command: [my-agent, tools/agent.sh]\n    env: { MODE: fast, OWN_KEY: ${VALUE} }\n    env_from: [MY_API_KEY, NOT_SET]\n`,
    })
    lab.variables = { MY_API_KEY: 'that of the daemon', OTHER_KEY: 'other' }
    lab.spawn('serve')
    await expect.poll(() => existsSync(join(lab.home, 'daemon.json')), { timeout: 60_000 }).toBe(true)
    const bin = binFolder(lab)
    lab.variables = {
      PATH: `${bin}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      MY_API_KEY: KEY,
      OTHER_KEY: 'other',
    }
    const done = await lab.deliver()
    expect(done.last).toMatchObject({ outcome: 'released' })
    const env = envOf(lab, 1)
    expect(env).toEqual(expect.arrayContaining([`MY_API_KEY=${KEY}`, 'MODE=fast', `OWN_KEY=${VALUE}`]))
    expect(env.find((line) => line.startsWith('PATH='))).toContain(`:${bin}:`)
    expect(env.join('\n')).not.toMatch(/OTHER_KEY|NOT_SET/)
    expectNoSecrets(lab)
  } finally {
    await lab.dispose()
  }
})

/** Only files that hold what a worker is started with may have them, and only for their user. */
function expectNoSecrets(lab: Lab): void {
  const holding = globSync('**', { cwd: lab.home, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => [KEY, VALUE].some((secret) => readFileSync(path, 'latin1').includes(secret)))
  expect(holding.length).toBeGreaterThan(0)
  for (const path of holding) {
    expect(path).toMatch(/\/(environments\/.*|job)\.json$/)
    expect(statSync(path).mode & 0o077).toBe(0)
  }
}
