/** Runs the demo as a newcomer does, and holds it to its promises. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BIN, bosun, CLEAN_ENV, scratchFolder } from '../cli/bosun.ts'

interface Demo {
  readonly schema: string
  readonly folder: string
  readonly repository: string
  readonly outcome: string
  readonly completed: number
  readonly branch: string
  readonly manifest: string
  readonly commits: readonly { readonly task: string; readonly sha: string }[]
  readonly summary: string
  readonly graph: string
  readonly story: readonly { readonly name: string; readonly happened: boolean }[]
  readonly missing: readonly string[]
  readonly elapsed_ms: number
  readonly commands: readonly { readonly line: string }[]
  readonly cleanup: string
}

/** A machine of the demo's own: what it leaves in the user's home or in the temporary folder is seen. */
function newcomer() {
  const home = scratchFolder()
  const temporary = join(home, 'tmp')
  mkdirSync(temporary)
  const env = { ...CLEAN_ENV, HOME: home, TMPDIR: temporary, BOSUN_HOME: join(home, 'own-state') }
  return { home, temporary, env }
}

/** Processes that know of this folder: by their arguments, their environment or where they stand. */
function processesOf(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const texts = ['cmdline', 'environ'].map((file) => readFileSync(`/proc/${pid}/${file}`, 'utf8'))
        return texts.some((text) => text.includes(folder)) ? [texts[0]?.replaceAll('\0', ' ') ?? pid] : []
      } catch {
        // It has ended meanwhile, or belongs to another user.
        return []
      }
    })
}

const git = (demo: Demo, ...args: string[]): string =>
  spawnSync('git', ['-C', demo.repository, ...args], { encoding: 'utf8' }).stdout.trim()

describe('the demo', () => {
  const { home, temporary, env } = newcomer()
  let demo: Demo

  test('delivers eight tasks, and every chapter of its story happened', async () => {
    const { exit, stdout, stderr } = await bosun(['demo', '--json'], { env })
    expect(exit, `${stdout}\n${stderr}`).toBe(0)
    demo = JSON.parse(stdout) as Demo
    expect(demo).toMatchObject({ schema: 'bosun.demo/v1', outcome: 'released', completed: 8, missing: [] })
    expect(demo.story).toHaveLength(5)
    expect(demo.story.every(({ happened }) => happened)).toBe(true)
    expect(demo.summary).toMatch(/^RELEASE SUMMARY — Harbour log\n\nTasks: 8\/8 completed\nCommits: 8 /)
    expect(demo.elapsed_ms).toBeLessThan(90_000)
  })

  test('leaves a branch with one commit per task and the manifest, and does not move main', () => {
    expect(git(demo, 'rev-list', '--count', `main..${demo.branch}`)).toBe('9')
    for (const { sha } of demo.commits) expect(git(demo, 'branch', '--contains', sha)).toContain(demo.branch)
    expect(git(demo, 'show', `${demo.branch}:${demo.manifest}`)).toMatch(/^plan_id: harbour\n/)
    expect(git(demo, 'rev-list', '--count', 'main')).toBe('1')
    expect(git(demo, 'status', '--porcelain')).toBe('')
    expect(demo.graph).toContain('(tag: pm/harbour/checkpoint-task-6)')
  })

  test('delivers work that passes its own tests, with no test skipped', () => {
    const copy = join(home, 'copy')
    git(demo, 'worktree', 'add', '--quiet', '--detach', copy, demo.branch)
    const { status, stdout } = spawnSync(process.execPath, ['--test', '--test-reporter=tap'], {
      cwd: copy,
      encoding: 'utf8',
      env: CLEAN_ENV,
    })
    expect(status).toBe(0)
    expect(stdout).toMatch(/^# skipped 0$/m)
  })

  test("leaves nothing behind but its folder: no process, nothing in the user's state", () => {
    expect(processesOf(demo.folder)).toEqual([])
    expect(readdirSync(temporary)).toEqual([basename(demo.folder)])
    expect(existsSync(env.BOSUN_HOME)).toBe(false)
    expect(existsSync(join(home, '.local'))).toBe(false)
  })

  test('prints commands that work from any folder, and the last one removes everything', () => {
    expect(demo.commands).toHaveLength(3)
    for (const { line } of demo.commands) {
      const { status, stdout, stderr } = spawnSync('sh', ['-c', line], { cwd: '/', env, encoding: 'utf8' })
      expect(status, `${line}\n${stderr}`).toBe(0)
      expect(stdout).not.toBe('')
    }
    expect(spawnSync('sh', ['-c', demo.cleanup], { cwd: '/', env }).status).toBe(0)
    expect(existsSync(demo.folder)).toBe(false)
    expect(processesOf(demo.folder)).toEqual([])
  })
})

test('the demo from a sentence releases a branch within a minute, and leaves nothing running', async () => {
  const { env } = newcomer()
  const { exit, stdout, stderr } = await bosun(['demo', '--from-sentence', '--json'], { env })
  expect(exit, `${stdout}\n${stderr}`).toBe(0)
  const demo = JSON.parse(stdout) as Demo
  expect(demo).toMatchObject({
    type: 'feature_request',
    scope: 'small',
    workflow: 'direct',
    outcome: 'released',
    missing: [],
  })
  expect(demo.elapsed_ms).toBeLessThan(60_000)
  expect(git(demo, 'show', `${demo.branch}:src/time.js`)).toContain('clockTime')
  expect(git(demo, 'rev-list', '--count', 'main')).toBe('1')
  expect(processesOf(demo.folder)).toEqual([])
})

test('Ctrl-C stops the demo, its workers and its daemon', async () => {
  const { temporary, env } = newcomer()
  const child = spawn(BIN, ['demo'], { cwd: '/', env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise((resolve) => child.on('close', (exit) => resolve(exit)))
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const before = output
    output += text
    // By now a worker that stalls is at work.
    if (output.includes('2: lint') && !before.includes('2: lint')) child.kill('SIGINT')
  })
  child.stderr.resume()
  expect(await ended).toBe(130)
  expect(output).toContain('3: dispatched w-harbour-3-1')
  expect(output).not.toContain('RELEASE SUMMARY')
  expect(readdirSync(temporary)).toHaveLength(1)
  expect(processesOf(temporary)).toEqual([])
})
