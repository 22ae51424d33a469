/**
 * What the first look at a repository of 10,000 files and 200 branches costs beside running its tests: the expected files
 * and what they hold, and the branches that touch them. Beside it what git takes to check the same tree out once.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectedPaths } from '../src/core/repository-facts/concurrent-branches.ts'
import { aBranchTask, FILES, manyBranches, pathOf } from './lib/many-branches.ts'
import { median, report, round, timeMs } from './lib/measure.ts'
import { surveyBranches } from '../src/workspaces/survey/branch-survey.ts'
import { Git } from '../src/workspaces/git/git.ts'
import { Quarantine } from '../src/workspaces/quarantine.ts'
import { surveyTree } from '../src/workspaces/survey/project-facts.ts'
import { openUserRepository } from '../src/workspaces/user-repository.ts'

const MARK = 2
const ROUNDS = 7
const BRANCHES = 200
const TASKS = 100

const folder = mkdtempSync(join(tmpdir(), 'bosun-bench-'))
const root = join(folder, 'repo')
mkdirSync(root)
manyBranches(root, BRANCHES)
const git = new Git({ path: process.env['PATH'] ?? '', home: '/nonexistent' })
const user = await openUserRepository(git, root)
const quarantine = await Quarantine.open({ git, directory: folder, objectFormat: user.objectFormat })
await quarantine.fetch(user, user.base.commit)
const tasks = Array.from({ length: TASKS }, (_, at) => aBranchTask(String(at), pathOf(at * 37)))
const { signal } = new AbortController()

const times = { tree: [] as number[], branches: [] as number[], checkout: [] as number[] }
for (let turn = 0; turn <= ROUNDS; turn++) {
  const tree = await timeMs(async () => {
    const { files, inTree } = await surveyTree(quarantine, user.base.tree, tasks.flatMap(expectedPaths))
    const isTold = tasks.every(({ files: { modify } }) => inTree(modify[0] ?? '')?.holds.length === 1)
    if (files !== FILES || !isTold) throw new Error('the tree was not looked at')
  })
  const branches = await timeMs(async () => {
    const seen = await surveyBranches({ git, user, plan: 'shop', base: user.base.commit, tasks, signal })
    if (seen.trouble !== null || seen.noticed.length + seen.more !== TASKS) {
      throw new Error(`${seen.noticed.length} and ${seen.more} branches were noticed: ${seen.trouble ?? ''}`)
    }
  })
  const to = join(folder, `checkout-${turn}`)
  const checkout = await timeMs(() => {
    execFileSync('git', ['worktree', 'add', '-q', '--detach', to, 'main'], { cwd: root })
  })
  // The first turn warms up.
  if (turn === 0) continue
  times.tree.push(tree)
  times.branches.push(branches)
  times.checkout.push(checkout)
}
rmSync(folder, { recursive: true })

const ratios = times.tree.map(
  (tree, turn) => (tree + (times.branches[turn] ?? 0)) / (times.checkout[turn] ?? Number.NaN),
)
const ratio = round(median(ratios))
const rows = Object.entries(times).map(([what, all]) => ({
  what,
  median_ms: round(median(all), 1),
  worst_ms: round(Math.max(...all), 1),
}))
report('first-look', rows, { mark: MARK, ratio, ok: ratio <= MARK })
console.log(`${ratio} × one checkout of the same tree; mark ${MARK}`)
if (ratio > MARK) process.exitCode = 1
