/** Defines tripwires: patterns in lines, calls or files that suggest the work is less proven than it looks. */
import type { Finding } from '../../event-schemas/evidence.ts'
import type { Family } from '../../languages/languages.ts'
import type { NamingSpec } from './protected-files.ts'
import type { Role, FreshFact, FreshLine, Reading } from './reading.ts'
import type { FactKind } from './syntax/facts.ts'

/** A doubtful match is left to review. */
export type Weight = Exclude<Finding['weight'], 'note'>

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

export interface WireFacts {
  readonly readings: readonly Reading[]
  readonly spec: NamingSpec
}

export type Wire = (reading: Reading, facts: WireFacts) => readonly Trip[]

/** Longer lines are cut; `unreadable-code` reports them. */
export const LONGEST_LINE = 1_000

export interface WireName {
  readonly wire: string
  readonly saw: string
  readonly roles: readonly Role[]
}

/** How much a match weighs; null if it is harmless. */
type Weigh<Seen> = Weight | ((seen: Seen, reading: Reading) => Weight | null)
type Rows<Seen> = readonly (readonly [pattern: RegExp, weight: Weigh<Seen>])[]
export type FactRows = Rows<FreshFact>
/** One or two languages, or `any` programming language. */
type Families = Family | `${Family},${Family}` | 'any'
/** Parts of added lines, for comments and for files without a grammar: code alone, with its strings, or the comments. */
type Part = 'code' | 'line' | 'comment'
/** `js use`: names of added calls, assignments, decorators or strings, by language and kind of fact. `java code`: added lines. */
type WireTable = { readonly [Key in `${Families} ${FactKind}`]?: FactRows } & {
  readonly [Key in `${Families} ${Part}`]?: Rows<FreshLine>
}

export function wires({ wire, saw, roles }: WireName, table: WireTable): readonly Wire[] {
  return Object.entries(table).flatMap(([key, rows]) => {
    const [families = '', look = ''] = key.split(' ')
    const isWanted = (family: Family): boolean =>
      families === 'any' ? family !== 'config' && family !== 'json' : families.split(',').includes(family)
    return (rows as Rows<FreshFact | FreshLine>).map(([pattern, weigh]): Wire => (reading) => {
      if (!isWanted(reading.family)) return []
      return namesIn(look as FactKind | Part, reading).flatMap(([seen, name]) => {
        if (!roles.includes(seen.role) || !pattern.test(name.slice(0, LONGEST_LINE))) return []
        const weight = typeof weigh === 'function' ? weigh(seen, reading) : weigh
        return weight === null ? [] : [tripAt(reading, seen, { wire, saw, weight })]
      })
    })
  })
}

type Named = readonly [seen: FreshFact | FreshLine, name: string]

function namesIn(look: FactKind | Part, { fresh, added }: Reading): readonly Named[] {
  if (look === 'code' || look === 'comment') return added.map((line) => [line, line[look]])
  if (look === 'line') return added.map((line) => [line, line.text])
  return fresh.filter(({ kind }) => kind === look).map((fact) => [fact, fact.name])
}

const weighing =
  (weight: Weight) =>
  (...patterns: readonly RegExp[]) =>
    patterns.map((pattern) => [pattern, weight] as const)

/** Rows for patterns of which every match weighs the same. */
export const blocks = weighing('blocks')
export const review = weighing('review')

/** A match that is harmless unless the condition holds. */
export function when(isSo: (fact: FreshFact) => boolean, weigh: Weigh<FreshFact>): Weigh<FreshFact> {
  return (fact, reading) => {
    if (!isSo(fact)) return null
    return typeof weigh === 'function' ? weigh(fact, reading) : weigh
  }
}

export const isCalled = ({ args }: FreshFact): boolean => args !== null

export const hasArgument =
  (pattern: RegExp) =>
  ({ args }: FreshFact): boolean =>
    pattern.test(args?.[0]?.text ?? '')

export const hasValue =
  (pattern: RegExp) =>
  ({ value }: FreshFact): boolean =>
    pattern.test(value?.text ?? '')

export function tripAt(
  { path, isFixture }: Reading,
  { line, raw }: Pick<FreshLine, 'line' | 'raw'>,
  what: Pick<Trip, 'wire' | 'saw' | 'weight'>,
): Trip {
  return { ...what, weight: isFixture ? 'review' : what.weight, path, line, text: raw.trim() }
}

export const ANYWHERE: readonly Role[] = ['test', 'settings', 'source']

/** The nearest line above that starts the enclosing block; undefined at the top. */
export function blockAround({ now }: Reading, line: number): Reading['now'][number] | undefined {
  const indent = indentOf(now[line - 1]?.raw ?? '')
  return now
    .slice(Math.max(0, line - 200), line - 1)
    .findLast(({ code, raw }) => code.trim() !== '' && indentOf(raw) < indent)
}

/** The nearest line below with code. */
export function codeBelow(reading: Reading, line: number): Reading['now'][number] | undefined {
  return reading.now.slice(line, line + 50).find(({ code }) => code.trim() !== '')
}

export const indentOf = (raw: string): number => raw.length - raw.trimStart().length
