/** What one tree changes over another, with the lines that rules read. */
import type { Change, ChangedFile } from '../../core/gates/change.ts'
import { changeTrees, sidesToParse } from '../../core/gates/change-trees.ts'
import { note } from '../../core/gates/verdicts.ts'
import type { Scan } from '../../core/event-schemas/schemas.ts'
import { mayNarrowInterface, scanChange } from '../../core/review/scan-change.ts'
import type { Parser } from '../../ports/parser.ts'
import { Recent } from '../../lib/recent.ts'
import type { Quarantine } from '../quarantine.ts'
import { changedFiles, readEntry, type ChangedFile as TreeChange } from '../git/tree-diff.ts'

/** Larger files count as binary. */
export const MOST_BYTES = 4 * 1024 * 1024

/** A draft is read when it is collected, and once more by its gates. */
const LATELY = new WeakMap<Quarantine, Recent<Change>>()
const KEPT_CHANGES = 16
/** Of files and of their lines; more is not worth its memory. */
const KEPT_LINES = 2000

export async function changeBetween(quarantine: Quarantine, base: string, tree: string): Promise<Change> {
  const lately = LATELY.get(quarantine) ?? new Recent(KEPT_CHANGES)
  LATELY.set(quarantine, lately)
  const name = `${base} ${tree}`
  const known = lately.get(name)
  if (known !== undefined) return known
  const changed = await changedFiles(quarantine, base, tree)
  const change = { base, files: await Promise.all(changed.map((file) => withLines(quarantine, file))) }
  if (sizeOf(change) <= KEPT_LINES) lately.keep(name, change)
  return change
}

const sizeOf = ({ files }: Change): number =>
  files.reduce((sum, { lines, removed }) => sum + 1 + (lines?.length ?? 0) + removed.length, 0)

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

async function withLines(
  quarantine: Quarantine,
  { path, change, lines, gone, entry }: TreeChange,
): Promise<ChangedFile> {
  const kind = change === 'type_changed' ? 'modified' : change
  const isUnread = lines === null
  if (kind === 'deleted') return { path, kind, added: [], removed: gone, lines: null, isBinary: isUnread }
  const file = await readEntry(quarantine, entry, MOST_BYTES)
  if (isUnread || file.kind !== 'file') {
    return { path, kind, added: [], removed: [], lines: null, isBinary: true }
  }
  const text = file.content.toString('utf8').split('\n')
  const added = lines.flatMap(({ first, last }) =>
    text.slice(first - 1, last).map((line, offset) => ({ line: first + offset, text: line })),
  )
  const whole = text.at(-1) === '' ? text.slice(0, -1) : text
  return { path, kind, added, removed: gone, lines: whole, isBinary: false }
}
