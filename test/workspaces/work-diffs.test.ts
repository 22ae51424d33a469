/** What people are shown of work: with real git, in real folders. */
import { readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { WorkDiffs } from '../../src/ports/checkouts.ts'
import { salvageRef } from '../../src/workspaces/saved-work/salvage.ts'
import { diffsIn, workDiffs } from '../../src/workspaces/work-diffs.ts'
import { collect, type Lab, NOW, openLab, userRepository, write } from './lab.ts'

const MOST = 4 * 1024 * 1024
const WORKER = 'w-shop-1-1'
let lab: Lab
let diffs: WorkDiffs

beforeAll(async () => {
  lab = await openLab(userRepository())
  diffs = workDiffs({ git: lab.git, place: lab.quarantine.place, clones: lab.clones })
})

test('what a running worker has written so far is shown, and neither its index nor anything saved changes', async () => {
  const { path } = await lab.clone(WORKER)
  write(path, { 'src/a.js': 'export const a = 3\n', 'src/new é.js': 'new\n', 'out.log': 'ignored\n' })
  renameSync(join(path, 'src/deep/b.js'), join(path, 'src/b.js'))
  rmSync(join(path, 'docs/notes.md'))
  const before = readFileSync(join(path, '.git/index'))
  const diff = await diffs.ofWorker({ worker: WORKER, base: 'commit' }, MOST)
  expect(diff?.files).toEqual([
    { path: 'docs/notes.md', from: null, change: 'deleted', added: 0, removed: 1, isBinary: false },
    { path: 'src/a.js', from: null, change: 'modified', added: 1, removed: 1, isBinary: false },
    { path: 'src/b.js', from: 'src/deep/b.js', change: 'renamed', added: 0, removed: 0, isBinary: false },
    { path: 'src/new é.js', from: null, change: 'added', added: 1, removed: 0, isBinary: false },
  ])
  expect(diff).toMatchObject({ base: lab.user.base.commit, isCut: false, command: null })
  expect(diff?.patch).toContain('-export const a = 1\n+export const a = 3\n')
  expect(readFileSync(join(path, '.git/index'))).toEqual(before)
  expect(await lab.quarantine.refValue(salvageRef(WORKER))).toBeNull()
})

test('the next look sees what was written since, and a file that is too large is left out and said to be', async () => {
  const clone = await lab.clones.find(WORKER)
  write(clone?.path ?? '', { 'src/a.js': 'export const a = 4\n', 'large.bin': Buffer.alloc(5_000_000, 7) })
  const diff = await diffs.ofWorker({ worker: WORKER, base: 'commit' }, MOST)
  expect(diff?.patch).toContain('+export const a = 4\n')
  expect([diff?.isCut, diff?.files.some(({ path }) => path === 'large.bin')]).toEqual([true, false])
})

test('what a worker left is shown when it has ended, also where no plan has the repository open', async () => {
  const clone = await lab.clones.find(WORKER)
  if (clone === null) throw new Error('no clone')
  rmSync(join(clone.path, 'large.bin'))
  await collect(clone, { atMs: NOW })
  await lab.clones.release(WORKER, NOW)
  for (const some of [diffs, diffsIn(lab.state, process.env)]) {
    const diff = await some?.ofWorker({ worker: WORKER, base: 'commit' }, MOST)
    expect(diff?.files.map(({ path }) => path)).toContain('src/a.js')
    expect(diff?.command).toContain('diff')
  }
  expect(await diffs.ofWorker({ worker: 'w-shop-9-1', base: 'commit' }, MOST)).toBeNull()
})

test('a commit of thirty thousand lines is shown whole within 4 MB, and cut at whole lines below', async () => {
  const { path } = await lab.clone('w-shop-2-1')
  const lines = Array.from(
    { length: 30_000 },
    (_, at) => `export const value${at} = 'some text on a line ${at}'`,
  )
  write(path, { 'src/long.js': `${lines.join('\n')}\n`, 'image.bin': Buffer.from([0, 1, 2, 0, 255]) })
  const clone = await lab.clones.find('w-shop-2-1')
  if (clone === null) throw new Error('no clone')
  const taken = await collect(clone, { atMs: NOW })
  if (!taken.ok) throw new Error('it was not taken')
  const sha = lab.look('rev-parse', 'refs/collected/w-shop-2-1')
  const diff = await diffs.ofCommit(sha, MOST)
  expect(diff).toMatchObject({ head: sha, base: lab.user.base.commit, isCut: false })
  expect(diff?.patch.split('\n').filter((line) => line.startsWith('+export'))).toHaveLength(30_000)
  expect(diff?.files).toEqual([
    { path: 'image.bin', from: null, change: 'added', added: 0, removed: 0, isBinary: true },
    { path: 'src/long.js', from: null, change: 'added', added: 30_000, removed: 0, isBinary: false },
  ])
  const cut = await diffs.ofCommit(sha, 100_000)
  expect([cut?.isCut, cut?.patch.endsWith('\n'), cut?.files.length]).toEqual([true, true, 2])
  const base = lab.user.base.commit
  lab.look('update-ref', 'refs/plans/shop/onto/w-shop-2-1', `${base}^{tree}`)
  const proposed = { plan: 'shop', worker: 'w-shop-2-1', tree: taken.tree }
  expect((await diffs.ofDraft(proposed, MOST))?.files).toHaveLength(2)
  expect(await diffs.ofDraft({ ...proposed, plan: 'other' }, MOST)).toBeNull()
})
