/** `bosun doctor`, seen from outside. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { acquireLock } from '../../src/store/sqlite/lock.ts'
import { openStore } from '../../src/store/open-store.ts'
import { bosun } from './bosun.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const folder = tempFolder()

interface Check {
  readonly id: string
  readonly status: string
  readonly message: string
  readonly remedy: string
}

async function checksIn(cwd: string, env: Readonly<Record<string, string>> = {}) {
  const run = await bosun(['doctor', '--json'], { cwd, env: { BOSUN_HOME: join(folder, 'state'), ...env } })
  expect(run.stderr).toBe('')
  const document = JSON.parse(run.stdout) as { schema: string; checks: Check[] }
  expect(document.schema).toBe('bosun.doctor/v1')
  return {
    exit: run.exit,
    checks: document.checks,
    check: (id: string) => document.checks.find((one) => one.id === id),
  }
}

function repository(name: string): string {
  const path = join(folder, name)
  mkdirSync(path)
  const git = (...args: string[]) => execFileSync('git', ['-C', path, ...args], { stdio: 'ignore' })
  git('init', '-b', 'trunk')
  git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '--allow-empty', '-m', 'Start')
  return path
}

test('doctor reports no problem in a clean repository', async () => {
  const path = repository('clean')
  const { exit, check } = await checksIn(path)
  expect(exit).toBe(0)
  expect(check('repository')).toMatchObject({ status: 'ok', message: `${path}, branch trunk, clean` })
  for (const id of ['node', 'sqlite', 'git', 'state_root', 'lock', 'settings']) {
    expect(check(id), id).toMatchObject({ status: 'ok', remedy: '' })
  }
})

test('uncommitted changes are a warning, invalid settings a problem with its line', async () => {
  const path = repository('dirty')
  writeFileSync(join(path, 'bosun.yaml'), 'approval: release\nwach: {}\n')
  const { exit, check } = await checksIn(path)
  expect(exit).toBe(1)
  expect(check('repository')?.status).toBe('warning')
  expect(check('settings')).toMatchObject({
    status: 'problem',
    message: 'bosun.yaml:2: unknown key wach',
    remedy: 'Did you mean watch?',
  })
})

test('every setting that a run would refuse is its own check, and so is a role without an agent', async () => {
  const path = repository('refused')
  const text = 'brain: { provider: anthropic }\nstore: { url: "postgres://db" }\n'
  writeFileSync(join(path, 'bosun.yaml'), text)
  writeFileSync(join(path, 'plan.yaml'), 'plan: p\ntasks: [{ id: "1", title: Add a }]\n')
  const run = await bosun(['plan', 'plan.yaml'], { cwd: path })
  const refusals = run.stderr.split('\n').filter((line) => line.includes(' error: '))
  expect(refusals).toEqual([
    'bosun.yaml:1: error: brain.provider: anthropic needs a model',
    'bosun.yaml:2: error: store.url is not supported yet',
  ])
  const { exit, checks } = await checksIn(path)
  expect(exit).toBe(1)
  expect(checks.filter(({ id }) => id === 'settings').map(({ message }) => message)).toEqual(
    refusals.map((line) => line.replace(' error:', '')),
  )
  writeFileSync(join(path, 'bosun.yaml'), 'roles: { reviewer: claude }\n')
  expect((await checksIn(path)).check('agents')).toMatchObject({
    status: 'problem',
    message: 'cannot run agent claude: claude is not on the PATH',
  })
})

test('a bosun.yaml that is a folder or a pipe is reported in one line, at once', async () => {
  const path = repository('odd-settings')
  mkdirSync(join(path, 'bosun.yaml'))
  writeFileSync(join(path, 'plan.yaml'), 'plan: p\ntasks: [{ id: "1", title: Add a }]\n')
  const line = 'cannot read the settings: it is a folder'
  expect((await checksIn(path)).check('settings')?.message).toBe(`bosun.yaml:1: ${line}`)
  const run = await bosun(['plan', 'plan.yaml'], { cwd: path })
  expect(run).toMatchObject({ exit: 1, stdout: '' })
  expect(run.stderr).toBe(`bosun.yaml:1: error: ${line}\n  Replace it with a file, or move it away.\n`)
})

test('doctor runs the repository’s commands once in a separate checkout, unless --quick is given', async () => {
  const path = repository('tried')
  const text =
    'environment: { test: "touch ran; exit 0", lint: no-such-linter, typecheck: "exit 3", build: null }\n'
  writeFileSync(join(path, 'bosun.yaml'), text)
  const { exit, check } = await checksIn(path)
  expect(exit).toBe(0)
  expect(check('test')).toMatchObject({ status: 'ok' })
  expect(check('lint')).toMatchObject({ status: 'warning' })
  expect(check('lint')?.message).toMatch(/^cannot run: no-such-linter exited with 127: /)
  expect(check('typecheck')).toMatchObject({
    status: 'warning',
    message: 'red at the newest commit: exit 3 exited with 3',
  })
  expect(existsSync(join(path, 'ran'))).toBe(false)
  const quick = await bosun(['doctor', '--quick', '--json'], { cwd: path })
  expect(JSON.parse(quick.stdout)).not.toMatchObject({ checks: expect.arrayContaining([{ id: 'test' }]) })
  expect(quick.stdout).not.toContain('no-such-linter')
})

test('doctor names each command as it starts it, since a set-up may take minutes', async () => {
  const path = repository('named')
  const commands = { setup: 'echo set-up', lint: 'echo lint', typecheck: 'exit 3', test: 'echo test' }
  writeFileSync(join(path, 'bosun.yaml'), JSON.stringify({ environment: { ...commands, build: null } }))
  const { stderr } = await bosun(['doctor'], { cwd: path })
  const [, ...started] = stderr.trimEnd().split('\n')
  expect(started).toEqual(Object.values(commands).map((command) => `  ${command}`))
  const silent = await bosun(['doctor', '--json'], { cwd: path })
  expect(silent.stderr).toBe('')
})

test('init sets a command that cannot run to null, with the reason', async () => {
  const path = repository('initialized')
  writeFileSync(join(path, 'Makefile'), 'lint:\n\tno-such-linter\ntest:\n\ttrue\n')
  writeFileSync(join(path, '.golangci.yml'), '')
  writeFileSync(join(path, 'go.mod'), 'module shop\n')
  execFileSync('git', ['-C', path, 'add', '-A'])
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com']
  execFileSync('git', ['-C', path, ...identity, 'commit', '-qm', 'Add'])
  const bin = join(folder, 'init-bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'go'), '#!/bin/sh\n', { mode: 0o755 })
  const run = await bosun(['init'], { cwd: path, env: { PATH: `${bin}:${process.env['PATH']}` } })
  expect(run.exit).toBe(0)
  expect(run.stdout).toContain(
    'lint: null # "golangci-lint run" cannot run here: golangci-lint run exited with 127',
  )
  expect(run.stdout).toContain('lint cannot run here, so it is set to null: ')
  expect(run.stdout).toContain('test: "go test -v ./..."')
})

test('init and doctor take the command by which CI names its tests, where the detected one names none', async () => {
  const path = repository('found-tests')
  mkdirSync(join(path, '.github/workflows'), { recursive: true })
  writeFileSync(join(path, 'package.json'), '{ "scripts": { "test": "no-such-linter && node run.mjs" } }')
  writeFileSync(join(path, '.github/workflows/ci.yml'), 'jobs:\n  a:\n    steps:\n      - run: node --test\n')
  writeFileSync(join(path, 'a.test.mjs'), "import { test } from 'node:test'\ntest('a', () => undefined)\n")
  execFileSync('git', ['-C', path, 'add', '-A'])
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com']
  execFileSync('git', ['-C', path, ...identity, 'commit', '-qm', 'Add'])
  const why = 'npm test names no test: npm test exited with 127'
  const { check } = await checksIn(path)
  expect(check('test')?.message).toContain(`node --test: works at the newest commit (${why}`)
  const run = await bosun(['init'], { cwd: path })
  expect(run.stdout).toContain(`test: "node --test" # ${why}`)
})

/** A repository with these files in its newest commit. */
function withFiles(name: string, files: Readonly<Record<string, string>>): string {
  const path = repository(name)
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, file)), { recursive: true })
    writeFileSync(join(path, file), text)
  }
  execFileSync('git', ['-C', path, 'add', '-A'])
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com']
  execFileSync('git', ['-C', path, ...identity, 'commit', '-qm', 'Add'])
  return path
}

