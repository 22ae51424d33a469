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
  // What these agents are asked is no part of their work.
  lab.write({ 'bosun.yaml': 'brain: { provider: none }\n' })
  lab.variables = { PATH: `${bin}:${pathWithoutAgents(`${dirname(process.execPath)}:/usr/bin:/bin`)}` }
})
afterEach(() => lab.dispose())

/** Stands in for an agent: it answers like the real one, and works like the project's own, after what comes `first`. */
function install(name: string, signIn = 'exit 1', first = ''): void {
  copyFileSync(join(lab.repo, 'tools/agent.sh'), join(bin, `${name}-work.sh`))
  const script = `#!/bin/sh
case "$1 $2" in
  "--version "*) echo "${name} 9.8.7"; exit 0 ;;
  "auth status" | "login status") ${signIn} ;;
esac
echo "$@" >> ${join(lab.folder, `${name}-arguments`)}
${first}
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
  // As root, its own sandbox cannot start within that of Bosun.
  const own = process.getuid?.() === 0 ? 'danger-full-access' : 'workspace-write'
  expect(argumentsOf('codex')).toMatch(
    new RegExp(
      `^exec --json --skip-git-repo-check --sandbox ${own} - --add-dir /.*/worker-checkins( |$)`,
      'm',
    ),
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
  expect(argumentsOf('pi')).toBe('-p --mode json\n')
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

test('an agent that cannot be driven over ACP runs as a command from then on, and no attempt is used', async () => {
  install('goose', 'exit 1', 'if [ "$1" = acp ]; then echo "unrecognized subcommand" >&2; exit 2; fi')
  lab.variables = { ...lab.variables, GOOSE_PROVIDER: 'openai' }
  const done = await lab.deliver()
  const log = (await lab.bosun('log')).stdout
  expect(done.last, log).toMatchObject({ outcome: 'released' })
  expect(log).toMatch(
    /worker_interrupted .*could not be driven over the Agent Client Protocol: .*plain command from now on/,
  )
  expect(log).toMatch(/w-small-1-2 runs goose \(command\)/)
  expect(
    argumentsOf('goose')
      .split('\n')
      .map((line) => line.split(' ')[0]),
  ).toEqual(['acp', 'run', ''])
  const task = (await lab.bosun('task', 'show', '1')).stdout
  expect(task).toMatch(/w-small-1-2 runs goose \(command\): no agent is named for this role; medium/)
  expect(JSON.parse((await lab.bosun('crew', '--json')).stdout)).toMatchObject({
    records: [{ agent: 'goose', first_pass: { passed: 1, of: 1 } }],
  })
})

test('model and effort of a role reach the command of its agent', async () => {
  install('pi')
  lab.write({ 'bosun.yaml': 'roles: { developer: { agent: pi, model: small/one, effort: high } }\n' })
  expect((await lab.deliver()).last).toMatchObject({ outcome: 'released' })
  expect(argumentsOf('pi')).toBe('-p --mode json --model small/one --thinking high\n')
  const crew: unknown = JSON.parse((await lab.bosun('crew', '--json')).stdout)
  expect(crew).toMatchObject({ records: [{ agent: 'pi', model: 'small/one', tasks: 1 }] })
  expect((await lab.bosun('log')).stdout).toMatch(/ runs pi \(command, model small\/one, effort high\)/)
})

test('another agent takes over from one that is limited for hours, and learns what was done', async () => {
  const limited = `echo "half" > src-half; cat > /dev/null; echo "Claude AI usage limit reached|$(($(date +%s) + 7200))"; exit 1`
  install('claude', 'exit 1', limited)
  install('codex', 'exit 1', `cat > ${join(lab.folder, 'brief')}; rm -f src-half`)
  lab.variables = { ...lab.variables, ANTHROPIC_API_KEY: 'key-of-a-user', CODEX_API_KEY: 'key-of-a-user' }
  const done = await lab.deliver()
  expect(done.last, done.stderr).toMatchObject({ outcome: 'released' })
  const log = (await lab.bosun('log')).stdout
  expect(log).toMatch(/w-small-1-1 runs claude/)
  expect(log).toMatch(/w-small-1-2 runs codex .*: claude is limited until .* UTC; codex takes over/)
  const brief = readFileSync(join(lab.folder, 'brief'), 'utf8')
  expect(brief).toContain('take over from the worker before you, and finish the task')
  expect(brief).toContain('The worker before you (claude) ended: provider limit.')
  expect(brief).toContain('It changed `src-half`.')
  expect(brief).toContain('usage limit reached')
})

test('the agent of another maker reviews where the settings name no reviewer', async () => {
  install('claude')
  install('codex')
  const plan = readFileSync(join(lab.repo, 'plan.yaml'), 'utf8').replace('tier: low', 'tier: normal')
  lab.write({ 'plan.yaml': plan })
  lab.variables = { ...lab.variables, ANTHROPIC_API_KEY: 'key-of-a-user', CODEX_API_KEY: 'key-of-a-user' }
  const done = await lab.deliver()
  expect(done.last, done.stderr).toMatchObject({ outcome: 'released' })
  const log = (await lab.bosun('log')).stdout
  expect(log).toMatch(/w-small-1-1 runs claude/)
  expect(log).toMatch(/w-small-1-1-review-1 runs codex .*: of another maker \(OpenAI\) than the author/)
})
