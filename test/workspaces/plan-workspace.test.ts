import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/lib/system/system-clock.ts'
import { PlanTrees } from '../../src/workspaces/plan-trees.ts'
import type { ApprovedSpec } from '../../src/workspaces/landing/landing.ts'
import { PlanWorkspace } from '../../src/workspaces/plan-workspace.ts'
import type { Collected, Committed } from '../../src/ports/workspace.ts'
import { sourceParser } from '../helpers/child-parser.ts'
import { aTask } from '../helpers/plan-builder.ts'
import { aCollection, aCommit, aJob } from '../helpers/requests.ts'
import { FILES, provisioningIn, openLab, sh, userRepository, write, type Lab } from './lab.ts'

/** Shared, since each would be a process of its own. */
const parser = sourceParser()

const WORKING = 'refs/heads/feat/shop/working'

const workspaceIn = (lab: Lab, approvedSpec: ApprovedSpec | null = null): PlanWorkspace =>
  new PlanWorkspace({
    approvedSpec: () => approvedSpec,
    ...lab,
    provisioning: provisioningIn(lab),
    clock: systemClock,
    parser,
    plan: 'shop',
    reviewFolder: 'docs/reviews',
    releaseFolder: 'docs/releases',
  })

async function work(
  workspace: PlanWorkspace,
  task: string,
  files: Readonly<Record<string, string>> = { [`src/${task}.ts`]: `${task}\n` },
): Promise<Collected> {
  const worker = `w-shop-${task}-1`
  const given = { ports: [], signal: new AbortController().signal }
  write((await workspace.prepare(aJob(worker, { spec: aTask(task) }), given)).path, files)
  return workspace.collect(aCollection(worker))
}

async function land(workspace: PlanWorkspace, task: string): Promise<Committed> {
  const { tree } = await workspace.collect(aCollection(`w-shop-${task}-1`))
  return workspace.commit(aCommit(task, tree))
}

/** As if Bosun were killed, or the disk full, between moving the user's branch and noting it: git cannot write the note. */
async function landWithoutNoting(lab: Lab, workspace: PlanWorkspace, task: string): Promise<void> {
  const before = sh(lab.user.root, 'for-each-ref', WORKING)
  await landCutShortAt(lab, workspace, { task, ref: 'published' })
  expect(sh(lab.user.root, 'for-each-ref', WORKING)).not.toBe(before)
}

async function landCutShortAt(
  lab: Lab,
  workspace: PlanWorkspace,
  { task, ref }: { readonly task: string; readonly ref: 'tip' | 'published' },
): Promise<void> {
  const lock = join(lab.quarantine.place.gitDir, `refs/plans/shop/${ref}.lock`)
  mkdirSync(dirname(lock), { recursive: true })
  writeFileSync(lock, '')
  await expect(land(workspace, task)).rejects.toThrow()
  rmSync(lock)
}

const SPEC: ApprovedSpec = { path: 'docs/specs/shop.md', content: '# Feature: Shop\n', title: 'Shop' }

test('the approved spec is the first commit of the branch, and what work is proven on', async () => {
  const lab = await openLab(userRepository())
  const start = sh(lab.user.root, 'rev-parse', 'HEAD').trim()
  const workspace = workspaceIn(lab, SPEC)
  await work(workspace, '1')
  const collected = await workspace.collect(aCollection('w-shop-1-1'))
  expect(collected.changed).toEqual(['src/1.ts'])
  // Another daemon goes on.
  expect(await land(workspaceIn(lab, SPEC), '1')).toMatchObject({ ok: true })
  const shas = sh(lab.user.root, 'rev-list', '--reverse', `${start}..${WORKING}`).trim().split('\n')
  expect(shas).toHaveLength(2)
  const [first = ''] = shas
  expect(sh(lab.user.root, 'log', '-1', '--format=%P %B', first).trim()).toBe(`${start} docs(spec): Shop`)
  expect(sh(lab.user.root, 'diff-tree', '-r', '--no-commit-id', '--name-only', first).trim()).toBe(SPEC.path)
  expect(sh(lab.quarantine.place.gitDir, 'ls-tree', '-r', '--name-only', collected.tree)).toContain(SPEC.path)
  expect(await workspaceIn(lab, SPEC).start()).toBe(start)
})

