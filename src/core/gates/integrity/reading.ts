/** A changed file as tripwires look at it: its code before and now, and what really came and went. */
import { linesBefore, type Change, type ChangedFile } from '../change.ts'
import { readCode, type CodeLine } from './code-lines.ts'
import { familyOf, isEntry, isFixture, roleOf, type Family, type Role } from './families.ts'

export interface FreshLine extends CodeLine {
  /** A file of sources may hold tests too, from some line on. */
  readonly role: Role
}

export interface GoneLine extends CodeLine {
  readonly role: Role
  /** What stands in its place now. */
  readonly at: number
}

export interface Reading {
  readonly file: ChangedFile
  readonly path: string
  readonly family: Family
  readonly role: Role
  /** What a program is started with. */
  readonly isEntry: boolean
  /** Input of tests: what stands in it proves nothing. */
  readonly isFixture: boolean
  readonly now: readonly CodeLine[]
  /** Lines that were nowhere in the change before. */
  readonly added: readonly FreshLine[]
  /** Lines that are nowhere in the change any more. */
  readonly removed: readonly GoneLine[]
}

const MAX_FILES = 5_000
/** More than anybody wrote by hand; looking through it would take too long. */
export const MAX_ADDED = 50_000

/** Files in which something runs, in the order of the change. */
export function readChange(change: Change): readonly Reading[] {
  const files = change.files.filter(({ isBinary }) => !isBinary).slice(0, MAX_FILES)
  if (codeLinesIn(files) > MAX_ADDED) return []
  const moved = new Moved(files)
  return files.flatMap((file) => {
    const before = linesBefore(file) ?? []
    const family = familyOf(file.path, file.lines?.[0] ?? before[0] ?? '')
    return family === null || isData(file.path, family) ? [] : [readingOf(file, family, before, moved)]
  })
}

/** Values that some program reads. */
const isData = (path: string, family: Family): boolean => family === 'json' && roleOf(path) !== 'settings'

/** How many lines of programs came. */
export function codeLinesIn(files: readonly ChangedFile[]): number {
  return files.reduce((sum, { path, lines, added }) => {
    const family = familyOf(path, lines?.[0] ?? '')
    return family === null || isData(path, family) ? sum : sum + added.length
  }, 0)
}

function readingOf(file: ChangedFile, family: Family, before: readonly string[], moved: Moved): Reading {
  const role = roleOf(file.path)
  const [old, now] = [readCode(before, family), readCode(file.lines ?? [], family)]
  const roleIn = (lines: readonly CodeLine[]) => {
    const from = role === 'source' ? testsFrom(lines, family) : null
    return (line: number): Role => (from !== null && line >= from ? 'test' : role)
  }
  const [roleBefore, roleNow] = [roleIn(old), roleIn(now)]
  const added = file.added.flatMap(({ line, text }) => {
    const code = now[line - 1]
    return code === undefined || !moved.isNew(text) ? [] : [{ ...code, role: roleNow(line) }]
  })
  const removed = file.removed.flatMap(({ line, text, at }) => {
    const code = old[line - 1]
    return code === undefined || !moved.isGone(text) ? [] : [{ ...code, at, role: roleBefore(line) }]
  })
  const { path } = file
  const lines = file.lines ?? []
  return {
    file,
    path,
    family,
    role,
    isEntry: isEntry(path, lines),
    isFixture: isFixture(path),
    now,
    added,
    removed,
  }
}

/** Where tests begin in a file of sources; null where there are none. */
function testsFrom(lines: readonly CodeLine[], family: Family): number | null {
  const begins = family === 'rust' ? /#\[cfg\(test\)\]/ : family === 'js' ? /\bimport\.meta\.vitest\b/ : null
  return begins === null ? null : (lines.find(({ code }) => begins.test(code))?.line ?? null)
}

/** A line that went here and came there was moved or indented anew: it is neither new nor gone. */
class Moved {
  readonly #went: Map<string, number>
  readonly #came: Map<string, number>

  constructor(files: readonly ChangedFile[]) {
    this.#went = counted(files.flatMap(({ removed }) => removed))
    this.#came = counted(files.flatMap(({ added }) => added))
  }

  isNew(text: string): boolean {
    return !taken(this.#went, text)
  }

  isGone(text: string): boolean {
    return !taken(this.#came, text)
  }
}

function counted(lines: readonly { readonly text: string }[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { text } of lines) counts.set(text.trim(), (counts.get(text.trim()) ?? 0) + 1)
  return counts
}

function taken(counts: Map<string, number>, text: string): boolean {
  const left = counts.get(text.trim()) ?? 0
  if (left > 0) counts.set(text.trim(), left - 1)
  return left > 0
}
