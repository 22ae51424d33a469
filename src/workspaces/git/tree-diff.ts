/** What differs between two trees, and what a file in one of them says. No driver or text converter runs. */
import type { RemovedLine } from '../../core/gates/change.ts'
import { fromText, pathText } from './byte-path.ts'
import { GitFailed } from './git.ts'
import { GITLINK } from './gitlinks.ts'
import type { Quarantine } from '../quarantine.ts'
import { isFolder, kindOf, type Difference, type TreeEntry } from './trees.ts'

export type FileChange = 'added' | 'modified' | 'deleted' | 'type_changed'

/** Lines of the new file, counted from 1, the last one included. */
export interface LineRange {
  readonly first: number
  readonly last: number
}

export interface ChangedFile {
  readonly path: string
  readonly change: FileChange
  /** What was added or changed; null where there are no lines to tell: a binary file, or a difference too large. */
  readonly lines: readonly LineRange[] | null
  /** What was removed or changed, as it was. */
  readonly gone: readonly RemovedLine[]
  readonly added: number
  readonly removed: number
  /** What the new tree holds there. */
  readonly entry: TreeEntry | null
}

const PATCH_BYTES = 64 * 1024 * 1024

/** The files that differ, in git's order. A renamed file is one deleted and one added. */
export async function changedFiles(
  quarantine: Quarantine,
  from: string,
  to: string,
): Promise<readonly ChangedFile[]> {
  const differences = await quarantine.trees.differences(from, to)
  const files = differences.map((one) => ({
    path: pathText(one.path),
    change: changeOf(one),
    entry: one.after,
  }))
  const sections = await patchSections(quarantine, from, to)
  let next = 0
  return files.map((file) => {
    // A file that became a link, or the other way, is one section for what went and one for what came.
    const count = file.change === 'type_changed' ? 2 : 1
    const own = sections?.slice(next, next + count) ?? []
    next += count
    const [went, came] = [own[0] ?? UNREAD, own.at(-1) ?? UNREAD]
    return { ...file, ...came, gone: went.gone, removed: went.removed }
  })
}

type Section = Pick<ChangedFile, 'lines' | 'gone' | 'added' | 'removed'>

const UNREAD: Section = { lines: null, gone: [], added: 0, removed: 0 }

async function patchSections(quarantine: Quarantine, from: string, to: string): Promise<Section[] | null> {
  const args = [
    'diff-tree',
    '-r',
    '-p',
    '-U0',
    '--no-renames',
    '--no-ext-diff',
    '--no-textconv',
    '--no-color',
    from,
    to,
  ]
  const outcome = await quarantine.git.run({ args, at: quarantine.place, maxBytes: PATCH_BYTES })
  if (outcome.kind === 'too_long') return null
  if (outcome.kind !== 'exited' || outcome.code !== 0) throw new GitFailed(args, outcome)
  // Lines of files begin with a plus, a minus or a backslash, so a section's first line is no file's.
  const parts = `\n${outcome.stdout.toString('latin1')}`.split('\ndiff --git ').slice(1)
  return parts.map(readSection)
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

function readSection(text: string): Section {
  const lines: LineRange[] = []
  const gone: RemovedLine[] = []
  let added = 0
  const rows = text.split('\n')
  for (const [place, row] of rows.entries()) {
    const [, old, less = '1', first, more = '1'] = HUNK.exec(row) ?? []
    if (old === undefined || first === undefined) continue
    const [from, count] = [Number(first), Number(more)]
    added += count
    if (count > 0) lines.push({ first: from, last: from + count - 1 })
    // Where nothing was added, git names the line before.
    const at = count > 0 ? from : from + 1
    for (let step = 0; step < Number(less); step++) {
      gone.push({ line: Number(old) + step, text: utf8((rows[place + 1 + step] ?? '').slice(1)), at })
    }
  }
  const binary = /^Binary files .* differ$/m.test(text) && lines.length === 0
  return { lines: binary ? null : lines, gone, added, removed: gone.length }
}

const utf8 = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8')

function changeOf({ before, after }: Difference): FileChange {
  if (before === null) return 'added'
  if (after === null) return 'deleted'
  return kindOf(before) === kindOf(after) ? 'modified' : 'type_changed'
}

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
  entry: TreeEntry | null,
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

/** Of a file that can be read as text; null where there is none. */
export async function lineCount(quarantine: Quarantine, tree: string, path: string): Promise<number | null> {
  const file = await readTreeFile(quarantine, { tree, path, maxBytes: PATCH_BYTES })
  if (file.kind !== 'file') return null
  const lines = file.content.toString('utf8').split('\n')
  return lines.at(-1) === '' ? lines.length - 1 : lines.length
}
