/** What one tree changes over another, with the lines that rules read. */
import {
  changeTrees,
  sidesToParse,
  type Change,
  type ChangedFile,
  type RemovedLine,
} from '../../core/gates/change.ts'
import { note } from '../../core/gates/verdicts.ts'
import type { Scan } from '../../core/event-schemas/schemas.ts'
import { mayNarrowInterface, scanChange } from '../../core/review/scan-change.ts'
import type { Parser } from '../../ports/parser.ts'
import type { Quarantine } from '../quarantine.ts'
import { pathText } from '../git/byte-path.ts'
import { GitFailed } from '../git/git.ts'
import { readEntry } from '../git/tree-diff.ts'
import { kindOf, type Difference } from '../git/trees.ts'

/** Larger files count as binary. */
export const MOST_BYTES = 4 * 1024 * 1024

/** By file, in git's order. A renamed file is one deleted and one added. No driver or text converter runs. */
export async function changeBetween(quarantine: Quarantine, base: string, tree: string): Promise<Change> {
  const differences = await quarantine.trees.differences(base, tree)
  const sections = await patchSections(quarantine, base, tree)
  let next = 0
  const files = differences.map((one) => {
    const { before, after } = one
    // A file that became a link, or the other way, is one section for what went and one for what came.
    const isOther = before !== null && after !== null && kindOf(before) !== kindOf(after)
    const own = sections?.slice(next, (next += isOther ? 2 : 1)) ?? []
    return changedFile(quarantine, one, { lines: own.at(-1)?.lines ?? null, gone: own[0]?.gone ?? [] })
  })
  return { base, files: await Promise.all(files) }
}

/** No reviewer reads more, and neither do the rules. */
const MOST_FILES = 500

/** What the rules read in a change. */
export async function scanBetween(
  { quarantine, parser }: { readonly quarantine: Quarantine; readonly parser: Parser },
  trees: { readonly base: string; readonly tree: string; readonly files: number },
): Promise<Scan> {
  if (trees.files > MOST_FILES) {
    return {
      touches: [],
      findings: [note(`${trees.files} files changed: too many to read their lines`)],
    }
  }
  const change = await changeBetween(quarantine, trees.base, trees.tree)
  const sides = sidesToParse(change, mayNarrowInterface)
  return scanChange(change, changeTrees(await parser.parse(sides.before), await parser.parse(sides.after)))
}

async function changedFile(
  quarantine: Quarantine,
  { path: raw, before, after }: Difference,
  { lines, gone }: Section,
): Promise<ChangedFile> {
  const path = pathText(raw)
  if (after === null)
    return { path, kind: 'deleted', added: [], removed: gone, lines: null, isBinary: lines === null }
  const kind = before === null ? 'added' : 'modified'
  const file = await readEntry(quarantine, after, MOST_BYTES)
  if (lines === null || file.kind !== 'file')
    return { path, kind, added: [], removed: [], lines: null, isBinary: true }
  const text = file.content.toString('utf8').split('\n')
  const added = lines.flatMap(({ first, count }) =>
    text.slice(first - 1, first - 1 + count).map((line, offset) => ({ line: first + offset, text: line })),
  )
  const whole = text.at(-1) === '' ? text.slice(0, -1) : text
  return { path, kind, added, removed: gone, lines: whole, isBinary: false }
}

interface Section {
  /** What was added or changed; null where there are no lines to tell: a binary file, or a difference too large. */
  readonly lines: readonly { readonly first: number; readonly count: number }[] | null
  /** What was removed or changed, as it was. */
  readonly gone: readonly RemovedLine[]
}

const PATCH_BYTES = 64 * 1024 * 1024

async function patchSections(quarantine: Quarantine, from: string, to: string): Promise<Section[] | null> {
  const shape = ['--no-renames', '--no-ext-diff', '--no-textconv', '--no-color']
  const args = ['diff-tree', '-r', '-p', '-U0', ...shape, from, to]
  const outcome = await quarantine.git.run({ args, at: quarantine.place, maxBytes: PATCH_BYTES })
  if (outcome.kind === 'too_long') return null
  if (outcome.kind !== 'exited' || outcome.code !== 0) throw new GitFailed(args, outcome)
  // Lines of files begin with a plus, a minus or a backslash, so a section's first line is no file's.
  const parts = `\n${outcome.stdout.toString('latin1')}`.split('\ndiff --git ').slice(1)
  return parts.map(readSection)
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

function readSection(text: string): Section {
  const lines: { first: number; count: number }[] = []
  const gone: RemovedLine[] = []
  const rows = text.split('\n')
  for (const [place, row] of rows.entries()) {
    const [, old, less = '1', start, more = '1'] = HUNK.exec(row) ?? []
    if (old === undefined || start === undefined) continue
    const [first, count] = [Number(start), Number(more)]
    if (count > 0) lines.push({ first, count })
    // Where nothing was added, git names the line before.
    const at = count > 0 ? first : first + 1
    for (let step = 0; step < Number(less); step++)
      gone.push({ line: Number(old) + step, text: utf8((rows[place + 1 + step] ?? '').slice(1)), at })
  }
  const isBinary = /^Binary files .* differ$/m.test(text) && lines.length === 0
  return { lines: isBinary ? null : lines, gone }
}

const utf8 = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8')
