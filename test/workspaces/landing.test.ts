import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commitOnce, mergeTrees, rebaseTree, withFiles } from '../../src/workspaces/landing/commits.ts'
import { forecastMerge } from '../../src/workspaces/survey/base-forecast.ts'
import {
  checkpointTag,
  heldBranch,
  publish,
  workingBranch,
  type RefUpdate,
} from '../../src/workspaces/landing/publish.ts'
import { clean } from '../../src/workspaces/saved-work/retention.ts'
import { readTreeFile } from '../../src/workspaces/git/tree-diff.ts'
import { changeBetween } from '../../src/workspaces/survey/tree-change.ts'
import { tempFolder } from '../helpers/temp-folder.ts'
import { NOW, openLab, sh, takeSnapshot, userRepository, write, type Lab } from './lab.ts'

const ADA = { name: 'Ada', email: 'ada@example.org' }
const WORKING = workingBranch('shop')
const HOUR = 3_600_000

/** A commit with some files changed, on a parent. */
async function commit(lab: Lab, parent: string, files: Readonly<Record<string, string>>): Promise<string> {
  const list = Object.entries(files).map(([path, content]) => ({ path, content }))
  const tree = await withFiles(lab.quarantine, await lab.quarantine.treeOf(parent), list)
  const key = { plan: 'shop', task: `task-${Object.keys(files).join('-').replaceAll('/', '-')}`, attempt: 1 }
  return commitOnce(lab.quarantine, key, {
    tree,
    parents: [parent],
    message: 'Work\n\nRefs: task-1\n',
    author: ADA,
    atMs: NOW,
  })
}

const put = (lab: Lab, ...updates: RefUpdate[]) =>
  publish({ git: lab.git, user: lab.user, quarantine: lab.quarantine, updates, reason: 'task-1' })

test('a commit is made once for an attempt, by the user and Bosun, at the time given', async () => {
  const lab = await openLab(userRepository())
  const base = lab.user.base
  const key = { plan: 'shop', task: 'task-1', attempt: 1 }
  const made = { tree: base.tree, parents: [base.commit], message: 'First\n', author: ADA, atMs: NOW }
  const sha = await commitOnce(lab.quarantine, key, made)
  expect(await commitOnce(lab.quarantine, key, { ...made, message: 'Other\n', atMs: NOW + HOUR })).toBe(sha)
  const [other, same] = await Promise.all([
    commitOnce(lab.quarantine, { ...key, attempt: 2 }, { ...made, message: 'A\n' }),
    commitOnce(lab.quarantine, { ...key, attempt: 2 }, { ...made, message: 'B\n' }),
  ])
  expect(other).toBe(same)
  expect(lab.look('log', '-1', '--format=%an <%ae> %at %cn %ct %s', sha)).toBe(
    `Ada <ada@example.org> ${NOW / 1000} Bosun ${NOW / 1000} First`,
  )
})

test('work on a branch that moved is merged, and what does not fit is named', async () => {
  const lab = await openLab(userRepository())
  const base = lab.user.base.commit
  const moved = await commit(lab, base, { 'src/a.js': 'theirs\n' })
  const fits = await withFiles(lab.quarantine, lab.user.base.tree, [
    { path: 'docs/notes.md', content: 'ours\n' },
  ])
  const clash = await withFiles(lab.quarantine, lab.user.base.tree, [{ path: 'src/a.js', content: 'ours\n' }])
  const merged = await rebaseTree(lab.quarantine, { tree: fits, base, onto: moved })
  expect(merged.ok && lab.look('show', `${merged.tree}:src/a.js`)).toBe('theirs')
  expect(merged.ok && lab.look('show', `${merged.tree}:docs/notes.md`)).toBe('ours')
  expect(await rebaseTree(lab.quarantine, { tree: clash, base, onto: moved })).toEqual({
    ok: false,
    why: 'conflict',
    paths: ['src/a.js'],
  })
  expect(await rebaseTree(lab.quarantine, { tree: clash, base, onto: base })).toEqual({
    ok: true,
    tree: clash,
  })
  const orphan = lab.look('commit-tree', lab.user.base.tree, '-m', 'orphan')
  expect(await mergeTrees(lab.quarantine, base, orphan)).toEqual({ ok: false, why: 'unrelated' })
})

