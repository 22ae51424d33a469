/** A release is proven from its repository alone, and whatever is changed in it shows. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { processRows } from '../../src/lib/process/processes.ts'
import { ended, type Ended } from '../delivery/lab.ts'
import { OTHER_PLAN, Project } from './project.ts'
import { documentProblems } from '../helpers/json-documents.ts'

const MANIFEST = 'docs/releases/nums-release.yaml'

let delivered: Project
beforeAll(async () => {
  delivered = Project.create()
  const run = await delivered.bosun('run', 'plan.yaml', '--no-input')
  expect(run).toMatchObject({ exit: 0 })
})
afterAll(() => delivered.dispose())

/** Processes in whose environment or command line this stands. */
function processesWith(text: string): readonly number[] {
  const says = (path: string): boolean => {
    try {
      return readFileSync(path, 'latin1').includes(text)
    } catch {
      // It has ended.
      return false
    }
  }
  const alive = processRows().filter((row) => !row.isZombie && row.pid !== process.pid)
  return alive
    .map((row) => row.pid)
    .filter((pid) => says(`/proc/${pid}/environ`) || says(`/proc/${pid}/cmdline`))
}

/** What was checked and found wrong, as `id` or `id task`. */
const failures = (project: Project, ...flags: string[]): Promise<readonly string[]> =>
  failuresOf('nums', project, ...flags)

async function failuresOf(plan: string, project: Project, ...flags: string[]): Promise<readonly string[]> {
  const { exit, stdout } = await project.bosun('release', 'verify', plan, '--json', ...flags)
  const { schema, ok, checks } = JSON.parse(stdout) as {
    readonly schema: string
    readonly ok: boolean
    readonly checks: readonly { readonly id: string; readonly task: string | null; readonly ok: boolean }[]
  }
  expect(schema).toBe('bosun.release/v1')
  expect(documentProblems(JSON.parse(stdout), ['release verify'])).toEqual([])
  expect(exit).toBe(ok ? 0 : 1)
  return checks.filter((check) => !check.ok).map(({ id, task }) => (task === null ? id : `${id} ${task}`))
}

/** The manifest's commit made anew, with another text. */
function forge(change: (text: string) => string): Project {
  const project = delivered.copy()
  project.git('checkout', '-q', 'feat/nums/working')
  const text = project.git('show', `HEAD:${MANIFEST}`)
  project.write({ [MANIFEST]: change(`${text}\n`) })
  project.git('commit', '-q', '-a', '--amend', '--no-edit')
  return project
}

/** So that the digest fits again. */
const sealed = (change: (text: string) => string) => (text: string) => {
  const body = change(text.replace(/digest: .*\n$/, ''))
  return `${body}digest: ${createHash('sha256').update(body).digest('hex')}\n`
}

