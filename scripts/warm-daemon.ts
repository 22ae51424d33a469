/**
 * Runs a daemon for a moment and lets it deliver a plan of one task, so that dist/.cache holds the compiled code of both:
 * the first one of a user starts as fast as any and need not compile and keep it (bench/idle-memory: 5 MiB idle, 4 MiB
 * after a plan). Whatever fails here costs only that.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { devNull, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** By then it has loaded its routes; a daemon that does not start is not waited for. */
const STARTED_MS = 1500
/** A command that takes longer is ended, and the daemon with it. */
const COMMAND_MS = 20_000

const folder = mkdtempSync(join(tmpdir(), 'bosun-warm-'))
const repo = join(folder, 'repo')
const entry = join(import.meta.dirname, '../dist/bosun.cjs')
/** Without the user's own git settings: a commit may not ask for the passphrase of a key, nor run a hook. */
const env = {
  ...process.env,
  HOME: folder,
  GIT_CONFIG_GLOBAL: devNull,
  GIT_CONFIG_NOSYSTEM: '1',
  BOSUN_HOME: join(folder, 'state'),
  BOSUN_NOTIFY: 'off',
}

const PLAN = `plan: warm
title: Warm
environment: { setup: null, test: null, lint: "true", typecheck: null, build: null }
tasks:
  - { id: "1", title: Change a value, tier: low, gates: [contract], acceptance_criteria: ["It is 2"], files: { modify: [src/value.ts] } }
`
const SETTINGS = `review: { low: rules }
agents: { crew: { protocol: command, command: [sh, -c, "echo 'export const value = 2' > src/value.ts"] } }
`

function run(command: string, ...args: readonly string[]): void {
  spawnSync(command, args, { cwd: repo, env, stdio: 'ignore', timeout: COMMAND_MS })
}

function writeRepository(): void {
  mkdirSync(join(repo, 'src'), { recursive: true })
  writeFileSync(join(repo, 'src/value.ts'), 'export const value = 1\n')
  writeFileSync(join(repo, 'plan.yaml'), PLAN)
  writeFileSync(join(repo, 'bosun.yaml'), SETTINGS)
  run('git', 'init', '-q', '-b', 'main')
  run('git', 'config', 'user.name', 'Bosun')
  run('git', 'config', 'user.email', 'bosun@localhost')
  run('git', 'add', '-A')
  run('git', 'commit', '-qm', 'Start')
}

try {
  writeRepository()
  const daemon = spawn(process.execPath, [entry, 'serve'], { env, stdio: 'ignore' })
  const ended = once(daemon, 'exit')
  await Promise.race([ended, delay(STARTED_MS)])
  run(process.execPath, entry, 'resume')
  run(process.execPath, entry, 'run', 'plan.yaml', '--no-input')
  daemon.kill()
  await Promise.race([ended, delay(COMMAND_MS, undefined, { ref: false })])
  daemon.kill('SIGKILL')
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
