import { appendFileSync, mkdirSync, writeFileSync, symlinkSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RepositoryWatch } from '../../src/composition/repository-watch.ts'
import { RepositoryLook, changesBetween } from '../../src/workspaces/survey/repository-state.ts'
import { publish, workingBranch } from '../../src/workspaces/landing/publish.ts'
import { commitTree } from '../../src/workspaces/git/trees.ts'
import { tempFolder } from '../helpers/temp-folder.ts'
import { NOW, openLab, sh, userRepository, type Lab } from './lab.ts'

const names = async (lab: Lab, act: () => void): Promise<readonly string[]> => {
  const look = new RepositoryLook(lab.git, lab.user)
  const before = await look.state()
  act()
  return changesBetween(before, await look.state()).map(({ name }) => name)
}

const watchOf = (lab: Lab): RepositoryWatch =>
  new RepositoryWatch({
    look: new RepositoryLook(lab.git, lab.user),
    quarantine: lab.quarantine,
    folder: tempFolder(),
    onError: (what, error) => {
      throw new Error(what, { cause: error })
    },
  })

test('refs, hooks, settings, the index and work trees that change are named', async () => {
  const root = userRepository()
  const lab = await openLab(root)
  const git = (name: string): string => join(root, '.git', name)
  const changes: readonly (readonly [act: () => void, names: readonly string[]])[] = [
    [() => sh(root, 'commit', '-q', '--allow-empty', '-m', 'More'), ['refs/heads/main']],
    [() => sh(root, 'branch', 'side'), ['refs/heads/side']],
    [() => sh(root, 'pack-refs', '--all'), []],
    [() => sh(root, 'branch', '-D', 'side'), ['refs/heads/side']],
    [() => writeFileSync(git('hooks/pre-commit'), '#!/bin/sh\n'), ['.git/hooks/pre-commit']],
    [() => symlinkSync('/bin/true', git('hooks/post-commit')), ['.git/hooks/post-commit']],
    [() => execFileSync('chmod', ['755', git('hooks/pre-commit')]), ['.git/hooks/pre-commit']],
    [() => execFileSync('mkfifo', [git('hooks/pre-push')]), ['.git/hooks/pre-push']],
    [() => sh(root, 'config', 'core.fsmonitor', '/tmp/spy'), ['.git/config']],
    [() => sh(root, 'config', '--unset', 'core.fsmonitor'), ['.git/config']],
    [() => writeFileSync(git('info/attributes'), '* filter=spy\n'), ['.git/info/attributes']],
    [() => writeFileSync(join(root, 'README.md'), 'changed\n'), []],
    [() => sh(root, 'add', 'README.md'), ['.git/index']],
    [() => sh(root, 'symbolic-ref', 'HEAD', 'refs/heads/other'), ['.git/HEAD']],
  ]
  for (const [act, expected] of changes) expect(await names(lab, act), String(act)).toEqual(expected)
  const added = await names(lab, () => sh(root, 'worktree', 'add', '-q', '--detach', '../second', 'main'))
  expect(added).toContain('.git/worktrees/second/gitdir')
})

test.each(['2', '4'])('a status that refreshes an index of version %s changes nothing', async (version) => {
  const root = userRepository()
  sh(root, 'update-index', '--index-version', version)
  const lab = await openLab(root)
  const touched = await names(lab, () => {
    execFileSync('touch', ['-d', '2020-01-01', join(root, 'README.md'), join(root, 'src/a.js')])
    sh(root, 'update-index', '--refresh')
  })
  expect(touched).toEqual([])
  expect(await names(lab, () => sh(root, 'rm', '-q', '--cached', 'src/a.js'))).toEqual(['.git/index'])
  const skipped = await names(lab, () => sh(root, 'update-index', '--skip-worktree', 'src/deep/b.js'))
  expect(skipped).toEqual(['.git/index'])
})

test('what Bosun published while a worker ran is left out, and a ref of that name that others moved is not', async () => {
  const root = userRepository()
  const lab = await openLab(root)
  const { git, quarantine, user } = lab
  const watch = watchOf(lab)
  await quarantine.fetch(user, user.base.commit)
  const sha = await commitTree(quarantine, {
    tree: user.base.tree,
    parents: [user.base.commit],
    message: 'Work\n',
    author: { name: 'Ada', email: 'ada@example.org' },
    atMs: NOW,
  })
  await watch.before('w-shop-1-1')
  await quarantine.setRef('refs/plans/shop/tip', sha, null)
  const updates = [{ ref: workingBranch('shop'), to: sha, from: null }]
  expect(await publish({ git, user, quarantine, updates, reason: 'plan shop' })).toEqual({ ok: true })
  expect(await watch.changedSince('w-shop-1-1')).toEqual([])

  await watch.before('w-shop-2-1')
  sh(root, 'update-ref', workingBranch('shop'), user.base.commit)
  expect(await watch.changedSince('w-shop-2-1')).toEqual([
    { name: workingBranch('shop'), from: sha, to: user.base.commit },
  ])
})

test('a change that workers side by side see is told with the first of them that ends, and again after a crash', async () => {
  const root = userRepository()
  const lab = await openLab(root)
  const watch = watchOf(lab)
  await watch.before('w-shop-1-1')
  await watch.before('w-shop-2-1')
  mkdirSync(join(root, '.git/hooks'), { recursive: true })
  appendFileSync(join(root, '.git/hooks/post-merge'), '#!/bin/sh\n')
  const told = [{ name: '.git/hooks/post-merge', from: null, to: expect.any(String) as string }]
  // A second call before it ran is that of a daemon that was killed and starts the worker again.
  await watch.before('w-shop-2-1')
  expect(await watch.changedSince('w-shop-2-1')).toEqual(told)
  expect(await watch.changedSince('w-shop-2-1')).toEqual(told)
  expect(await watch.changedSince('w-shop-1-1')).toEqual([])
  watch.forget('w-shop-2-1')
  expect(await watch.changedSince('w-shop-2-1')).toEqual([])
})
