/** Prepares a change for tripwires: added and removed lines, calls and tests of programs. */
import { isUnread, unreadReason, type Parsed } from '../../languages/syntax.ts'
import { linesBefore, type Change, type ChangedFile } from '../change.ts'
import type { ChangeTrees } from '../change-trees.ts'
import { readCode, type CodeLine } from './code-lines.ts'
import { familyOf, isEntry, isFixture, roleOf, type Family, type Role } from './families.ts'
import { brokenParts, type BrokenPart } from './syntax/broken.ts'
import { FactReader, type Fact, type Lines } from './syntax/facts.ts'
import { NODE_KINDS } from './syntax/node-kinds.ts'
import { testLines } from './syntax/test-lines.ts'
import { linesOfTree } from './syntax/tree-lines.ts'
import { marksIn, marksOnLines, type Mark } from './wires/test-marks.ts'

export interface FreshLine extends CodeLine {
  /** A source file may contain tests too. */
  readonly role: Role
}

export interface GoneLine extends CodeLine {
  readonly role: Role
  /** Its current position. */
  readonly at: number
}

export interface FreshFact extends Fact {
  readonly role: Role
  /** Its first added line. */
  readonly line: number
  readonly raw: string
}

export interface Reading {
  readonly file: ChangedFile
  readonly path: string
  readonly family: Family
  readonly role: Role
  /** An entry point of a program. */
  readonly isEntry: boolean
  /** Test input. */
  readonly isFixture: boolean
  readonly now: readonly CodeLine[]
  /** Added lines, without moved ones. */
  readonly added: readonly FreshLine[]
  /** Removed lines, without moved ones. */
  readonly removed: readonly GoneLine[]
  /** Null if there is no grammar; then rules on lines apply. */
  readonly code: FactReader | null
  /** Facts of statements with added lines. */
  readonly around: readonly Fact[]
  /** Facts on added lines. */
  readonly fresh: readonly FreshFact[]
  /** Tests and assertions: all current ones, and those on added and removed lines. */
  readonly marks: {
    readonly now: readonly Mark[]
    readonly come: readonly Mark[]
    readonly gone: readonly Mark[]
  }
  /** Added calls that could not be parsed. */
  readonly broken: readonly BrokenPart[]
}

const MAX_FILES = 5_000
/** Larger changes take too long to check and are not written by hand. */
export const MAX_ADDED = 50_000

/** Files with code, in the order of the change. */
export function readChange(change: Change, trees: ChangeTrees): readonly Reading[] {
  const files = change.files.filter(({ isBinary }) => !isBinary).slice(0, MAX_FILES)
  if (codeLinesIn(files) > MAX_ADDED) return []
  const sides = files.flatMap((file): readonly Sides[] => {
    const { path } = file
    const before = linesBefore(file) ?? []
    const family = familyOf(path, file.lines?.[0] ?? before[0] ?? '')
    if (family === null || isData(path, family)) return []
    const old = sideOf(file.removed.length === 0 ? [] : before, family, trees.before(path), roleOf(path))
    const now = sideOf(file.lines ?? [], family, trees.after(path), roleOf(path))
    return [{ file, family, old, now }]
  })
  const moved = new Moved(sides)
  return sides.map((both) => readingOf(both, moved))
}

/** Values that a program reads. */
const isData = (path: string, family: Family): boolean => family === 'json' && roleOf(path) !== 'settings'

/** The number of added lines of code. */
export function codeLinesIn(files: readonly ChangedFile[]): number {
  return files.reduce((sum, { path, lines, added }) => {
    const family = familyOf(path, lines?.[0] ?? '')
    return family === null || isData(path, family) ? sum : sum + added.length
  }, 0)
}

/** One side of a file. */
interface Side {
  readonly lines: readonly CodeLine[]
  readonly code: FactReader | null
  readonly marks: readonly Mark[]
  readonly roleAt: (line: number) => Role
  readonly unread: string | null
}

function factsOf(family: Family, parsed: Parsed | null): FactReader | null {
  const kinds = NODE_KINDS[family]
  return parsed === null || isUnread(parsed) || kinds === undefined ? null : new FactReader(parsed, kinds)
}

/** Code, strings and comments of each line, from the tree if there is one. */
export function codeLinesOf(
  lines: readonly string[],
  family: Family,
  parsed: Parsed | null,
): readonly CodeLine[] {
  const code = factsOf(family, parsed)
  return code === null ? readCode(lines, family) : linesOfTree(lines, code)
}

