/** Git as a process of its own and git through a shell that stays end the same way, whatever is asked of them. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { Git, type GitCall, type GitOutcome } from '../../src/workspaces/git.ts'
import { FILES, tempFolder, testGit, userRepository, write } from './lab.ts'

const ODD = `it's "odd" $(touch pwned) \\ \n é;*`

function bothGits(): readonly Git[] {
  return [testGit(), testGit('/nonexistent', join(tempFolder(`scratch ${ODD.replace('/', '')}`), 'git'))]
}

/** What ended, in the words that both have. */
const told = (outcome: GitOutcome): unknown =>
  outcome.kind === 'exited' ? { ...outcome, stdout: outcome.stdout.toString('utf8') } : outcome.kind

async function sameOutcome(call: GitCall): Promise<unknown> {
  const [one, other] = await Promise.all(bothGits().map(async (git) => told(await git.run(call))))
  expect(other).toEqual(one)
  return one
}

test('output, exit code and complaint are the same', async () => {
  const root = userRepository()
  const at = { gitDir: join(root, '.git'), workTree: root }
  expect(await sameOutcome({ args: ['ls-files'], at })).toMatchObject({ code: 0, stderr: '' })
  expect(await sameOutcome({ args: ['rev-parse', '--verify', '-q', 'nothing'], at })).toMatchObject({
    code: 1,
  })
  expect(await sameOutcome({ args: ['cat-file', 'blob', 'nothing'], at })).toMatchObject({
    code: 128,
    stderr: expect.stringContaining('Not a valid object name') as string,
  })
  expect(await sameOutcome({ args: ['hash-object', '--no-such-option'], at })).toMatchObject({ code: 129 })
})

test('words, folders and input reach git as they are, whatever a shell would make of them', async () => {
  const root = userRepository({ name: ODD.replaceAll('/', ''), files: { ...FILES, [ODD]: 'odd' } })
  const at = { gitDir: join(root, '.git'), workTree: root, index: join(root, '.git', 'index') }
  expect(await sameOutcome({ args: ['ls-files', '-z', '--', ODD], at, cwd: root })).toMatchObject({
    stdout: `${ODD}\0`,
  })
  const input = Buffer.from([0, 1, 255, 10, 0])
  const hash = await sameOutcome({ args: ['hash-object', '--stdin'], at, input })
  expect(hash).toMatchObject({ stdout: expect.stringMatching(/^[0-9a-f]{40}\n$/) as string })
  expect(readdirSync(root)).not.toContain('pwned')
})

test('a folder that is not there, a git that is not there, and too much output are told as such', async () => {
  const root = userRepository({ files: { large: 'x'.repeat(300_000) } })
  expect(await sameOutcome({ args: ['--version'], cwd: join(root, 'nowhere') })).toBe('not_started')
  const at = { gitDir: join(root, '.git') }
  expect(await sameOutcome({ args: ['cat-file', 'blob', 'HEAD:large'], at, maxBytes: 10_000 })).toBe(
    'too_long',
  )
  const without = new Git({ path: '/nowhere', home: '/', scratch: join(tempFolder(), 'git') })
  expect((await without.run({ args: ['--version'] })).kind).toBe('not_started')
})

test('a git that takes too long is ended, and the next one runs', async () => {
  // Nobody ever writes to it, so whoever reads it waits.
  const pipe = join(tempFolder(), 'pipe')
  execFileSync('mkfifo', [pipe])
  for (const git of bothGits()) {
    const outcome = await git.run({ args: ['hash-object', pipe], timeoutMs: 500 })
    expect(outcome).toEqual({ kind: 'timed_out', afterMs: 500 })
    expect((await git.run({ args: ['--version'] })).kind).toBe('exited')
  }
  await vi.waitFor(() => expect(processesThatName(pipe)).toEqual([]), { timeout: 30_000 })
})

function processesThatName(path: string): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(path)
    } catch {
      // It is gone.
      return false
    }
  })
}

test('many at once do not get into each other', async () => {
  const git = testGit('/nonexistent', join(tempFolder(), 'git'))
  const asked = Array.from({ length: 30 }, (_, at) => `blob ${at}`)
  const root = userRepository()
  const at = { gitDir: join(root, '.git') }
  const shas = await Promise.all(
    asked.map((input) => git.line({ args: ['hash-object', '-w', '--stdin'], at, input })),
  )
  const back = await Promise.all(shas.map((sha) => git.line({ args: ['cat-file', 'blob', sha], at })))
  expect(back).toEqual(asked)
})

test('what git makes in the repository of a user has the permissions it would have without Bosun', async () => {
  const [one, other] = await Promise.all(
    bothGits().map(async (git) => {
      const root = userRepository()
      mkdirSync(join(root, 'new'))
      write(root, { 'new/file': 'new' })
      const at = { gitDir: join(root, '.git'), workTree: root }
      await git.read({ args: ['add', 'new'], at, cwd: root })
      const sha = await git.line({ args: ['rev-parse', ':new/file'], at })
      const object = join(root, '.git', 'objects', sha.slice(0, 2))
      return [
        statSync(object).mode,
        statSync(join(object, sha.slice(2))).mode,
        statSync(join(root, '.git/index')).mode,
      ]
    }),
  )
  expect(other).toEqual(one)
})
