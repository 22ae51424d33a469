/** Git as a process of its own and git through a shell that stays end the same way, whatever is asked of them. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { childrenFromProc } from '../../src/lib/process/process-rows.ts'
import { ObjectReader } from '../../src/workspaces/git/object-reader.ts'
import { Git, type GitCall, type GitOutcome } from '../../src/workspaces/git/git.ts'
import { FILES, tempFolder, testGit, userRepository, write } from './lab.ts'

const ODD = `it's "odd" $(touch pwned) \\ \n é;*`

function bothGits(): readonly Git[] {
  return [testGit(), testGit('/nonexistent', join(tempFolder(`scratch ${ODD.replace('/', '')}`), 'git'))]
}

/** What ended, in the words that both have. */
const summaryOf = (outcome: GitOutcome): unknown =>
  outcome.kind === 'exited' ? { ...outcome, stdout: outcome.stdout.toString('utf8') } : outcome.kind

async function sameOutcome(call: GitCall): Promise<unknown> {
  const [one, other] = await Promise.all(bothGits().map(async (git) => summaryOf(await git.run(call))))
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

test('a missing folder, a missing git and too much output are reported as such', async () => {
  const root = userRepository({ files: { large: 'x'.repeat(300_000) } })
  expect(await sameOutcome({ args: ['--version'], cwd: join(root, 'nowhere') })).toBe('not_started')
  const at = { gitDir: join(root, '.git') }
  expect(await sameOutcome({ args: ['cat-file', 'blob', 'HEAD:large'], at, maxBytes: 10_000 })).toBe(
    'too_long',
  )
  const without = new Git({ path: '/nowhere', home: '/', scratch: join(tempFolder(), 'git') })
  expect((await without.run({ args: ['--version'] })).kind).toBe('not_started')
})

test('a folder that is gone is named, not git and not the shell, whichever way git is run', async () => {
  const gitDir = join(tempFolder(), 'gone.git')
  const expected = `the working folder does not exist: ${gitDir}`
  for (const git of bothGits()) {
    const outcome = await git.run({ args: ['for-each-ref'], at: { gitDir } })
    expect(outcome).toEqual({ kind: 'not_started', reason: expected })
    const session = git.session({ args: ['cat-file', '--batch'], at: { gitDir } })
    await expect(session.ask('HEAD\n', (bytes) => ({ needs: bytes.length + 1 }))).rejects.toThrow(expected)
  }
})

test('output of any length is whole', async () => {
  const root = userRepository({ files: { large: 'large '.repeat(500_000), even: 'x'.repeat(64 * 1024) } })
  const at = { gitDir: join(root, '.git') }
  for (const git of bothGits()) {
    for (const [name, bytes] of [
      ['large', 3_000_000],
      ['even', 64 * 1024],
    ] as const) {
      const printed = await git.read({ args: ['cat-file', 'blob', `HEAD:${name}`], at })
      expect(printed.equals(readFileSync(join(root, name)))).toBe(true)
      expect(printed.length).toBe(bytes)
    }
    expect(await git.line({ args: ['cat-file', '-t', 'HEAD'], at })).toBe('commit')
  }
})

test('a row runs until one fails, and tells which; only what the last one prints is kept', async () => {
  const root = userRepository()
  const at = { gitDir: join(root, '.git') }
  const type = (name: string): GitCall => ({ args: ['cat-file', '-t', name], at })
  for (const git of bothGits()) {
    const runRow = async (row: readonly GitCall[]) => {
      const { at: index, outcome } = await git.runRow(row)
      return outcome.kind === 'exited'
        ? [index, outcome.code, outcome.stdout.toString('utf8'), outcome.stderr !== '']
        : [index, outcome.kind]
    }
    expect(await runRow([type('HEAD'), type('HEAD^{tree}')])).toEqual([1, 0, 'tree\n', false])
    expect(await runRow([type('HEAD'), type('nothing'), type('HEAD')])).toEqual([1, 128, '', true])
    expect(await runRow([type('nothing'), type('HEAD')])).toEqual([0, 128, '', true])
    expect(await runRow([type('HEAD'), { ...type('HEAD'), cwd: join(root, 'nowhere') }])).toEqual([
      1,
      'not_started',
    ])
    expect(await runRow([type('HEAD')])).toEqual([0, 0, 'commit\n', false])
  }
})

test('one in a row reads what the one before it printed, and each its own input', async () => {
  const root = userRepository({ files: { large: 'x'.repeat(300_000) } })
  const at = { gitDir: join(root, '.git') }
  const input = Buffer.from([0, 1, 255, 10, 0])
  const write: GitCall = { args: ['hash-object', '-w', '--stdin'], at, input }
  const pass: GitCall = { args: ['cat-file', '--batch-check=%(objecttype)'], at, takesOutput: true }
  for (const git of bothGits()) {
    const { outcome } = await git.runRow([write, pass, { args: ['hash-object', '--stdin'], at, input: 'b' }])
    expect(outcome).toMatchObject({ kind: 'exited', code: 0 })
    expect((await git.runRow([write, pass])).outcome).toMatchObject({ stdout: Buffer.from('blob\n') })
    const large: GitCall = { args: ['cat-file', 'blob', 'HEAD:large'], at, maxBytes: 10_240 }
    expect(await git.runRow([large, { args: ['hash-object', '--stdin'], at, takesOutput: true }])).toEqual({
      at: 0,
      outcome: { kind: 'too_long', maxBytes: 10_240 },
    })
  }
})

test('what lies in the folder for the shells may be cleared away at any time', async () => {
  const scratch = join(tempFolder(), 'git')
  const git = testGit('/nonexistent', scratch)
  const at = { gitDir: join(userRepository(), '.git') }
  const ask = (input: string) => git.line({ args: ['hash-object', '--stdin'], at, input })
  const first = await ask('one')
  for (const name of readdirSync(scratch)) rmSync(join(scratch, name))
  expect(await ask('two')).not.toBe(first)
  expect(await ask('one')).toBe(first)
})

test('a git that takes too long is ended, and the next one runs', async () => {
  // Nothing ever writes to it, so a reader waits.
  const pipe = join(tempFolder(), 'pipe')
  execFileSync('mkfifo', [pipe])
  for (const git of bothGits()) {
    const outcome = await git.run({ args: ['hash-object', pipe], timeoutMs: 500 })
    expect(outcome).toEqual({ kind: 'timed_out', afterMs: 500 })
    expect((await git.run({ args: ['--version'] })).kind).toBe('exited')
  }
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

test('a closed git has ended its shells and sessions, and starts no process any more', async () => {
  const root = userRepository()
  const at = { gitDir: join(root, '.git') }
  const before = childrenFromProc(process.pid)
  const git = testGit('/nonexistent', join(tempFolder(), 'git'))
  await Promise.all([git.run({ args: ['--version'] }), git.run({ args: ['--version'] })])
  const head = await git.line({ args: ['rev-parse', 'HEAD'], at })
  const reader = new ObjectReader(git, at)
  await reader.facts(head)
  const left = (): readonly number[] => childrenFromProc(process.pid).filter((pid) => !before.includes(pid))
  expect(left().length).toBe(3)
  await git.close()
  expect(left()).toEqual([])
  const refused = { kind: 'not_started', reason: 'Bosun is stopping' }
  expect(await git.run({ args: ['--version'] })).toEqual(refused)
  await expect(new ObjectReader(git, at).facts(head)).rejects.toThrow('Bosun is stopping')
  expect(left()).toEqual([])
})

test('of several calls in flight when git is closed, those that have begun finish, and none begins later', async () => {
  const git = testGit('/nonexistent', join(tempFolder(), 'git'))
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