function sideOf(lines: readonly string[], family: Family, parsed: Parsed | null, role: Role): Side {
  const code = factsOf(family, parsed)
  const isLost = family in NODE_KINDS && parsed !== null && isUnread(parsed) && parsed.unread !== 'no_grammar'
  const read = code === null ? readCode(lines, family) : linesOfTree(lines, code)
  const tests = role === 'source' && code !== null ? testLines(code) : []
  const hasTests = role === 'test' || tests.length > 0
  const marks = (): readonly Mark[] => (code === null ? marksOnLines(read, family) : marksIn(code, family))
  return {
    lines: read,
    code,
    marks: hasTests && lines.length > 0 ? marks() : [],
    roleAt: (line) => (tests.some((part) => isWithin(part, line)) ? 'test' : role),
    unread: isLost ? unreadReason(parsed) : null,
  }
}

const isWithin = ({ from, to }: Lines, line: number): boolean => line >= from && line <= to

interface Sides {
  readonly file: ChangedFile
  readonly family: Family
  readonly old: Side
  readonly now: Side
}

function readingOf({ file, family, old, now }: Sides, moved: Moved): Reading {
  const added = file.added.flatMap(({ line }) => {
    const code = now.lines[line - 1]
    return code === undefined || !moved.isNew(code) ? [] : [{ ...code, role: now.roleAt(line) }]
  })
  const removed = file.removed.flatMap(({ line, at }) => {
    const code = old.lines[line - 1]
    return code === undefined || !moved.isGone(code) ? [] : [{ ...code, at, role: old.roleAt(line) }]
  })
  const [come, gone] = [new Set(added.map(({ line }) => line)), new Set(removed.map(({ line }) => line))]
  const { path, lines } = file
  const firstIn = ({ from, to }: Lines, some: ReadonlySet<number>): number | null => {
    for (let line = from; line <= to; line++) if (some.has(line)) return line
    return null
  }
  const around = now.code === null ? [] : now.code.factsAround(come)
  const fresh = (around ?? []).flatMap((fact): readonly FreshFact[] => {
    const line = firstIn(fact.head, come)
    return line === null ? [] : [{ ...fact, line, role: now.roleAt(line), raw: lines?.[line - 1] ?? '' }]
  })
  const ofTests = (marks: readonly Mark[], some: ReadonlySet<number>, { roleAt }: Side): readonly Mark[] =>
    marks.filter((mark) => {
      const line = firstIn(mark.reach, some)
      return line !== null && roleAt(line) === 'test'
    })
  const unread =
    (come.size > 0 ? (now.unread ?? (around === null ? 'it is too large' : null)) : null) ??
    (gone.size > 0 && roleOf(path) === 'test' ? old.unread : null)
  return {
    file,
    path,
    family,
    role: roleOf(path),
    isEntry: isEntry(path, lines?.[0] ?? '', now.lines),
    isFixture: isFixture(path),
    now: now.lines,
    added,
    removed,
    code: now.code,
    around: around ?? [],
    fresh,
    marks: { now: now.marks, come: ofTests(now.marks, come, now), gone: ofTests(old.marks, gone, old) },
    broken:
      unread === null
        ? brokenParts(now.code, come)
        : [{ line: null, text: `could not be parsed: ${unread}` }],
  }
}

/**
 * A line that went here and came there was moved or indented anew: it is neither new nor gone. What was text before and is
 * code now did not move.
 */
class Moved {
  readonly #went: Map<string, number>
  readonly #came: Map<string, number>

  constructor(sides: readonly Sides[]) {
    this.#went = counted(
      sides.flatMap(({ file, old }) => file.removed.map(({ line }) => old.lines[line - 1])),
    )
    this.#came = counted(sides.flatMap(({ file, now }) => file.added.map(({ line }) => now.lines[line - 1])))
  }

  isNew(line: CodeLine): boolean {
    return !taken(this.#went, line)
  }

  isGone(line: CodeLine): boolean {
    return !taken(this.#came, line)
  }
}

const keyOf = ({ raw, code }: CodeLine): string => `${code.trim()}\n${raw.trim()}`

function counted(lines: readonly (CodeLine | undefined)[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of lines)
    if (line !== undefined) counts.set(keyOf(line), (counts.get(keyOf(line)) ?? 0) + 1)
  return counts
}

function taken(counts: Map<string, number>, line: CodeLine): boolean {
  const left = counts.get(keyOf(line)) ?? 0
  if (left > 0) counts.set(keyOf(line), left - 1)
  return left > 0
}