test('init leaves out a set-up that cannot run where the tests pass without it', async () => {
  const files = (expected: number) => ({
    'pyproject.toml': '[project]\nname = "cart"\n',
    'uv.lock': '',
    'test_cart.py': `import unittest\nclass Cart(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(1 + 1, ${expected})\n`,
  })
  const bin = join(folder, 'no-uv')
  mkdirSync(bin)
  writeFileSync(join(bin, 'uv'), '#!/bin/sh\nexit 127\n', { mode: 0o755 })
  const env = { PATH: `${bin}:${process.env['PATH']}` }
  const green = await bosun(['init'], { cwd: withFiles('without-uv', files(2)), env })
  expect(green.stdout).toContain('setup: null # "uv sync --frozen" cannot run here: ')
  expect(green.stdout).toMatch(/ test: "python3 -m (pytest|unittest) -v" # uv run .* names no test: /)
  const red = await bosun(['init'], { cwd: withFiles('with-uv', files(3)), env })
  expect(red.stdout).toMatch(/ test: "uv run .*"\n/)
})

test('init lets tests that name none count by their exit code, where a broken one makes them fail', async () => {
  const path = withFiles('own-runner', {
    'package.json': '{ "scripts": { "test": "node test.js" } }',
    'test.js': "require('node:assert').equal(1, 1)\nconsole.log('all good')\n",
  })
  const remedy = expect.stringContaining('{ command, report: exit }, as `bosun init` does')
  expect((await checksIn(path)).check('test')).toMatchObject({ status: 'warning', remedy })
  const run = await bosun(['init'], { cwd: path })
  expect(run.stdout).toContain('test: { command: "npm test", report: exit } # exit code alone: ')
  expect(run.stdout).toContain('it counts by its exit code alone (test.js, broken, makes it fail)')
  expect((await checksIn(path)).check('test')).toMatchObject({
    status: 'ok',
    message: expect.stringContaining('by its exit code alone'),
  })
})

test('init leaves tests that name none to a question of each plan, where nothing makes them fail', async () => {
  const path = withFiles('deaf', {
    'package.json': '{ "scripts": { "test": "node test.js || true" } }',
    'test.js': "require('node:assert').equal(1, 1)\n",
  })
  const run = await bosun(['init'], { cwd: path })
  expect(run.stdout).toContain('test: "npm test"\n')
  expect(run.stdout).toContain('no broken test was seen to make it fail')
})

test('init takes the Makefile of a project whose CMake has no tests', async () => {
  const path = withFiles('two-builds', {
    'CMakeLists.txt': 'cmake_minimum_required(VERSION 3.5)\nproject(a C)\nadd_library(a a.c)\n',
    'a.c': 'int a(void) { return 1; }\n',
    'tests.c': '#include <assert.h>\nint a(void);\nint main(void) { assert(a() == 1); return 0; }\n',
    Makefile: '.PHONY: test\ntest: tests.c a.c\n\tcc -o run-tests tests.c a.c\n\t./run-tests\n',
  })
  const run = await bosun(['init'], { cwd: path })
  expect(run.stdout).toContain('test: { command: "make test", report: exit }')
})

test('agents are found on the PATH and asked for version and sign-in', async () => {
  const bin = join(folder, 'agents')
  mkdirSync(bin)
  writeFileSync(join(bin, 'codex'), '#!/bin/sh\n[ "$1" = --version ] && echo codex-cli 9.8.7 || exit 1\n')
  chmodSync(join(bin, 'codex'), 0o755)
  const { check } = await checksIn(folder, { PATH: `${bin}:${process.env['PATH']}` })
  expect(check('agents')).toMatchObject({
    status: 'warning',
    message: `codex: Codex 9.8.7 (${join(bin, 'codex')}), not signed in, run as a plain command`,
    remedy: 'Run `codex login`, or set CODEX_API_KEY.',
  })
})

test('agent commands are resolved relative to bosun.yaml', async () => {
  const path = repository('own-agent')
  writeFileSync(join(path, 'agent.sh'), '#!/bin/sh\n')
  chmodSync(join(path, 'agent.sh'), 0o755)
  writeFileSync(join(path, 'bosun.yaml'), 'agents: { mine: { protocol: command, command: [./agent.sh] } }\n')
  mkdirSync(join(path, 'deep'))
  const { exit, check } = await checksIn(join(path, 'deep'))
  expect(check('agents')).toMatchObject({ status: 'ok', message: `of bosun.yaml: mine (${path}/agent.sh)` })
  expect(exit).toBe(0)
  chmodSync(join(path, 'agent.sh'), 0o644)
  expect((await checksIn(path)).check('agents')).toMatchObject({ status: 'problem' })
})

test('a machine without git is a problem, not a crash', async () => {
  const bin = join(folder, 'no-git')
  mkdirSync(bin)
  for (const name of ['sh', 'dirname', 'readlink']) {
    symlinkSync(execFileSync('which', [name], { encoding: 'utf8' }).trim(), join(bin, name))
  }
  const { exit, check } = await checksIn(folder, { PATH: bin })
  expect(exit).toBe(1)
  expect(check('git')).toMatchObject({ status: 'problem', message: 'git cannot be run' })
})

test('a state root that cannot be created is a problem', async () => {
  writeFileSync(join(folder, 'a-file'), '')
  const { exit, check } = await checksIn(folder, { BOSUN_HOME: join(folder, 'a-file/state') })
  expect(exit).toBe(1)
  expect(check('state_root')?.status).toBe('problem')
})

test('a used state root without its token, or with one that others can read, is noticed', async () => {
  const look = async () => (await checksIn(folder, { BOSUN_HOME: root })).check('token')
  expect((await checksIn(folder, { BOSUN_HOME: join(folder, 'unused') })).check('token')).toBeUndefined()
  const root = await recorded('used')
  expect(await look()).toMatchObject({ status: 'warning', message: `the token is missing: ${root}/token` })
  writeFileSync(join(root, 'token'), 'a'.repeat(63), { mode: 0o600 })
  expect(await look()).toMatchObject({
    status: 'warning',
    message: expect.stringContaining('holds no token'),
  })
  writeFileSync(join(root, 'token'), 'a'.repeat(64))
  expect(await look()).toBeUndefined()
  chmodSync(join(root, 'token'), 0o644)
  expect(await look()).toMatchObject({ status: 'problem', remedy: expect.stringContaining('chmod 600') })
})

test('doctor shows which process holds the lock', async () => {
  const root = join(folder, 'held')
  mkdirSync(root)
  const locked = await acquireLock(root)
  if (!locked.ok) throw new Error(locked.why)
  const { exit, check } = await checksIn(folder, { BOSUN_HOME: root })
  await locked.lock.release('clean')
  expect(exit).toBe(0)
  expect(check('lock')?.message).toContain(`process ${process.pid}`)
})

test('doctor says what keeps a worker within its walls', async () => {
  const { check } = await checksIn(folder)
  expect(check('isolation')?.message).toMatch(/^workers and checks run in a sandbox \(bwrap, tried here\)\. /)
})

test('doctor says what a worker can do where the sandbox is turned off', async () => {
  const path = repository('unwalled')
  writeFileSync(join(path, 'bosun.yaml'), 'sandbox: { mode: off }\n')
  const { check } = await checksIn(path)
  expect(check('isolation')).toMatchObject({
    status: 'warning',
    remedy: expect.stringContaining('sandbox.mode') as string,
  })
  expect(check('isolation')?.message).toContain('it can read what you can read, and answer in your place')
})

test('doctor prints a table for people', async () => {
  const run = await bosun(['doctor'], { cwd: folder, env: { COLUMNS: '80' } })
  expect(run.stdout).toMatch(/^ok +isolation +workers and checks run in a sandbox/m)
  const isolation = run.stdout.split('\n').filter((line) => /^(ok +isolation| )/.test(line))
  for (const line of isolation) expect(line.length).toBeLessThanOrEqual(80)
  expect(run.stdout).toMatch(/^ok +node +Node 24\.\d+/m)
  expect(run.stdout).toContain('No agent can work yet; see the warnings.')
})

/** A state root with one open plan of the log in it. */
async function recorded(name: string): Promise<string> {
  const root = join(folder, name)
  const opened = await openStore({ root, codec: { check: (event) => event as { type: string; v: number } } })
  if (!opened.ok) throw new Error('the store is held')
  const events = [{ type: 'plan.resumed', v: 1, by: 'ann' }]
  await opened.store.log.append({ stream: 'shop-0123abcd/shop', expectedVersion: 0, at: 1, events })
  await opened.store.close()
  return root
}

test.each([
  ['garbage', 'is not an SQLite database', (path: string) => writeFileSync(path, 'x'.repeat(5000))],
  [
    'a newer schema',
    'another version of Bosun wrote this database',
    (path: string) => change(path, 'pragma user_version = 99'),
  ],
  [
    'a broken event',
    'plan shop is damaged',
    (path: string) => change(path, "update events set data = '{' where seq = 1"),
  ],
  ['an emptied database', 'does not know 1 plan', (path: string) => rmSync(path)],
])('%s in the place of the database is a problem with a remedy', async (name, message, spoil) => {
  const root = await recorded(name.replaceAll(' ', '-'))
  const worker = join(root, 'repos', 'shop-0123abcd', 'workers', 'w-shop-1-1')
  mkdirSync(worker, { recursive: true })
  const job = {
    plan: 'shop',
    role: 'developer',
    protocol: 'command',
    agent: 'mine',
    mark: 'm',
    workspace: folder,
    containment: {},
    choice: { model: null, effort: null, why: null, candidates: null },
  }
  writeFileSync(join(worker, 'job.json'), JSON.stringify(job))
  spoil(join(root, 'bosun.db'))
  const { exit, check } = await checksIn(folder, { BOSUN_HOME: root })
  expect(exit).toBe(1)
  expect(check('database')).toMatchObject({ status: 'problem', message: expect.stringContaining(message) })
  expect(check('database')?.remedy).not.toBe('')
})

function change(path: string, sql: string): void {
  const db = new DatabaseSync(path)
  db.exec(sql)
  db.close()
}
