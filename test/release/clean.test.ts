/** What plans left on disk goes when they have been over for long, and nothing that is only there. */
import { execFileSync } from 'node:child_process'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { Project } from './project.ts'

interface Cleaned {
  readonly repositories: readonly {
    readonly plans: readonly string[]
    readonly forgotten: readonly string[]
    readonly kept: readonly string[]
    readonly caches: boolean
  }[]
}

async function cleaned(project: Project): Promise<Cleaned['repositories'][number]> {
  const { exit, stdout } = await project.bosun('clean', '--older-than', '0s', '--json')
  expect(exit).toBe(0)
  const [only] = (JSON.parse(stdout) as Cleaned).repositories
  if (only === undefined) throw new Error('no repository was cleaned')
  return only
}

async function prove(project: Project, isBeside: boolean): Promise<void> {
  expect(await project.bosun('run', 'plan.yaml', '--no-input')).toMatchObject({ exit: 0 })
  const alone = async (): Promise<void> => {
    if (!isBeside) await project.bosun('stop')
  }
  const daemon = (): string => readFileSync(join(project.root, 'daemon.json'), 'utf8')
  const before = daemon()
  await alone()
  expect(await cleaned(project)).toMatchObject({ plans: [], forgotten: [], caches: false })

  await project.bosun('release', 'sign', 'nums')
  await alone()
  const [folder = ''] = readdirSync(join(project.root, 'repos'))
  const state = join(project.root, 'repos', folder)
  const git = (args: readonly string[], input?: string): string =>
    execFileSync('git', [`--git-dir=${join(state, 'quarantine.git')}`, ...args], {
      encoding: 'utf8',
      // Given to those that read it: the others may have ended before it is written.
      ...(input === undefined ? {} : { input }),
    }).trim()
  const quarantine = (...args: string[]): string => git(args)
  const blob = git(['hash-object', '-w', '--stdin'], 'only here\n')
  const tree = git(['mktree'], `100644 blob ${blob}\tdraft.txt\n`)
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org']
  const commit = quarantine(...identity, 'commit-tree', tree, '-p', 'refs/salvage/w-nums-1-1')
  quarantine('update-ref', 'refs/salvage/w-nums-1-1', commit)

  const done = await cleaned(project)
  expect(done).toMatchObject({ plans: ['nums'], kept: ['refs/salvage/w-nums-1-1'], caches: true })
  expect(done.forgotten).toContain('refs/salvage/w-nums-2-1')
  expect(quarantine('show', 'refs/salvage/w-nums-1-1:draft.txt')).toBe('only here')
  expect(readdirSync(join(state, 'clones'))).toEqual([])
  expect(readdirSync(join(state, 'checkouts'))).toEqual([])
  expect((await project.bosun('release', 'verify', 'nums')).exit).toBe(0)
  const shown = async (worker: string): Promise<string> =>
    (await project.bosun('worker', 'show', worker)).stdout
  const saved = `saved: refs/salvage/w-nums-1-1 in ${join(state, 'quarantine.git')}\n`
  expect(await shown('w-nums-1-1')).toContain(saved)
  expect(await shown('w-nums-2-1')).not.toContain('saved:')
  if (isBeside) expect(daemon()).toBe(before)

  // Freed folders are created again when needed.
  const next = readFileSync(join(project.repo, 'plan.yaml'), 'utf8').replace('plan: nums', 'plan: more')
  project.write({
    'more.yaml': next.replaceAll('"1"', '"3"').replaceAll('v1', 'v3').replaceAll('is 1', 'is 3'),
  })
  const run = await project.bosun('run', 'more.yaml', '--no-input')
  expect(run, run.stderr).toMatchObject({ exit: 0 })
}

test.each([
  ['beside the daemon', true],
  ['alone', false],
])(
  'cleaning %s waits for the plan to be over, spares what is only there, and frees the rest',
  async (_, isBeside) => {
    const project = Project.create()
    try {
      await prove(project, isBeside)
    } finally {
      project.dispose()
    }
  },
)

test('bosun clean keeps the folder of a running worker, and frees it once the plan is cancelled and its work saved', async () => {
  const project = Project.create()
  try {
    project.write({
      'tools/agent.mjs':
        "import fs from 'node:fs'\nfs.writeFileSync('mine', '1')\nsetInterval(() => {}, 1e6)\n",
    })
    project.git('commit', '-qam', 'An agent that never ends')
    const run = project.spawn(['run', 'plan.yaml', '--no-input'])
    const mine = (): string[] => globSync('repos/*/clones/*/mine', { cwd: project.root })
    await vi.waitUntil(() => mine().length > 0, { timeout: 60_000, interval: 50 })
    expect(await cleaned(project)).toMatchObject({ plans: [], released: [], forgotten: [], caches: false })
    expect(mine()).not.toEqual([])
    const { stdout } = await project.bosun('status', '--json')
    expect((JSON.parse(stdout) as { readonly workers: readonly unknown[] }).workers).not.toEqual([])
    run.kill('SIGTERM')
    expect((await project.bosun('cancel', 'nums')).exit).toBe(0)
    const kept = await vi.waitUntil(
      async () => {
        const { plans, kept } = await cleaned(project)
        return plans.includes('nums') && kept
      },
      { timeout: 60_000 },
    )
    expect(kept).toContain('refs/salvage/w-nums-1-1')
    expect(globSync('repos/*/{clones,checkouts}/*', { cwd: project.root })).toEqual([])
  } finally {
    project.dispose()
  }
})