describe('a delivered release', () => {
  test('is verified without a daemon, and leaves no trace', async () => {
    const project = delivered.copy()
    const before = project.git('for-each-ref')
    expect(await failures(project)).toEqual([])
    expect(project.git('for-each-ref')).toBe(before)
    expect(project.git('status', '--porcelain')).toBe('')
    expect(project.git('count-objects')).toBe(delivered.git('count-objects'))
    expect(existsSync(project.root)).toBe(false)
  })

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'leaves neither folder nor process behind when running its evidence is ended by %s',
    async (signal) => {
      const project = delivered.copy()
      const [tools, temporary] = [join(project.folder, 'tools'), join(project.folder, 'tmp')]
      mkdirSync(temporary)
      mkdirSync(tools)
      // The tests hang, and leave something behind that hangs too.
      const hangs = `#!/bin/sh\ncase "$*" in *--test*) (setsid sleep 1003 &); echo up > "${project.folder}/up"; sleep 1002;; esac\nexec "${process.execPath}" "$@"\n`
      writeFileSync(join(tools, 'node'), hangs, { mode: 0o755 })
      writeFileSync(join(project.repo, 'bosun.yaml'), `sandbox: { allow: ['${project.folder}:rw'] }\n`)
      const env = { PATH: `${tools}:${process.env['PATH'] ?? ''}`, TMPDIR: temporary }
      const child = project.spawn(['release', 'verify', 'nums', '--rerun', '--json'], env)
      const done = ended(child)
      await vi.waitUntil(() => existsSync(join(project.folder, 'up')), { timeout: 60_000, interval: 50 })
      child.kill(signal)
      expect(await done).toMatchObject({ exit: 130 })
      expect(readdirSync(temporary)).toEqual([])
      expect(processesWith(project.folder)).toEqual([])
    },
  )

  test('is verified by re-running its evidence', async () => {
    expect(await failures(delivered.copy(), '--rerun')).toEqual([])
  })

  test('names each command as it is rerun', async () => {
    const { exit, stderr } = await delivered.copy().bosun('release', 'verify', 'nums', '--rerun')
    expect(exit).toBe(0)
    expect(stderr).toContain('running node --test')
  })

  test('is still verified after it is merged and its branch deleted', async () => {
    const project = delivered.copy()
    project.git('merge', '-q', '--no-ff', '-m', 'Take it over', 'feat/nums/working')
    project.git('branch', '-q', '-D', 'feat/nums/working')
    expect(await failures(project)).toEqual([])
  })

  test('is merged together with another plan that has the same task ids, and both stay verified', async () => {
    const project = Project.create()
    try {
      project.write({ 'more.yaml': OTHER_PLAN })
      for (const plan of ['plan.yaml', 'more.yaml'])
        expect(await project.bosun('run', plan, '--no-input')).toMatchObject({ exit: 0 })
      for (const plan of ['nums', 'more'])
        project.git('merge', '-q', '--no-ff', '-m', `Take ${plan}`, `feat/${plan}/working`)
      expect(project.git('ls-files', 'docs/reviews').split('\n')).toEqual([
        'docs/reviews/more/task-1-review.md',
        'docs/reviews/more/task-2-review.md',
        'docs/reviews/nums/task-1-review.md',
        'docs/reviews/nums/task-2-review.md',
      ])
      // Side by side, so either of them may land first.
      const landed = ['feat/more/working~1', 'feat/more/working~2']
      expect(landed.map((commit) => project.git('log', '-1', '--format=%b', commit)).toSorted()).toEqual(
        ['1', '2'].map((task) => `Refs: task-${task}\nReview: docs/reviews/more/task-${task}-review.md`),
      )
      for (const plan of ['nums', 'more']) expect(await failuresOf(plan, project)).toEqual([])
    } finally {
      project.dispose()
    }
  })

  test('is verified in a clone with enough history, and a shallower clone is reported as too short', async () => {
    const project = delivered.copy()
    const cloned = async (depth: string): Promise<Ended> => {
      rmSync(project.repo, { recursive: true })
      const from = ['--depth', depth, '--no-local', '-b', 'feat/nums/working', delivered.repo]
      delivered.git('clone', '-q', ...from, project.repo)
      return project.bosun('release', 'verify', 'nums')
    }
    expect(await cloned('4')).toMatchObject({ exit: 0 })
    expect(await cloned('3')).toEqual({
      exit: 1,
      stdout: '',
      stderr:
        'error: commits of nums are missing: this is a shallow clone\n  Fetch the full history, then verify again: git fetch --unshallow\n',
    })
  })

  test('is printed check by check', async () => {
    const { stdout } = await delivered.bosun('release', 'verify', 'nums')
    expect(stdout).toMatch(/^ok +digest +no byte of the manifest was changed$/m)
    expect(stdout).toMatch(/^ok +task 1: tree +the commit is the tree the gates ran on/m)
    expect(stdout).toContain('nums matches its manifest')
  })
})