test('a spec that was changed is committed again on what has landed, once', async () => {
  const lab = await openLab(userRepository())
  const start = sh(lab.user.root, 'rev-parse', 'HEAD').trim()
  const before = workspaceIn(lab, SPEC)
  for (const task of ['1', '2']) {
    await work(before, task)
    await before.collect(aCollection(`w-shop-${task}-1`))
  }
  expect(await land(before, '1')).toMatchObject({ ok: true })

  const changed: ApprovedSpec = { ...SPEC, content: '# Feature: Shop\n\nWith vouchers.\n' }
  const after = workspaceIn(lab, changed)
  expect(await land(after, '2')).toMatchObject({ ok: true })
  // Another daemon goes on: the spec is committed once.
  await work(workspaceIn(lab, changed), '3')
  expect(await land(workspaceIn(lab, changed), '3')).toMatchObject({ ok: true })
  const subjects = sh(lab.user.root, 'log', '--reverse', '--format=%s', `${start}..${WORKING}`)
  expect(subjects.trim().split('\n')).toEqual([
    'docs(spec): Shop',
    expect.stringContaining('1'),
    'docs(spec): Shop',
    expect.stringContaining('2'),
    expect.stringContaining('3'),
  ])
  expect(sh(lab.user.root, 'show', `${WORKING}:${SPEC.path}`)).toBe(changed.content.trimEnd())
})

test('a spec that the repository holds as it was approved is not committed again', async () => {
  const lab = await openLab(userRepository({ files: { ...FILES, [SPEC.path]: SPEC.content } }))
  const workspace = workspaceIn(lab, SPEC)
  expect(await workspace.base()).toBe(sh(lab.user.root, 'rev-parse', 'HEAD').trim())
})

for (const landed of [0, 1])
  test(`a branch that Bosun moved without noting it, ${landed} landings before, is known for its own by the next`, async () => {
    const lab = await openLab(userRepository())
    const workspace = workspaceIn(lab)
    for (const task of ['1', '2', '3']) await work(workspace, task)
    if (landed === 1) expect(await land(workspace, '1')).toMatchObject({ ok: true })
    await landWithoutNoting(lab, workspace, '2')
    const next = await land(workspaceIn(lab), '3')
    expect(next).toMatchObject({ ok: true })
    expect(await land(workspaceIn(lab), '2')).toMatchObject({ ok: true })
    expect(sh(lab.user.root, 'rev-parse', WORKING)).toBe(next.ok && next.sha)
    const files = sh(lab.user.root, 'ls-tree', '--name-only', WORKING, 'src/').split('\n')
    expect(files).toEqual(expect.arrayContaining(['src/2.ts', 'src/3.ts']))
  })

test('a branch that was moved to an older landing or the base outside Bosun is not its own', async () => {
  const lab = await openLab(userRepository())
  const workspace = workspaceIn(lab)
  for (const task of ['1', '2', '3']) await work(workspace, task)
  const first = await land(workspace, '1')
  await land(workspace, '2')
  for (const elsewhere of [first.ok ? first.sha : '', 'main']) {
    sh(lab.user.root, 'update-ref', WORKING, elsewhere)
    await expect(land(workspace, '3')).rejects.toThrow('was moved outside Bosun')
  }
})

test('the request to move a branch back names its commit', async () => {
  const lab = await openLab(userRepository())
  const workspace = workspaceIn(lab)
  for (const task of ['1', '2']) await work(workspace, task)
  const first = await land(workspace, '1')
  const { sha } = first as { readonly sha: string }
  sh(lab.user.root, 'update-ref', WORKING, 'main')
  await expect(land(workspace, '2')).rejects.toThrow(`move it back to ${sha}`)
  sh(lab.user.root, 'update-ref', '-d', WORKING)
  await expect(land(workspace, '2')).rejects.toThrow(`restore it: git branch feat/shop/working ${sha}`)
})

test('a branch of the name that the user made before anything landed is not taken for its own', async () => {
  const lab = await openLab(userRepository())
  const workspace = workspaceIn(lab)
  await work(workspace, '1')
  sh(lab.user.root, 'update-ref', WORKING, 'main')
  await expect(land(workspace, '1')).rejects.toThrow(/already exists at \w{12} and Bosun did not create it/)
})

