/** Runs the demo as a newcomer does, and holds it to its promises. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { BIN, bosun, CLEAN_ENV } from '../cli/bosun.ts'
import { documentProblems } from '../helpers/json-documents.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

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
  readonly commands: readonly { readonly line: string }[]
  readonly cleanup: string
}

/** A machine of the demo's own: what it leaves in the user's home or in the temporary folder is seen. */
function newcomer() {
  const home = tempFolder()
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
    expect(documentProblems(demo, ['demo'])).toEqual([])
    expect(demo).toMatchObject({ schema: 'bosun.demo/v1', outcome: 'released', completed: 8, missing: [] })
    expect(demo.story).toHaveLength(5)
    expect(demo.story.every(({ happened }) => happened)).toBe(true)
    expect(demo.summary).toMatch(/^RELEASE SUMMARY — Harbour log\n\nTasks: 8\/8 completed\nCommits: 8 /)
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

test('the demo from a sentence releases a branch, and leaves nothing running', async () => {
  const { env } = newcomer()
  const { exit, stdout, stderr } = await bosun(['demo', '--from-sentence', '--json'], { env })
  expect(exit, `${stdout}\n${stderr}`).toBe(0)
  const demo = JSON.parse(stdout) as Demo
  expect(documentProblems(demo, ['demo --from-sentence'])).toEqual([])
  expect(demo).toMatchObject({
    type: 'feature_request',
    scope: 'small',
    workflow: 'direct',
    outcome: 'released',
    missing: [],
  })
  expect(git(demo, 'show', `${demo.branch}:src/time.js`)).toContain('clockTime')
  expect(git(demo, 'rev-list', '--count', 'main')).toBe('1')
  expect(processesOf(demo.folder)).toEqual([])
})

test('Ctrl-C stops the demo, its workers, its daemon and the page that it opened', async () => {
  const { home, temporary, env } = newcomer()
  const opened = join(home, 'opened')
  const browser = join(home, 'browser')
  writeFileSync(browser, `#!/bin/sh\nprintf '%s' "$*" > ${opened}\n`, { mode: 0o755 })
  const child = spawn(BIN, ['demo', '--open'], {
    cwd: '/',
    env: { ...env, BROWSER: browser },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
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
  expect(readFileSync(opened, 'utf8')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#code=[0-9a-f]{64}$/)
  expect(readdirSync(temporary)).toHaveLength(1)
  expect(processesOf(temporary)).toEqual([])
})

test('a demo that is interrupted says so in its document', async () => {
  const { temporary, env } = newcomer()
  const child = spawn(BIN, ['demo', '--json'], { cwd: '/', env, stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = new Promise((resolve) => child.on('close', (exit) => resolve(exit)))
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  // Its daemon serves by now.
  await expect.poll(() => globSync('*/**/daemon.json', { cwd: temporary }).length).toBeGreaterThan(0)
  child.kill('SIGINT')
  expect(await ended).toBe(130)
  expect(documentProblems(JSON.parse(output), ['demo interrupted'])).toEqual([])
  expect(processesOf(temporary)).toEqual([])
})

test('at a terminal the demo prints a link to its page, and keeps the page until Ctrl-C', async () => {
  const { temporary, env } = newcomer()
  const line = `exec '${BIN}' demo --from-sentence`
  const child = spawn('script', ['-q', '-e', '-f', '-c', line, '/dev/null'], {
    cwd: '/',
    env: { ...env, TERM: 'xterm', SHELL: '/bin/sh', DISPLAY: '' },
    stdio: 'pipe',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = new Promise((resolve) => child.on('close', (exit) => resolve(exit)))
  const links = Promise.withResolvers<string[]>()
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    if (/stays until Ctrl-C[^\n]*\n/.test(output))
      links.resolve(output.match(/http:\S+#code=[0-9a-f]{64}/g) ?? [])
  })
  const [first, last = ''] = await Promise.race([links.promise, ended.then(() => [])])
  expect(first, output).toBeDefined()
  expect(await (await fetch(last)).text()).toContain('<!doctype html>')
  expect(output).toContain('The branch, ready for you to merge')
  child.stdin.write('\x03')
  expect(await ended).toBe(0)
  expect(processesOf(temporary)).toEqual([])
})
