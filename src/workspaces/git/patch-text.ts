/** The difference between two trees as people read it. No driver, pager or text converter runs. */
import { shellWord } from '../../lib/text/shell-word.ts'
import { bytePath, pathText } from './byte-path.ts'
import { GitFailed } from './git.ts'
import type { DiffFile, Patch, WorkDiff } from '../../ports/checkouts.ts'
import type { Quarantine } from '../quarantine.ts'

/** Enough to read at once; a command shows the rest. */
const MOST_BYTES = 1024 * 1024
const READ_BYTES = 64 * 1024 * 1024
const MOST_FILES = 3000

const SHAPE = ['--no-ext-diff', '--no-textconv', '--no-color', '--find-renames']

type Place = Pick<Quarantine, 'git' | 'place'>

export async function patchText(
  quarantine: Place,
  from: string,
  to: string,
  mostBytes = MOST_BYTES,
): Promise<Patch> {
  const { git, place } = quarantine
  const args = ['diff-tree', '-r', '-p', ...SHAPE, from, to]
  const command = `git --git-dir=${shellWord(place.gitDir)} diff ${from} ${to}`
  const outcome = await git.run({ args, at: place, maxBytes: READ_BYTES })
  if (outcome.kind === 'too_long') return { text: '', isCut: true, command }
  if (outcome.kind !== 'exited' || outcome.code !== 0) throw new GitFailed(args, outcome)
  const { stdout } = outcome
  if (stdout.length <= mostBytes) return { text: stdout.toString('utf8'), isCut: false, command }
  const end = stdout.lastIndexOf(0x0a, mostBytes - 1) + 1
  return { text: stdout.subarray(0, end).toString('utf8'), isCut: true, command }
}

/** The same with its files. */
export async function workDiff(
  quarantine: Place,
  { base, head }: { readonly base: string; readonly head: string },
  mostBytes: number,
): Promise<WorkDiff> {
  const [files, { text, isCut, command }] = await Promise.all([
    diffFiles(quarantine, base, head),
    patchText(quarantine, base, head, mostBytes),
  ])
  const shown = files.slice(0, MOST_FILES)
  return { base, head, files: shown, patch: text, isCut: isCut || files.length > MOST_FILES, command }
}

async function diffFiles({ git, place }: Place, from: string, to: string): Promise<readonly DiffFile[]> {
  const args = ['diff-tree', '-r', '--raw', '--numstat', '-z', ...SHAPE, from, to]
  const output = await git.read({ args, at: place, maxBytes: READ_BYTES })
  return readFiles(output.toString('latin1').split('\0'))
}

/** Git prints every file once with its change, then every file once with its counts. */
function readFiles(fields: readonly string[]): readonly DiffFile[] {
  const changes = new Map<string, DiffFile['change']>()
  const files: DiffFile[] = []
  const rest = fields.values()
  const next = (): string => rest.next().value ?? ''
  for (let field = next(); field !== ''; field = next()) {
    const [, status] = /^:.* ([A-Z])\d*$/.exec(field) ?? []
    if (status !== undefined) {
      const path = next()
      const isMoved = status === 'R' || status === 'C'
      changes.set(isMoved ? next() : path, CHANGES[status] ?? 'modified')
      continue
    }
    const [added = '', removed = '', named = ''] = field.split('\t')
    const from = named === '' ? next() : null
    const path = from === null ? named : next()
    files.push({
      path: pathText(bytePath(path)),
      from: from === null ? null : pathText(bytePath(from)),
      change: changes.get(path) ?? 'modified',
      added: Number(added) || 0,
      removed: Number(removed) || 0,
      isBinary: added === '-',
    })
  }
  return files
}

const CHANGES: Readonly<Record<string, DiffFile['change']>> = {
  A: 'added',
  C: 'added',
  D: 'deleted',
  R: 'renamed',
}