test('a re-run critical task moves its tag and branch along, unless they were moved outside Bosun', async () => {
  const lab = await openLab(userRepository())
  const workspace = workspaceIn(lab)
  const refs = ['refs/tags/pm/shop/checkpoint-task-1', 'refs/heads/feat/shop/task-1-do-1']
  const landAgain = async (attempt: number): Promise<string> => {
    const worker = `w-shop-1-${attempt}`
    const given = { ports: [], signal: new AbortController().signal }
    const { path } = await workspace.prepare(aJob(worker, { spec: aTask('1') }), given)
    write(path, { 'migrations/1.sql': `${attempt}\n` })
    const { tree } = await workspace.collect(aCollection(worker))
    const plain = aCommit('1', tree, attempt)
    const draft = { ...plain.draft, changed: ['migrations/1.sql'] }
    const tag = 'pm/shop/checkpoint-task-1'
    const landed = await workspace.commit({ ...plain, draft, tier: 'critical', tag })
    return landed.ok ? landed.sha : ''
  }
  for (const attempt of [1, 2]) {
    const sha = await landAgain(attempt)
    for (const ref of refs) expect(sh(lab.user.root, 'rev-parse', ref)).toBe(sha)
  }
  sh(lab.user.root, 'tag', '-f', 'pm/shop/checkpoint-task-1', 'main')
  await expect(landAgain(3)).rejects.toThrow('checkpoint-task-1 already exists')
  expect(sh(lab.user.root, 'rev-parse', refs[0] ?? '')).toBe(sh(lab.user.root, 'rev-parse', 'main'))
})

test('a commit that was made and never landed gives way to what landed since, and is made anew on top of it', async () => {
  const lab = await openLab(userRepository())
  const workspace = workspaceIn(lab)
  for (const task of ['1', '2', '3']) await work(workspace, task)
  await land(workspace, '1')
  const { tree } = await workspace.collect(aCollection('w-shop-2-1'))
  await landCutShortAt(lab, workspace, { task: '2', ref: 'tip' })
  const third = await land(workspaceIn(lab), '3')
  expect(await workspaceIn(lab).commit(aCommit('2', tree))).toMatchObject({ ok: false, moved: true })
  expect(sh(lab.user.root, 'rev-parse', WORKING)).toBe(third.ok && third.sha)
  const second = await land(workspaceIn(lab), '2')
  expect(second).toMatchObject({ ok: true })
  expect(sh(lab.user.root, 'rev-parse', `${WORKING}~1`)).toBe(third.ok && third.sha)
  expect(await workspaceIn(lab).commit(aCommit('2', tree))).toEqual(second)
})

test('a change keeps its id on another base, unless other work changed one of its files', async () => {
  const text = (first: string, last: string): string =>
    [first, ...Array<string>(20).fill('between'), last, ''].join('\n')
  const lab = await openLab(userRepository({ files: { ...FILES, 'docs/long.md': text('first', 'last') } }))
  const workspace = workspaceIn(lab)
  const far = await work(workspace, '1')
  const near = await work(workspace, '2', { 'docs/long.md': text('mine', 'last') })
  await work(workspace, '3', { 'docs/long.md': text('first', 'theirs') })
  await land(workspace, '3')
  const farAgain = await workspace.collect(aCollection('w-shop-1-1'))
  expect(farAgain.tree).not.toBe(far.tree)
  expect([farAgain.patch, farAgain.changed]).toEqual([far.patch, ['src/1.ts']])
  const nearAgain = await workspace.collect(aCollection('w-shop-2-1'))
  expect(nearAgain.refused).toBeUndefined()
  expect(nearAgain.patch).not.toBe(near.patch)
})

const filesIn = (lab: Lab, tree: string): readonly string[] =>
  sh(lab.quarantine.place.gitDir, 'ls-tree', '-r', '--name-only', tree).split('\n')