test('work is published as new refs and by fast-forward, and nothing else of the user changes', async () => {
  const lab = await openLab(userRepository())
  sh(lab.user.root, 'tag', 'v1')
  write(lab.user.root, { 'src/a.js': 'the user is editing\n', 'staged.txt': 'staged' })
  sh(lab.user.root, 'add', 'staged.txt')
  const before = {
    refs: sh(lab.user.root, 'for-each-ref'),
    status: sh(lab.user.root, 'status', '--porcelain', '--branch'),
  }
  const one = await commit(lab, lab.user.base.commit, { 'src/one.js': '1\n' })
  const two = await commit(lab, one, { 'src/two.js': '2\n' })
  expect(await put(lab, { ref: WORKING, to: one, from: null })).toEqual({ ok: true })
  expect(await put(lab, { ref: WORKING, to: one, from: null })).toEqual({ ok: true })
  const held = heldBranch('shop', 'task-7', 'login')
  const tag = checkpointTag('shop', 'task-2')
  expect(
    await put(
      lab,
      { ref: WORKING, to: two, from: one },
      { ref: held, to: two, from: null },
      { ref: tag, to: two, from: null },
    ),
  ).toEqual({ ok: true })
  const mine = (line: string) => !/refs\/(heads\/feat|tags\/pm)\//.test(line)
  expect(sh(lab.user.root, 'for-each-ref').split('\n').filter(mine).join('\n')).toBe(before.refs)
  expect(
    sh(lab.user.root, 'for-each-ref', '--format=%(refname)', 'refs/heads/feat', 'refs/tags/pm').split('\n'),
  ).toEqual([
    'refs/heads/feat/shop/task-7-login',
    'refs/heads/feat/shop/working',
    'refs/tags/pm/shop/checkpoint-task-2',
  ])
  expect(sh(lab.user.root, 'status', '--porcelain', '--branch')).toBe(before.status)
  expect(sh(lab.user.root, 'reflog', 'show', WORKING)).toContain('bosun: task-1')
  expect(sh(lab.user.root, 'fsck', '--strict', '--no-dangling')).toBe('')
})

