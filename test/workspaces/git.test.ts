/** How git ends is a value, whatever is asked of it. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { childrenFromProc } from '../../src/lib/process/processes.ts'
import { ObjectReader } from '../../src/workspaces/git/cat-file.ts'
import { Git, type GitCall } from '../../src/workspaces/git/git.ts'
import { FILES, testGit, userRepository } from './lab.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const ODD = `it's "odd" $(touch pwned) \\ \n é;*`

/** What ended, as text. */
async function outcomeOf(call: GitCall): Promise<unknown> {
  const outcome = await testGit().run(call)
  return outcome.kind === 'exited' ? { ...outcome, stdout: outcome.stdout.toString('utf8') } : outcome.kind
}

test('output, exit code and complaint are told', async () => {
  const root = userRepository()
  const at = { gitDir: join(root, '.git'), workTree: root }
  expect(await outcomeOf({ args: ['ls-files'], at })).toMatchObject({ code: 0, stderr: '' })
  expect(await outcomeOf({ args: ['rev-parse', '--verify', '-q', 'nothing'], at })).toMatchObject({
    code: 1,
  })
  expect(await outcomeOf({ args: ['cat-file', 'blob', 'nothing'], at })).toMatchObject({
    code: 128,
    stderr: expect.stringContaining('Not a valid object name') as string,
  })
  expect(await outcomeOf({ args: ['hash-object', '--no-such-option'], at })).toMatchObject({ code: 129 })
})

test('words, folders and input reach git as they are, whatever a shell would make of them', async () => {
  const root = userRepository({ name: ODD.replaceAll('/', ''), files: { ...FILES, [ODD]: 'odd' } })
  const at = { gitDir: join(root, '.git'), workTree: root, index: join(root, '.git', 'index') }
  expect(await outcomeOf({ args: ['ls-files', '-z', '--', ODD], at, cwd: root })).toMatchObject({
    stdout: `${ODD}\0`,
  })
  const input = Buffer.from([0, 1, 255, 10, 0])
  const hash = await outcomeOf({ args: ['hash-object', '--stdin'], at, input })
  expect(hash).toMatchObject({ stdout: expect.stringMatching(/^[0-9a-f]{40}\n$/) as string })
  expect(readdirSync(root)).not.toContain('pwned')
})

test('a missing folder, a missing git and too much output are reported as such', async () => {
  const root = userRepository({ files: { large: 'x'.repeat(300_000) } })
  expect(await outcomeOf({ args: ['--version'], cwd: join(root, 'nowhere') })).toBe('not_started')
  const at = { gitDir: join(root, '.git') }
  expect(await outcomeOf({ args: ['cat-file', 'blob', 'HEAD:large'], at, maxBytes: 10_000 })).toBe('too_long')
  const without = new Git({ path: '/nowhere', home: '/' })
  expect((await without.run({ args: ['--version'] })).kind).toBe('not_started')
})

test('a folder that is gone is named, not git, whichever way git is run', async () => {
  const gitDir = join(tempFolder(), 'gone.git')
  const expected = `the working folder does not exist: ${gitDir}`
  const git = testGit()
  const outcome = await git.run({ args: ['for-each-ref'], at: { gitDir } })
  expect(outcome).toEqual({ kind: 'not_started', reason: expected })
  await expect(new ObjectReader(git, { gitDir }).facts('HEAD')).rejects.toThrow(expected)
})

test('output of any length is whole', async () => {
  const root = userRepository({ files: { large: 'large '.repeat(500_000), even: 'x'.repeat(64 * 1024) } })
  const at = { gitDir: join(root, '.git') }
  const git = testGit()
  for (const [name, bytes] of [
    ['large', 3_000_000],
    ['even', 64 * 1024],
  ] as const) {
    const printed = await git.read({ args: ['cat-file', 'blob', `HEAD:${name}`], at })
    expect(printed.equals(readFileSync(join(root, name)))).toBe(true)
    expect(printed.length).toBe(bytes)
    const read = await new ObjectReader(git, at).content(`HEAD:${name}`)
    expect(read?.content.equals(printed)).toBe(true)
  }
})

test('a git that takes too long is ended, and the next one runs', async () => {
  // Nothing ever writes to it, so a reader waits.
  const pipe = join(tempFolder(), 'pipe')
  execFileSync('mkfifo', [pipe])
  const git = testGit()
  const outcome = await git.run({ args: ['hash-object', pipe], timeoutMs: 500 })
  expect(outcome).toEqual({ kind: 'timed_out', afterMs: 500 })
  expect((await git.run({ args: ['--version'] })).kind).toBe('exited')
  await vi.waitFor(() => expect(processesThatName(pipe)).toEqual([]), { timeout: 60_000 })
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
  const git = testGit()
  const asked = Array.from({ length: 30 }, (_, at) => `blob ${at}`)
  const root = userRepository()
  const at = { gitDir: join(root, '.git') }
  const shas = await Promise.all(
    asked.map((input) => git.line({ args: ['hash-object', '-w', '--stdin'], at, input })),
  )
  const back = await Promise.all(shas.map((sha) => git.line({ args: ['cat-file', 'blob', sha], at })))
  expect(back).toEqual(asked)
})

test('a closed git has ended the process that reads objects, and starts none any more', async () => {
  const root = userRepository()
  const at = { gitDir: join(root, '.git') }
  const before = childrenFromProc(process.pid)
  const git = testGit()
  const head = await git.line({ args: ['rev-parse', 'HEAD'], at })
  const reader = new ObjectReader(git, at)
  await reader.facts(head)
  const left = (): readonly number[] => childrenFromProc(process.pid).filter((pid) => !before.includes(pid))
  expect(left().length).toBe(1)
  await git.close()
  expect(left()).toEqual([])
  const refused = { kind: 'not_started', reason: 'Bosun is stopping' }
  expect(await git.run({ args: ['--version'] })).toEqual(refused)
  await expect(new ObjectReader(git, at).facts(head)).rejects.toThrow('Bosun is stopping')
  expect(left()).toEqual([])
})

test('of several calls in flight when git is closed, those that have begun finish, and none begins later', async () => {
  const git = testGit()
  const root = userRepository()
  const at = { gitDir: join(root, '.git') }
  const before = childrenFromProc(process.pid)
  const chain = async (): Promise<string[]> => {
    const kinds: string[] = []
    for (let step = 0; step < 3; step++) kinds.push((await git.run({ args: ['rev-parse', 'HEAD'], at })).kind)
    return kinds
  }
  const chains = [chain(), chain()]
  await git.close()
  expect(childrenFromProc(process.pid).filter((pid) => !before.includes(pid))).toEqual([])
  const one = ['exited', 'not_started', 'not_started']
  expect(await Promise.all(chains)).toEqual([one, one])
})