test('a tree is proven without the review artifacts of the plan, and lands with all of them', async () => {
  const lab = await openLab(userRepository())
  const workspace = workspaceIn(lab)
  await work(workspace, '1')
  await land(workspace, '1')
  const second = await work(workspace, '2')
  expect(filesIn(lab, second.tree)).toContain('src/1.ts')
  expect(filesIn(lab, second.tree).filter((path) => path.startsWith('docs/reviews'))).toEqual([])
  expect(second.changed).toEqual(['src/2.ts'])
  const landed = await land(workspace, '2')
  const artifacts = ['docs/reviews/shop/task-1-review.md', 'docs/reviews/shop/task-2-review.md']
  expect(filesIn(lab, landed.ok ? landed.sha : '')).toEqual(expect.arrayContaining(artifacts))
  // Nothing of it is remembered that the commits do not say.
  expect(await workspaceIn(lab).provenTree()).toBe(second.tree)
})

test('work that was proven on top of work before it lands after that without another proof, and not without it', async () => {
  const lab = await openLab(userRepository())
  const workspace = workspaceIn(lab)
  const first = await work(workspace, '1')
  await work(workspace, '2')
  const onto = { tree: first.tree }
  const second = await workspace.collect({ ...aCollection('w-shop-2-1'), onto })
  expect(second.onto).toBe(first.tree)
  expect(filesIn(lab, second.tree)).toEqual(expect.arrayContaining(['src/1.ts', 'src/2.ts']))
  expect(second.changed).toEqual(['src/2.ts'])
  const early = await workspace.commit(aCommit('2', second.tree))
  expect(early).toMatchObject({ ok: false, moved: true })
  expect(await workspace.commit(aCommit('1', first.tree))).toMatchObject({ ok: true })
  expect(await workspace.commit(aCommit('2', second.tree))).toMatchObject({ ok: true })
})

test('a review artifact that a repository has from before is in what is proven as it was', async () => {
  const path = 'docs/reviews/shop/task-1-review.md'
  const lab = await openLab(userRepository({ files: { ...FILES, [path]: 'of another plan\n' } }))
  const workspace = workspaceIn(lab)
  await work(workspace, '1')
  await land(workspace, '1')
  const second = await work(workspace, '2')
  expect(sh(lab.quarantine.place.gitDir, 'cat-file', '-p', `${second.tree}:${path}`)).toBe('of another plan')
})

test('the artifact of a task that is done again takes the place of the one before', async () => {
  const lab = await openLab(userRepository())
  const workspace = workspaceIn(lab)
  const path = 'docs/reviews/shop/task-1-review.md'
  const landed = []
  for (const attempt of [1, 2]) {
    const worker = `w-shop-1-${attempt}`
    const given = { ports: [], signal: new AbortController().signal }
    write((await workspace.prepare(aJob(worker, { spec: aTask('1') }), given)).path, {
      'src/1.ts': `${attempt}\n`,
    })
    const { tree } = await workspace.collect(aCollection(worker))
    const done = await workspace.commit(aCommit('1', tree, attempt))
    landed.push(sh(lab.quarantine.place.gitDir, 'cat-file', '-p', `${done.ok ? done.sha : ''}:${path}`))
  }
  expect(landed.map((text) => /attempt (\d)/.exec(text)?.[1])).toEqual(['1', '2'])
})

test('the listed files are those that have landed, whatever they are called, without submodules', async () => {
  const root = userRepository({ files: { ...FILES, ':(top)x/é.js': '1\n' } })
  sh(root, 'update-index', '--add', '--cacheinfo', `160000,${sh(root, 'rev-parse', 'HEAD')},linked`)
  sh(root, 'commit', '-qm', 'Link')
  const lab = await openLab(root)
  const workspace = workspaceIn(lab)
  await work(workspace, '1')
  await land(workspace, '1')
  const trees = new PlanTrees({ ...lab, slots: lab.checkouts, workspace, plan: 'shop' })
  const found = await trees.landedFiles(null)
  expect(found.files).toEqual(expect.arrayContaining([':(top)x/é.js', 'src/1.ts', 'src/a.js', 'README.md']))
  expect(found.files).not.toContain('linked')
  await work(workspace, '2')
  await land(workspace, '2')
  const added = ['src/2.ts', 'docs/reviews/shop/task-2-review.md']
  const now = await trees.landedFiles(found)
  expect([now.files, now.changed]).toEqual([[...found.files, ...added].toSorted(), new Set(added)])
  expect((await trees.landedFiles(now)).changed.size).toBe(0)
})
