/** What plans left on disk goes when they have been over for long, and nothing that is only there. */
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Project } from './project.ts'

let project: Project
beforeAll(async () => {
  project = Project.create()
  expect(await project.bosun('run', 'plan.yaml', '--no-input')).toMatchObject({ exit: 0 })
})
afterAll(() => project.dispose())

interface Cleaned {
  readonly repositories: readonly {
    readonly plans: readonly string[]
    readonly forgotten: readonly string[]
    readonly kept: readonly string[]
    readonly caches: boolean
  }[]
}

async function cleaned(): Promise<Cleaned['repositories'][number]> {
  const { exit, stdout } = await project.bosun('clean', '--older-than', '0s', '--json')
  expect(exit).toBe(0)
  const [only] = (JSON.parse(stdout) as Cleaned).repositories
  if (only === undefined) throw new Error('no repository was cleaned')
  return only
}

test('cleaning waits for the plan to be over, spares what is only there, and frees the rest', async () => {
  // The daemon is at work: cleaning is done alone.
  expect((await project.bosun('clean')).exit).toBe(4)
  await project.bosun('stop')
  expect(await cleaned()).toMatchObject({ plans: [], forgotten: [], caches: false })

  await project.bosun('release', 'sign', 'nums')
  await project.bosun('stop')
  const [folder = ''] = readdirSync(join(project.root, 'repos'))
  const state = join(project.root, 'repos', folder)
  const quarantine = (...args: string[]): string =>
    execFileSync('git', [`--git-dir=${join(state, 'quarantine.git')}`, ...args], {
      encoding: 'utf8',
      input: 'only here\n',
    }).trim()
  const blob = quarantine('hash-object', '-w', '--stdin')
  const tree = execFileSync('git', [`--git-dir=${join(state, 'quarantine.git')}`, 'mktree'], {
    encoding: 'utf8',
    input: `100644 blob ${blob}\tdraft.txt\n`,
  }).trim()
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org']
  const commit = quarantine(...identity, 'commit-tree', tree, '-p', 'refs/salvage/w-nums-1-1')
  quarantine('update-ref', 'refs/salvage/w-nums-1-1', commit)

  const done = await cleaned()
  expect(done).toMatchObject({ plans: ['nums'], kept: ['refs/salvage/w-nums-1-1'], caches: true })
  expect(done.forgotten).toContain('refs/salvage/w-nums-2-1')
  expect(quarantine('show', 'refs/salvage/w-nums-1-1:draft.txt')).toBe('only here')
  expect(readdirSync(join(state, 'clones'))).toEqual([])
  expect(readdirSync(join(state, 'checkouts'))).toEqual([])
  expect((await project.bosun('release', 'verify', 'nums')).exit).toBe(0)
  expect((await project.bosun('worker', 'show', 'w-nums-1-1')).exit).toBe(0)
})
