/** Prepares a change for tripwires: added and removed lines, calls and tests of programs. */
import type { Family } from '../../languages/languages.ts'
import { isUnread, unreadReason, type Parsed } from '../../languages/syntax.ts'
import { linesBefore, type Change, type ChangedFile } from '../change.ts'
import type { ChangeTrees } from '../change-trees.ts'
import { codeLines, type CodeLine } from './code-lines.ts'
import { familyOf, isEntry, isFixture, roleOf, type Role } from './file-roles.ts'
import { brokenParts, type BrokenPart } from './syntax/broken.ts'
import { ancestors } from './syntax/around.ts'
import { FactReader, firstIn, linesOf, type Fact, type Lines } from './syntax/facts.ts'
import { NODE_KINDS } from './syntax/node-kinds.ts'
import { marksIn, marksOnLines, type Mark } from './wires/test-marks.ts'

export interface FreshLine extends CodeLine {
  /** A source file may contain tests too. */
  readonly role: Role
}

export interface RemovedCodeLine extends CodeLine {
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
  readonly removed: readonly RemovedCodeLine[]
  /** Null if there is no grammar; then rules on lines apply. */
  readonly code: FactReader | null
  /** The file as it was, alike. */
  readonly old: FactReader | null
  /** Facts of statements with added lines. */
  readonly around: readonly Fact[]
  /** Facts on added lines. */
  readonly fresh: readonly FreshFact[]
  /** Tests and assertions: all that are and were there, and those on added and removed lines. */
  readonly marks: {
    readonly before: readonly Mark[]
    readonly now: readonly Mark[]
    readonly added: readonly Mark[]
    readonly removed: readonly Mark[]
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
  const added = sides.flatMap(({ file, now }) => linesAt(now, file.added))
  const removed = sides.flatMap(({ file, old }) => linesAt(old, file.removed))
  const kept = new Set([...withoutMoved(added, removed), ...withoutMoved(removed, added)])
  return sides.map((both) => readingOf(both, kept))
}

const linesAt = ({ lines }: Side, places: readonly { readonly line: number }[]): readonly CodeLine[] =>
  places.flatMap(({ line }) => lines[line - 1] ?? [])

/**
 * A line that was removed here and added there was moved or indented anew, and counts as neither. What was a string before
 * and is code now did not move.
 */
function withoutMoved(lines: readonly CodeLine[], others: readonly CodeLine[]): readonly CodeLine[] {
  const keyOf = ({ raw, code }: CodeLine): string => `${code.trim()}\n${raw.trim()}`
  const counts = new Map<string, number>()
  for (const line of others) counts.set(keyOf(line), (counts.get(keyOf(line)) ?? 0) + 1)
  return lines.filter((line) => {
    const left = counts.get(keyOf(line)) ?? 0
    if (left > 0) counts.set(keyOf(line), left - 1)
    return left === 0
  })
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

/** Null if the file has no tree. */
export function factReader(family: Family, parsed: Parsed | null): FactReader | null {
  const kinds = NODE_KINDS[family]
  return parsed === null || isUnread(parsed) || kinds === undefined ? null : new FactReader(parsed, kinds)
}

function sideOf(text: readonly string[], family: Family, parsed: Parsed | null, role: Role): Side {
  const code = factReader(family, parsed)
  const isLost = family in NODE_KINDS && parsed !== null && isUnread(parsed) && parsed.unread !== 'no_grammar'
  const lines = codeLines(text, family, code)
  const tests = role === 'source' && code !== null ? testLines(code) : []
  const hasTests = (role === 'test' || tests.length > 0) && lines.length > 0
  return {
    lines,
    code,
    marks: !hasTests ? [] : code === null ? marksOnLines(lines, family) : marksIn(code, family),
    roleAt: (line) => (tests.some(({ from, to }) => line >= from && line <= to) ? 'test' : role),
    unread: isLost ? unreadReason(parsed) : null,
  }
}

interface Sides {
  readonly file: ChangedFile
  readonly family: Family
  readonly old: Side
  readonly now: Side
}

/** `kept`: the lines that were not moved. */
function readingOf({ file, family, old, now }: Sides, kept: ReadonlySet<CodeLine>): Reading {
  const { path, lines } = file
  const role = roleOf(path)
  const added = linesAt(now, file.added)
    .filter((line) => kept.has(line))
    .map((line) => ({ ...line, role: now.roleAt(line.line) }))
  const removed = file.removed.flatMap(({ line, at }) =>
    linesAt(old, [{ line }])
      .filter((one) => kept.has(one))
      .map((one) => ({ ...one, at, role: old.roleAt(line) })),
  )
  const addedLines = new Set(added.map(({ line }) => line))
  const removedLines = new Set(removed.map(({ line }) => line))
  const around = now.code === null ? [] : now.code.factsAround(addedLines)
  const fresh = (around ?? []).flatMap((fact): readonly FreshFact[] => {
    const line = firstIn(fact.head, addedLines)
    return line === null ? [] : [{ ...fact, line, role: now.roleAt(line), raw: lines?.[line - 1] ?? '' }]
  })
  const ofTests = ({ marks, roleAt }: Side, some: ReadonlySet<number>): readonly Mark[] =>
    marks.filter(({ reach }) => {
      const line = firstIn(reach, some)
      return line !== null && roleAt(line) === 'test'
    })
  const unread =
    (addedLines.size > 0 ? (now.unread ?? (around === null ? 'it is too large' : null)) : null) ??
    (removedLines.size > 0 && role === 'test' ? old.unread : null)
  return {
    file,
    path,
    family,
    role,
    isEntry: isEntry(path, lines?.[0] ?? '', now.lines),
    isFixture: isFixture(path),
    now: now.lines,
    added,
    removed,
    code: now.code,
    old: old.code,
    around: around ?? [],
    fresh,
    marks: {
      before: old.marks,
      now: now.marks,
      added: ofTests(now, addedLines),
      removed: ofTests(old, removedLines),
    },
    broken:
      unread === null
        ? brokenParts(now.code, addedLines)
        : [{ line: null, text: `could not be parsed: ${unread}` }],
  }
}

/** Lines of a source file that contain tests: `#[cfg(test)] mod …` of Rust, `if (import.meta.vitest) …`. */
function testLines(code: FactReader): readonly Lines[] {
  if (!/\bcfg\s*\(\s*test\b|\bimport\.meta\??\.vitest\b/.test(code.tree.text)) return []
  const { decorators, comments } = code.kinds
  return code.facts.flatMap(({ kind, name, args, node, head }): readonly Lines[] => {
    if (kind === 'decorator' && name === 'cfg' && args?.[0]?.text === 'test') {
      const siblings = node.parent?.children ?? []
      const item = siblings
        .slice(siblings.indexOf(node) + 1)
        .find((one) => one.isNamed && !decorators.has(one.kind) && !comments.has(one.kind))
      return [{ from: head.from, to: item?.lastLine ?? head.to }]
    }
    if (kind !== 'use' || !/^import\.meta\.vitest\b/.test(name)) return []
    const block = ancestors(node).find((one) => one.kind === 'if_statement')
    return block === undefined ? [] : [linesOf(block)]
  })
}
