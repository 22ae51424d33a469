/** What a file in a tree says, and the difference between two trees as people read it. No driver or text converter runs. */
import { fromText, pathText, bytePath } from './byte-path.ts'
import { GitFailed } from './git.ts'
import { GITLINK, isFolder, type TreeLeaf } from './trees.ts'
import type { Quarantine } from '../quarantine.ts'
import { shellWord } from '../../lib/text/counted.ts'
import type { DiffFile, WorkDiff } from '../../ports/checkouts.ts'

export type ReadFile =
  | { readonly kind: 'file'; readonly content: Buffer; readonly executable: boolean }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'folder' | 'submodule' | 'absent' }
  | { readonly kind: 'too_large'; readonly bytes: number }

/** What a tree holds at a path. Read as an object: whatever lies on some disk under that name does not matter. */
export async function readTreeFile(
  quarantine: Quarantine,
  file: { readonly tree: string; readonly path: string; readonly maxBytes: number },
): Promise<ReadFile> {
  const entry = await quarantine.trees.at(file.tree, fromText(file.path))
  return readEntry(quarantine, entry, file.maxBytes)
}

export async function readEntry(
  { reader }: Quarantine,
  entry: TreeLeaf | null,
  maxBytes: number,
): Promise<ReadFile> {
  if (entry === null) return { kind: 'absent' }
  if (isFolder(entry)) return { kind: 'folder' }
  if (entry.mode === GITLINK) return { kind: 'submodule' }
  const bytes = (await reader.facts(entry.sha))?.bytes ?? 0
  if (bytes > maxBytes) return { kind: 'too_large', bytes }
  const content = (await reader.content(entry.sha))?.content
  if (content === undefined) throw new Error(`the object ${entry.sha} is missing`)
  if (entry.mode === '120000') return { kind: 'link', target: content.toString('utf8') }
  return { kind: 'file', content, executable: entry.mode === '100755' }
}

/** Of a plain file; null where there is none of at most that size. */
export async function textInTree(
  quarantine: Quarantine,
  file: { readonly tree: string; readonly path: string; readonly maxBytes: number },
): Promise<string | null> {
  const read = await readTreeFile(quarantine, file)
  return read.kind === 'file' ? read.content.toString('utf8') : null
}

/** Null where there is no such file. */
export async function lineCount(quarantine: Quarantine, tree: string, path: string): Promise<number | null> {
  const lines = (await textInTree(quarantine, { tree, path, maxBytes: READ_BYTES }))?.split('\n') ?? null
  return lines?.at(-1) === '' ? lines.length - 1 : (lines?.length ?? null)
}

const READ_BYTES = 64 * 1024 * 1024
const MOST_FILES = 3000

const SHAPE = ['--no-ext-diff', '--no-textconv', '--no-color', '--find-renames']

type Place = Pick<Quarantine, 'git' | 'place'>

/** For people. */
export async function workDiff(
  quarantine: Place,
  { base, head }: { readonly base: string; readonly head: string },
  mostBytes: number,
): Promise<WorkDiff> {
  const { git, place } = quarantine
  const args = ['diff-tree', '-r', '-p', ...SHAPE, base, head]
  const [files, outcome] = await Promise.all([
    diffFiles(quarantine, base, head),
    git.run({ args, at: place, maxBytes: READ_BYTES }),
  ])
  const isTooLong = outcome.kind === 'too_long'
  if (!isTooLong && (outcome.kind !== 'exited' || outcome.code !== 0)) throw new GitFailed(args, outcome)
  const all = isTooLong ? Buffer.alloc(0) : outcome.stdout
  const isCut = all.length > mostBytes
  const patch = isCut ? all.subarray(0, all.lastIndexOf(0x0a, mostBytes - 1) + 1) : all
  return {
    base,
    head,
    files: files.slice(0, MOST_FILES),
    patch: patch.toString('utf8'),
    isCut: isTooLong || isCut || files.length > MOST_FILES,
    command: `git --git-dir=${shellWord(place.gitDir)} diff ${base} ${head}`,
  }
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