describe('verifying a tampered release', () => {
  test('detects a single changed digit anywhere', async () => {
    const text = `${delivered.git('show', `feat/nums/working:${MANIFEST}`)}\n`
    const digits = [...text.matchAll(/\d/g)].map(({ index }) => index)
    const places = [digits[0], digits[Math.floor(digits.length / 2)], digits.at(-1)]
    for (const at of places) {
      const other = (found: string): string =>
        `${found.slice(0, at)}${(Number(found[at ?? 0]) + 1) % 10}${found.slice((at ?? 0) + 1)}`
      expect(await failures(forge(other))).toEqual(['digest'])
    }
    const project = forge((found) => `${found}\n`)
    expect(await failures(project)).toEqual(['digest'])
  })

  test('reports a manifest with uncommitted changes', async () => {
    const project = delivered.copy()
    project.git('checkout', '-q', 'feat/nums/working')
    project.write({ [MANIFEST]: `${project.git('show', `HEAD:${MANIFEST}`).replace('low', 'critical')}\n` })
    expect(await failures(project)).toEqual(['work_tree'])
  })

  test('detects a false sha, tier or count with a matching digest', async () => {
    const sha = forge(sealed((text) => text.replace(/commit_sha: \w{40}/, `commit_sha: ${'ab'.repeat(20)}`)))
    expect(await failures(sha)).toContain('commit 1')
    const tier = forge(sealed((text) => text.replace('tier: low', 'tier: normal')))
    expect(await failures(tier)).toEqual(['tree 1'])
    const counts = forge(sealed((text) => text.replace('tests_run: 3', 'tests_run: 9')))
    expect(await failures(counts, '--rerun')).toEqual(['rerun_counts'])
  })

  test('detects work on top of it', async () => {
    const project = delivered.copy()
    project.git('checkout', '-q', 'feat/nums/working')
    project.write({ 'src/base.js': 'export const one = () => 2\n' })
    project.git('commit', '-q', '-a', '-m', 'A little more')
    expect(await failures(project)).toEqual(['branch'])
  })

  test('detects a file added to its last commit', async () => {
    const project = forge((text) => text)
    project.write({ 'src/more.js': 'export const more = 1\n' })
    project.git('add', '-A')
    project.git('commit', '-q', '--amend', '--no-edit')
    expect(await failures(project)).toEqual(['release_commit', 'evidence'])
  })

  test('detects rewritten history below it', async () => {
    const project = delivered.copy()
    project.git('checkout', '-q', '--detach', 'feat/nums/working~2')
    project.write({ 'src/more.js': 'export const more = 1\n' })
    project.git('add', '-A')
    project.git('commit', '-q', '--amend', '--no-edit')
    project.git('cherry-pick', 'feat/nums/working~1', 'feat/nums/working')
    project.git('branch', '-q', '-f', 'feat/nums/working', 'HEAD')
    expect(await failures(project)).toEqual(['history', 'evidence'])
  })

  test('exits with not found where there is none', async () => {
    const project = delivered.copy()
    project.git('branch', '-q', '-D', 'feat/nums/working')
    expect((await project.bosun('release', 'verify', 'nums')).exit).toBe(3)
    expect((await project.bosun('release', 'verify', '../x')).exit).toBe(2)
  })
})

test('a release is signed once, by the first signer, and never without a name', async () => {
  const unnamed = await delivered.bosun('release', 'sign', 'nums', '--by', ' ')
  expect(unnamed).toMatchObject({ exit: 2, stderr: expect.stringContaining('--by needs a name') })
  const first = await delivered.bosun('release', 'sign', 'nums', '--by', 'Ann Lee', '--json')
  expect(JSON.parse(first.stdout)).toMatchObject({ schema: 'bosun.release/v1', by: 'Ann Lee', changed: true })
  expect(documentProblems(JSON.parse(first.stdout), ['release sign'])).toEqual([])
  const shown = await delivered.bosun('release', 'show', 'nums', '--json')
  expect(documentProblems(JSON.parse(shown.stdout), ['release show'])).toEqual([])
  expect((await delivered.bosun('release', 'sign', 'nums')).stdout).toContain(
    'nums is already signed off by Ann Lee',
  )
  expect((await delivered.bosun('inbox', '--json')).stdout).toContain('"inbox": []')
  expect((await delivered.bosun('release', 'sign', 'nothing')).exit).toBe(3)
})
