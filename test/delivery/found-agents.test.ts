/** Coding agents on the PATH of the user do the work by their names, without an entry in bosun.yaml. */
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { pathWithoutAgents } from '../helpers/path-without-agents.ts'
import type { Lab } from './lab.ts'
import { smallProject } from './small-project.ts'

let lab: Lab
let bin: string
beforeEach(() => {
  // It notes how it was called, beside the repository.
  lab = smallProject({ agent: 'env > "$repo/../env"; work; report' })
  bin = join(lab.folder, 'bin')
  mkdirSync(bin)
  lab.write({ 'bosun.yaml': '' })
  lab.variables = { PATH: `${bin}:${pathWithoutAgents(`${dirname(process.execPath)}:/usr/bin:/bin`)}` }
})
afterEach(() => lab.dispose())

/** Stands in for an agent: it answers like the real one, and works like the project's own. */
function install(name: string, signIn = 'exit 1'): void {
  copyFileSync(join(lab.repo, 'tools/agent.sh'), join(bin, `${name}-work.sh`))
  const script = `#!/bin/sh
case "$1 $2" in
  "--version "*) echo "${name} 9.8.7"; exit 0 ;;
  "auth status" | "login status") ${signIn} ;;
esac
echo "$@" >> ${join(lab.folder, `${name}-arguments`)}
exec sh ${join(bin, `${name}-work.sh`)} ${lab.repo}
`
  writeFileSync(join(bin, name), script)
  chmodSync(join(bin, name), 0o755)
}

const argumentsOf = (name: string): string => readFileSync(join(lab.folder, `${name}-arguments`), 'utf8')

const LOGGED_OUT = `echo '{"loggedIn":false}'; exit 1`

test('the first agent that is signed in delivers a plan, with its key, and crew counts it', async () => {
  install('claude', LOGGED_OUT)
  install('codex')
  lab.variables = { ...lab.variables, CODEX_API_KEY: 'key-of-the-user', OTHER_KEY: 'other' }
  const done = await lab.deliver()
  expect(done.last).toMatchObject({ outcome: 'released' })
  expect(done.stderr).toContain('no agent configured; using codex, found on the PATH')
  expect(argumentsOf('codex')).toMatch(
    /^exec --skip-git-repo-check --sandbox workspace-write - --add-dir \/.*\/worker-checkins$/m,
  )
  const env = readFileSync(join(lab.folder, 'env'), 'utf8')
  expect(env).toMatch(/^CODEX_API_KEY=key-of-the-user$/m)
  expect(env).not.toContain('OTHER_KEY')
  const crew = await lab.bosun('crew', '--json')
  expect(JSON.parse(crew.stdout)).toMatchObject({
    schema: 'bosun.crew/v1',
    agents: [
      { name: 'claude', version: '9.8.7', signed_in: { by: 'none' }, fix: expect.stringContaining('claude') },
      { name: 'codex', version: '9.8.7', signed_in: { by: 'key', detail: 'CODEX_API_KEY' }, fix: null },
    ],
    records: [{ agent: 'codex', tasks: 1, attempts: 1, first_pass: { passed: 1, of: 1 } }],
  })
})

test('a role names an agent without an entry, and one that is not installed is refused', async () => {
  install('claude')
  install('pi')
  lab.write({ 'bosun.yaml': 'roles: { developer: pi, fixer: pi, reviewer: pi }\n' })
  expect((await lab.deliver()).last).toMatchObject({ outcome: 'released' })
  expect(argumentsOf('pi')).toBe('-p\n')
  lab.write({
    'bosun.yaml': 'roles: { developer: qwen }\n',
    'other.yaml': readFileSync(join(lab.repo, 'plan.yaml'), 'utf8').replace('plan: small', 'plan: other'),
  })
  const refused = await lab.bosun('run', 'other.yaml', '--no-input')
  expect(refused.exit).toBe(14)
  expect(refused.stderr).toContain('cannot run agent qwen: qwen is not on the PATH')
})

test('crew starts no daemon and works before the first plan', async () => {
  const crew = await lab.bosun('crew')
  expect(crew.stdout).toBe(
    'No coding agent is on the PATH (looked for claude, codex, opencode, gemini, qwen, goose, pi).\n\nNo worker has run yet.\n',
  )
  expect(lab.processes()).toEqual([])
})

test('a script for the scripted agent is meant, whatever is on the PATH', async () => {
  install('claude')
  lab.write({ 'bosun-script.yaml': 'stand_in: placeholder\n' })
  const done = await lab.bosun('run', 'plan.yaml', '--no-input')
  expect(done.stderr).not.toContain('using claude')
  expect(() => argumentsOf('claude')).toThrow('ENOENT')
})
