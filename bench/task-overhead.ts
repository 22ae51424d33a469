/**
 * What one task costs besides its worker and its gates: a work tree, its collection, a checkout for the gate, the
 * commit, the branch in the user's repository, giving the work tree back. Beside it, in the same turn: the same six
 * edits committed in place (no isolation at all), and a script that adds a work tree, commits, merges and removes it.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CheckoutSlots } from '../src/workspaces/clones/slots.ts'
import { ClonePool } from '../src/workspaces/clones/clone-pool.ts'
import { commitOnce, withFiles } from '../src/workspaces/landing/commits.ts'
import { Git } from '../src/workspaces/git/git.ts'
import { publish, workingBranch } from '../src/workspaces/landing/publish.ts'
import { Quarantine } from '../src/workspaces/quarantine.ts'
import { collect } from '../src/workspaces/saved-work/work-snapshot.ts'
import { openUserRepository } from '../src/workspaces/user-repository.ts'
import { median, report, round, timeMs } from './lib/measure.ts'

/** Of the script's time, by files. */
const MARKS: Readonly<Record<number, number>> = { 1_000: 0.8, 10_000: 0.5 }
const TASKS = 12
const ADA = { name: 'Ada', email: 'ada@example.org' }
const folder = mkdtempSync(join(tmpdir(), 'bosun-bench-'))

const rows = []
let isKept = true
for (const files of [1_000, 10_000]) {
  const figures = await measure(files)
  const ratio = figures.bosun_ms / figures.script_ms
  const mark = MARKS[files] ?? 0
  isKept &&= ratio <= mark
  rows.push({ files, ...figures, of_script: round(ratio), mark })
}
rmSync(folder, { recursive: true })
report('task-overhead', rows, { ok: isKept, of_script: rows.map((row) => row.of_script).join(' and ') })
if (!isKept) process.exitCode = 1

async function measure(files: number) {
  const root = join(folder, `${files}`)
  const user = join(root, 'user')
  const plain = join(root, 'plain')
  buildRepository(user, files)
  execFileSync('cp', ['-a', user, plain])
  const bosun = await openBosun(user, join(root, 'state'))
  const times = { bosun: [] as number[], in_place: [] as number[], script: [] as number[] }
  const parts = new Map<string, number[]>()
  for (let task = 0; task <= TASKS; task++) {
    const whole = await timeMs(() => bosun.task(task, task === 0 ? new Map() : parts))
    const inPlace = await timeMs(() => commitInPlace(plain, task))
    const script = await timeMs(() => withScript(plain, task))
    // The first turn fills the pool.
    if (task === 0) continue
    times.bosun.push(whole)
    times.in_place.push(inPlace)
    times.script.push(script)
  }
  const phases = [...parts].map(([name, all]) => [`${name}_ms`, round(median(all), 1)] as const)
  return {
    bosun_ms: round(median(times.bosun), 1),
    in_place_ms: round(median(times.in_place), 1),
    script_ms: round(median(times.script), 1),
    ...Object.fromEntries(phases),
  }
}

async function openBosun(root: string, state: string) {
  mkdirSync(state)
  const git = new Git({ path: process.env['PATH'] ?? '', home: '/nonexistent' })
  const user = await openUserRepository(git, root)
  const quarantine = await Quarantine.open({ git, directory: state, objectFormat: user.objectFormat })
  await quarantine.fetch(user, user.base.commit)
  const clones = new ClonePool({ quarantine, directory: state })
  const checkouts = new CheckoutSlots({ quarantine, directory: state })
  let tip = user.base.commit
  let published: string | null = null

  const task = async (number: number, parts: Map<string, number[]>): Promise<void> => {
    const part = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      const start = performance.now()
      const result = await work()
      parts.set(name, [...(parts.get(name) ?? []), performance.now() - start])
      return result
    }
    const worker = `w-bench-${number}-1`
    const clone = await part('acquire', () => clones.acquire(worker, { commit: tip, tree: null }))
    edit(clone.path, number)
    const taken = await part('collect', () => collect(clone, { atMs: number * 1000 }))
    if (!taken.ok) throw new Error(`not collected: ${taken.why}`)
    const gate = await part('checkout', () => checkouts.checkout(taken.tree, tip))
    execFileSync('sh', ['-c', 'true'], { cwd: gate.path })
    await gate.release()
    const sha = await part('commit', async () => {
      const tree = await withFiles(quarantine, taken.tree, [
        { path: `docs/reviews/${number}.md`, content: '# Review\n' },
      ])
      const commit = { tree, parents: [tip], message: `Task ${number}\n`, author: ADA, atMs: number * 1000 }
      return commitOnce(quarantine, { plan: 'bench', task: `task-${number}`, attempt: 1 }, commit)
    })
    const updates = [{ ref: workingBranch('bench'), to: sha, from: published }]
    await part('publish', () => publish({ git, user, quarantine, updates, reason: `task-${number}` }))
    const saved = { commit: taken.salvage, unsaved: taken.unsaved }
    await part('release', () => clones.release(worker, number * 1000, saved))
    published = sha
    tip = sha
  }
  return { task }
}

function buildRepository(root: string, files: number): void {
  for (let at = 0; at < files; at++) {
    const place = join(root, `d${at % 50}`, `e${Math.floor(at / 50) % 20}`)
    if (at < 1_000) mkdirSync(place, { recursive: true })
    writeFileSync(join(place, `f${at}.txt`), `file ${at}\n`.repeat(100))
  }
  run(root, 'init', '-q', '-b', 'main')
  run(root, 'config', 'user.name', 'Ada')
  run(root, 'config', 'user.email', 'ada@example.org')
  // Upkeep in the background would move objects while the repository is copied.
  run(root, 'config', 'gc.auto', '0')
  run(root, 'add', '-A')
  run(root, 'commit', '-q', '-m', 'Start')
}

function edit(root: string, number: number): void {
  for (let at = 0; at < 6; at++) writeFileSync(join(root, `d${at}`, 'e0', `f${at}.txt`), `task ${number}\n`)
}

function commitInPlace(root: string, number: number): void {
  edit(root, number)
  run(root, 'commit', '-q', '-am', `In place ${number}`)
}

function withScript(root: string, number: number): void {
  const place = `${root}-task-${number}`
  run(root, 'worktree', 'add', '-q', '-b', `task-${number}`, place)
  edit(place, number + 1_000)
  run(place, 'add', '-A')
  run(place, 'commit', '-q', '-m', `Task ${number}`)
  execFileSync('sh', ['-c', 'true'], { cwd: place })
  run(root, 'merge', '-q', '--no-ff', '-m', `Merge ${number}`, `task-${number}`)
  run(root, 'worktree', 'remove', '--force', place)
}

function run(cwd: string, ...args: string[]): void {
  execFileSync('git', args, { cwd, stdio: 'ignore' })
}
