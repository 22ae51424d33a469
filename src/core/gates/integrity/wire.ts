/** Defines tripwires: patterns in lines, calls or files that suggest the work is less proven than it looks. */
import type { Finding } from '../../event-schemas/evidence.ts'
import type { TaskSpec } from '../../planning/plan.ts'
import type { Family, Role } from './families.ts'
import type { FreshFact, FreshLine, Reading } from './reading.ts'
import type { FactKind } from './syntax/facts.ts'

export type Weight = Finding['weight']

export interface Trip {
  readonly wire: string
  readonly weight: Weight
  /** A description for people. */
  readonly saw: string
  readonly path: string
  /** In the file as it is now. */
  readonly line: number | null
  /** The line, or empty if no single line shows it. */
  readonly text: string
}

interface WireBase {
  readonly wire: string
  readonly saw: string
  readonly roles: readonly Role[]
}

/** A query on calls, assignments, decorators and strings that the change adds. */
export interface NodeWire extends WireBase {
  readonly family: Family
  readonly on: FactKind
  readonly name: RegExp
  readonly weight: Weight | ((fact: FreshFact, reading: Reading) => Weight | null)
}

/** Rows of a name pattern and its weight. */
export type NodeRows = readonly (readonly [name: RegExp, weight: NodeWire['weight']])[]

/** The queries of one wire, by language and kind of fact. */
export function nodeWires(
  base: Pick<WireBase, 'wire' | 'saw' | 'roles'>,
  tables: Partial<Record<Family, Partial<Record<FactKind, NodeRows>>>>,
): readonly NodeWire[] {
  return Object.entries(tables).flatMap(([family, table]) =>
    Object.entries(table).flatMap(([on, rows]) =>
      rows.map(([name, weight]) => ({ ...base, family: family as Family, on: on as FactKind, name, weight })),
    ),
  )
}

/** A pattern on added lines, for comments and for files without a grammar. */
export interface LineWire extends WireBase {
  readonly families: readonly Family[]
  readonly look: 'code' | 'text' | 'comment'
  readonly pattern: RegExp
  readonly weight: Weight | ((line: FreshLine, reading: Reading) => Weight | null)
}

export interface WireFacts {
  readonly readings: readonly Reading[]
  readonly spec: Pick<TaskSpec, 'files' | 'testsToAdd'>
}

/** A rule that needs a whole file or several files. */
export type FileWire = (reading: Reading, facts: WireFacts) => readonly Trip[]

/** Longer lines are cut; `unreadable-code` reports them. */
export const LONGEST_LINE = 1_000

export function tripsOn(wire: LineWire, reading: Reading): readonly Trip[] {
  if (!wire.families.includes(reading.family)) return []
  return reading.added.flatMap((line) => {
    if (!wire.roles.includes(line.role)) return []
    if (!wire.pattern.test(line[wire.look].slice(0, LONGEST_LINE))) return []
    const weight = typeof wire.weight === 'function' ? wire.weight(line, reading) : wire.weight
    return weight === null ? [] : [tripAt(reading, line, { wire: wire.wire, saw: wire.saw, weight })]
  })
}

export function tripsOnNodes(wire: NodeWire, reading: Reading): readonly Trip[] {
  if (wire.family !== reading.family) return []
  return reading.fresh.flatMap((fact) => {
    if (wire.on !== fact.kind || !wire.roles.includes(fact.role)) return []
    if (!wire.name.test(fact.name.slice(0, LONGEST_LINE))) return []
    const weight = typeof wire.weight === 'function' ? wire.weight(fact, reading) : wire.weight
    return weight === null ? [] : [tripAt(reading, fact, { wire: wire.wire, saw: wire.saw, weight })]
  })
}

export function tripAt(
  { path, isFixture }: Reading,
  { line, raw }: Pick<FreshLine, 'line' | 'raw'>,
  what: Pick<Trip, 'wire' | 'saw' | 'weight'>,
): Trip {
  return { ...what, weight: isFixture ? 'note' : what.weight, path, line, text: raw.trim() }
}

export const CODE: readonly Family[] = ['js', 'python', 'go', 'rust', 'c', 'java', 'ruby', 'shell']
export const ANYWHERE: readonly Role[] = ['test', 'settings', 'source']

/** The nearest line above that starts the enclosing block; undefined at the top. */
export function blockAround(reading: Reading, line: number): Reading['now'][number] | undefined {
  const indent = indentOf(reading.now[line - 1]?.raw ?? '')
  for (let at = line - 2; at >= 0 && at >= line - 200; at--) {
    const above = reading.now[at]
    if (above !== undefined && above.code.trim() !== '' && indentOf(above.raw) < indent) return above
  }
  return undefined
}

/** The nearest line below with code. */
export function codeBelow(reading: Reading, line: number): Reading['now'][number] | undefined {
  return reading.now.slice(line, line + 50).find(({ code }) => code.trim() !== '')
}

export const indentOf = (raw: string): number => raw.length - raw.trimStart().length
