/** The difference between two trees as people read it. No driver, pager or text converter runs. */
import { shellWord } from '../../lib/text/shell-word.ts'
import { GitFailed } from './git.ts'
import type { Patch } from '../../ports/checkouts.ts'
import type { Quarantine } from '../quarantine.ts'

/** Enough to read at once; a command shows the rest. */
const MOST_BYTES = 1024 * 1024
const READ_BYTES = 64 * 1024 * 1024

export async function patchText(
  quarantine: Pick<Quarantine, 'git' | 'place'>,
  from: string,
  to: string,
): Promise<Patch> {
  const { git, place } = quarantine
  const shape = ['--no-ext-diff', '--no-textconv', '--no-color', '--find-renames']
  const args = ['diff-tree', '-r', '-p', ...shape, from, to]
  const command = `git --git-dir=${shellWord(place.gitDir)} diff ${from} ${to}`
  const outcome = await git.run({ args, at: place, maxBytes: READ_BYTES })
  if (outcome.kind === 'too_long') return { text: '', isCut: true, command }
  if (outcome.kind !== 'exited' || outcome.code !== 0) throw new GitFailed(args, outcome)
  const { stdout } = outcome
  if (stdout.length <= MOST_BYTES) return { text: stdout.toString('utf8'), isCut: false, command }
  const end = stdout.lastIndexOf(0x0a, MOST_BYTES - 1) + 1
  return { text: stdout.subarray(0, end).toString('utf8'), isCut: true, command }
}