test("the user's hooks do not run, and cannot stop it", async () => {
  const root = userRepository()
  for (const hook of ['reference-transaction', 'pre-receive', 'update']) {
    writeFileSync(join(root, '.git/hooks', hook), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  }
  const lab = await openLab(root)
  const one = await commit(lab, lab.user.base.commit, { 'src/one.js': '1\n' })
  expect(await put(lab, { ref: WORKING, to: one, from: null })).toEqual({ ok: true })
})

test('a branch that the user changed meanwhile is reported, and nothing is forced', async () => {
  const lab = await openLab(userRepository())
  const root = lab.user.root
  const one = await commit(lab, lab.user.base.commit, { 'src/one.js': '1\n' })
  const two = await commit(lab, one, { 'src/two.js': '2\n' })
  await put(lab, { ref: WORKING, to: one, from: null })
  const forward = { ref: WORKING, to: two, from: one }

  const copy = join(tempFolder(), 'copy')
  sh(root, 'worktree', 'add', '-q', copy, 'feat/shop/working')
  expect(await put(lab, forward)).toEqual({ ok: false, why: 'checked_out', ref: WORKING, where: copy })
  sh(root, 'worktree', 'remove', copy)

  sh(root, 'branch', '-f', 'feat/shop/working', 'main')
  expect(await put(lab, forward)).toEqual({
    ok: false,
    why: 'moved',
    ref: WORKING,
    found: lab.user.base.commit,
  })
  sh(root, 'branch', '-D', 'feat/shop/working')
  expect(await put(lab, forward)).toEqual({ ok: false, why: 'deleted', ref: WORKING })
  expect(await put(lab, { ...forward, from: null })).toEqual({ ok: true })

  const back = { ref: WORKING, to: one, from: two }
  expect(await put(lab, back)).toEqual({ ok: false, why: 'not_fast_forward', ref: WORKING })
  writeFileSync(join(root, '.git/refs/heads/feat/shop/working.lock'), '')
  const three = await commit(lab, two, { 'src/three.js': '3\n' })
  expect(await put(lab, { ref: WORKING, to: three, from: two })).toMatchObject({ ok: false, why: 'busy' })
  expect(sh(root, 'rev-parse', WORKING)).toBe(two)
})

test('a branch of the user whose name leaves no room is named', async () => {
  const lab = await openLab(userRepository())
  const one = await commit(lab, lab.user.base.commit, { 'src/one.js': '1\n' })
  for (const name of ['feat', 'feat/shop', 'feat/shop/working/mine']) {
    sh(lab.user.root, 'branch', name)
    expect(await put(lab, { ref: WORKING, to: one, from: null })).toEqual({
      ok: false,
      why: 'in_the_way',
      ref: `refs/heads/${name}`,
    })
    sh(lab.user.root, 'branch', '-D', name)
  }
  sh(lab.user.root, 'branch', 'feat/shop/working')
  expect(await put(lab, { ref: WORKING, to: one, from: null })).toMatchObject({
    why: 'moved',
    found: lab.user.base.commit,
  })
})

test('a forecast says how far the two are apart and what would clash', async () => {
  const lab = await openLab(userRepository())
  const root = lab.user.root
  const working = await commit(lab, lab.user.base.commit, { 'src/a.js': 'ours\n' })
  const ask = async () => {
    const args = ['rev-parse', '--verify', '--quiet', 'refs/heads/main^{commit}']
    return forecastMerge(lab, await lab.git.lineOrNull({ args, at: lab.user.place }), working)
  }
  expect(await ask()).toEqual({ kind: 'clean', behind: 0, conflicts: [] })
  write(root, { 'README.md': '# More\n' })
  sh(root, 'commit', '-q', '-am', 'Elsewhere')
  expect(await ask()).toEqual({ kind: 'clean', behind: 1, conflicts: [] })
  write(root, { 'src/a.js': 'theirs\n' })
  sh(root, 'commit', '-q', '-am', 'Same place')
  expect(await ask()).toEqual({ kind: 'conflicts', behind: 2, conflicts: ['src/a.js'] })
  sh(root, 'checkout', '-q', '--orphan', 'other')
  sh(root, 'commit', '-q', '-m', 'Another start')
  sh(root, 'branch', '-M', 'other', 'main')
  expect(await ask()).toMatchObject({ kind: 'unrelated' })
  sh(root, 'branch', '-M', 'main', 'trunk')
  expect(await ask()).toMatchObject({ kind: 'base_gone' })
})

test('a difference names files, what became of them, and the lines', async () => {
  const many = Array.from({ length: 20 }, (_, at) => `line ${at === 17 ? 'ä' : ''}${at + 1}\n`)
  const lab = await openLab(
    userRepository({
      files: {
        'many.txt': many.join(''),
        'gone.txt': 'x\n',
        bin: Buffer.from([0, 1, 2]),
        'was.txt': 'file\n',
        'mode.sh': 'x\n',
      },
    }),
  )
  const clone = await lab.clone()
  const next = [...many]
  next[2] = 'changed\n'
  next.splice(17, 1)
  next.splice(10, 0, 'new a\n', 'new b\n')
  write(clone.path, {
    'many.txt': next.join(''),
    'é "new".txt': 'a\n@@ -1 +1 @@\ndiff --git a b\n',
    bin: Buffer.from([0, 9]),
  })
  sh(clone.path, 'rm', '-q', 'gone.txt', 'was.txt')
  const { symlinkSync, chmodSync } = await import('node:fs')
  symlinkSync('many.txt', join(clone.path, 'was.txt'))
  chmodSync(join(clone.path, 'mode.sh'), 0o755)
  const taken = await takeSnapshot(clone, { atMs: NOW })
  const tree = taken.ok ? taken.tree : ''
  const odd = ['a', '@@ -1 +1 @@', 'diff --git a b']
  const { files } = await changeBetween(lab.quarantine, lab.user.base.tree, tree)
  expect(files).toMatchObject([
    { path: 'bin', kind: 'modified', added: [], removed: [], lines: null, isBinary: true },
    { path: 'gone.txt', kind: 'deleted', added: [], removed: [{ line: 1, text: 'x', at: 1 }], lines: null },
    {
      path: 'many.txt',
      kind: 'modified',
      added: [
        { line: 3, text: 'changed' },
        { line: 11, text: 'new a' },
        { line: 12, text: 'new b' },
      ],
      removed: [
        { line: 3, text: 'line 3', at: 3 },
        { line: 18, text: 'line ä18', at: 20 },
      ],
      isBinary: false,
    },
    { path: 'mode.sh', kind: 'modified', added: [], removed: [], lines: ['x'], isBinary: false },
    // It is a link now.
    { path: 'was.txt', kind: 'modified', added: [], removed: [], lines: null, isBinary: true },
    {
      path: 'é "new".txt',
      kind: 'added',
      added: odd.map((text, at) => ({ line: at + 1, text })),
      removed: [],
      lines: odd,
      isBinary: false,
    },
  ])
  const read = (path: string, maxBytes = 1_000) => readTreeFile(lab.quarantine, { tree, path, maxBytes })
  expect(await read('many.txt', 10)).toEqual({ kind: 'too_large', bytes: next.join('').length })
  expect(await read('mode.sh')).toEqual({ kind: 'file', content: Buffer.from('x\n'), executable: true })
  expect(await read('was.txt')).toEqual({ kind: 'link', target: 'many.txt' })
  expect(await read('gone.txt')).toEqual({ kind: 'absent' })
  expect(await read('*.txt')).toEqual({ kind: 'absent' })
})

test('cleaning gives back what finished plans left, and never forgets what nothing else holds', async () => {
  const lab = await openLab(userRepository())
  const clone = await lab.clone('w-done-1-1')
  write(clone.path, { 'src/a.js': 'unsaved so far\n' })
  const live = await lab.clone('w-live-1-1')
  write(live.path, { 'src/a.js': 'at work\n' })
  const job = {
    quarantine: lab.quarantine,
    clones: lab.clones,
    checkouts: lab.checkouts,
    finishedWorkers: new Set(['w-done-1-1']),
    keepSavedMs: HOUR,
    keepSlots: 0,
  }
  expect(await clean({ ...job, nowMs: NOW })).toEqual({
    released: ['w-done-1-1'],
    folders: 1,
    forgotten: [],
    kept: [],
  })
  expect(lab.look('show', 'refs/salvage/w-done-1-1:src/a.js')).toBe('unsaved so far')
  expect(await lab.clones.workers()).toEqual(['w-live-1-1'])
  const later = { ...job, nowMs: NOW + 2 * HOUR }
  const ref = 'refs/salvage/w-done-1-1'
  expect(await clean(later)).toEqual({ released: [], folders: 0, forgotten: [], kept: [ref] })
  // Once the same bytes have landed, nothing is lost with it.
  await lab.quarantine.setRef('refs/plans/done/tip', lab.look('rev-parse', ref), null)
  expect(await clean(later)).toEqual({ released: [], folders: 0, forgotten: [ref], kept: [] })
  expect(await takeSnapshot(live, { atMs: NOW })).toMatchObject({ ok: true, changed: ['src/a.js'] })
  // Larger than what is saved: its folder is all there is of it.
  execFileSync('truncate', ['-s', '3G', join(live.path, 'huge.img')])
  const allOver = { ...later, finishedWorkers: new Set(['w-live-1-1']) }
  const { kept } = await clean(allOver)
  expect(kept).toEqual([join(lab.state, 'clones/kept-w-live-1-1'), 'refs/salvage/w-live-1-1'])
  expect((await clean(allOver)).kept).toEqual(kept)
  expect(existsSync(join(kept[0] ?? '', 'huge.img'))).toBe(true)
})
