/** A repository with many files and many branches, each some commits ahead of main and of its own place in it. */
import { execFileSync } from 'node:child_process'
import type { TaskSpec } from '../../src/core/planning/plan.ts'

export const FILES = 10_000
const HISTORY = 1_000
const COMMITS = 10

export const pathOf = (at: number): string => `src/part${at % 50}/piece${at % 7}/file${at}.js`

/** A task that makes one file and changes another. */
export function aBranchTask(id: string, modify: string): Pick<TaskSpec, 'id' | 'files' | 'testsToAdd'> {
  return {
    id,
    files: { create: [`new/${id}.js`], modify: [modify], delete: [] },
    testsToAdd: [`test/${id}.test.js`],
  }
}

/** The branch of number n changes the file n × 37 first, then others that no task expects. */
export function manyBranches(root: string, branches: number): void {
  const git = (args: readonly string[], input = '') => execFileSync('git', args, { cwd: root, input })
  git(['init', '-q', '-b', 'main'])
  const lines: string[] = []
  const commit = (ref: string, at: number, more: readonly string[] = []): void => {
    lines.push(`commit refs/heads/${ref}`, ...more.slice(0, 1), `committer A <a@b> ${at} +0000`)
    lines.push('data 1', 'x', ...more.slice(1))
  }
  const put = (path: string, text: string): void => {
    lines.push(`M 100644 inline ${path}`, `data ${text.length}`, text)
  }
  commit('main', 1_700_000_000, ['mark :1'])
  for (let at = 0; at < FILES; at++) put(pathOf(at), `export const name${at} = ${at}\n`)
  for (let at = 0; at < HISTORY; at++) {
    commit('main', 1_700_000_001 + at, [`mark :${at + 2}`])
    put(pathOf(FILES - 1 - at), `export const name${at} = ${at} + 1\n`)
  }
  for (let branch = 0; branch < branches; branch++) {
    for (let at = 0; at < COMMITS; at++) {
      const from = at === 0 ? [`from :${HISTORY + 1 - (branch % 500)}`] : []
      commit(`branch-${branch}`, 1_700_100_000 + branch * 100 + at, ['', ...from])
      put(at === 0 ? pathOf(branch * 37) : `other/branch${branch}.js`, `export const changed = ${at}\n`)
    }
  }
  // An empty line where a commit has no mark would end it.
  git(['fast-import', '--quiet'], `${lines.filter((line) => line !== '').join('\n')}\n`)
  git(['checkout', '-q', 'main'])
}
