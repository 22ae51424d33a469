/** What changed between two texts, line by line, as a workspace would tell it. */
import type { Change, ChangedFile } from '../../src/core/gates/change.ts'

export type BeforeAfter = readonly [before: string | null, after: string | null]

export function aChange(files: Readonly<Record<string, BeforeAfter>>): Change {
  return {
    base: 'base',
    files: Object.entries(files).flatMap(([path, [before, after]]) => changedFile(path, before, after)),
  }
}

export function changedFile(path: string, before: string | null, after: string | null): ChangedFile[] {
  if (before === after) return []
  const [old, now] = [linesOf(before), linesOf(after)]
  const kind = before === null ? 'added' : after === null ? 'deleted' : 'modified'
  const lines = after === null ? null : now
  return [{ path, kind, ...difference(old, now), lines, isBinary: false }]
}

const linesOf = (text: string | null): readonly string[] =>
  text === null || text === '' ? [] : text.replace(/\n$/, '').split('\n')

/** The longest lines in common stay; for texts of a test's size. */
function difference(old: readonly string[], now: readonly string[]): Pick<ChangedFile, 'added' | 'removed'> {
  const common = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1))
  const at = (a: number, b: number): number => common[a]?.[b] ?? 0
  for (let a = old.length - 1; a >= 0; a--) {
    for (let b = now.length - 1; b >= 0; b--) {
      const row = common[a]
      if (row !== undefined)
        row[b] = old[a] === now[b] ? at(a + 1, b + 1) + 1 : Math.max(at(a + 1, b), at(a, b + 1))
    }
  }
  const added: { line: number; text: string }[] = []
  const removed: { line: number; text: string; at: number }[] = []
  let [a, b, hunk] = [0, 0, 1]
  while (a < old.length || b < now.length) {
    if (a < old.length && old[a] === now[b]) {
      a += 1
      b += 1
      hunk = b + 1
    } else if (a < old.length && (b >= now.length || at(a + 1, b) >= at(a, b + 1))) {
      removed.push({ line: a + 1, text: old[a] ?? '', at: hunk })
      a += 1
    } else {
      added.push({ line: b + 1, text: now[b] ?? '' })
      b += 1
    }
  }
  return { added, removed }
}
