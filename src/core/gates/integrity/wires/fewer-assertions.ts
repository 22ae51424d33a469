/** Finds tests and assertions that a change removes. */
import { counted, firstFew } from '../../../../lib/text/counted.ts'
import { namesTest } from '../protected-files.ts'
import type { FreshLine, Reading, RemovedCodeLine } from '../reading.ts'
import { definitionsIn, namesUsedIn, outermost } from '../syntax/definitions.ts'
import { functionsAround } from '../syntax/around.ts'
import { firstIn, linesOf, type FactReader } from '../syntax/facts.ts'
import { tripAt, type Trip, type Wire, type WireFacts } from '../wire.ts'
import { testFunction, type Mark } from './test-marks.ts'

/** The changed code that a removed mark called; null where it called none, empty where that cannot be told. */
type CalledBy = (mark: Mark) => readonly string[] | null

/**
 * Fewer tests or assertions. Table rows do not count. It is left to review where the contract deletes what they tested, where
 * rows were added, and where the contract names the file and the change removes or alters the code that they called, or may.
 */
export const fewerAssertions: Wire = (reading, facts) => {
  if (reading.file.kind !== 'modified') return []
  const added = namedOn(reading.marks.added, reading.added)
  const removed = namedOn(reading.marks.removed, reading.removed)
  if (!isFewer(removed, added)) return []
  const calls: CalledBy = namesTest(facts.spec, reading.path) ? changedCalls(reading, facts) : () => null
  const unexplained = removed.filter((mark) => calls(mark) === null)
  const isExplained = deletesSources(facts) || countOf(added, 'rows') > 0 || !isFewer(unexplained, added)
  return isExplained ? eachPlace(reading, removed, calls) : inAll(reading, unexplained, added)
}

/** Tests whose name is on one of these lines. */
function namedOn(marks: readonly Mark[], lines: readonly { readonly line: number }[]): readonly Mark[] {
  const some = new Set(lines.map(({ line }) => line))
  return marks.filter((mark) => firstIn(mark.lines, some) !== null)
}

const countOf = (marks: readonly Mark[], what: Mark['what']): number =>
  marks.filter((mark) => mark.what === what).length

const isFewer = (removed: readonly Mark[], added: readonly Mark[]): boolean =>
  (['test', 'assertion'] as const).some((what) => countOf(removed, what) > countOf(added, what))

function deletesSources({ readings, spec }: WireFacts): boolean {
  return (
    spec.files.delete.length > 0 &&
    readings.some(({ file, role }) => file.kind === 'deleted' && role === 'source')
  )
}

const WIRE = 'fewer-assertions'

function inAll(reading: Reading, removed: readonly Mark[], added: readonly Mark[]): readonly Trip[] {
  const tests = countOf(removed, 'test') - countOf(added, 'test')
  const assertions = countOf(removed, 'assertion') - countOf(added, 'assertion')
  const what = tests > 0 ? counted(tests, 'test') : counted(assertions, 'assertion')
  const [first] = placesOf(reading, removed)
  return first === undefined
    ? []
    : [tripAt(reading, first, { wire: WIRE, saw: `removes ${what}`, weight: 'blocks' })]
}

/** One for each place with all that was removed there. */
function eachPlace(reading: Reading, removed: readonly Mark[], calls: CalledBy): readonly Trip[] {
  const byPlace = Map.groupBy(placesOf(reading, removed), ({ line }) => line)
  return [...byPlace.values()].flatMap((places): readonly Trip[] => {
    const [first] = places
    const last = places.at(-1)
    if (first === undefined || last === undefined) return []
    const marks = places.map(({ mark }) => mark)
    const parts = (['test', 'assertion'] as const).flatMap((what) => {
      const count = countOf(marks, what)
      return count === 0 ? [] : [counted(count, what)]
    })
    const [from, to] = [first.mark.lines.from, last.mark.reach.to]
    const lines = from === to ? `line ${from} before` : `lines ${from} to ${to} before`
    const names = [...new Set(marks.flatMap((mark) => calls(mark) ?? []))]
    const of = names.length === 0 ? '' : ` of changed code (${firstFew(names, 3)})`
    const saw = `removes ${parts.join(' and ')}${of}, ${lines}`
    return [tripAt(reading, first, { wire: WIRE, saw, weight: 'review' })]
  })
}

interface Place extends Pick<RemovedCodeLine, 'line' | 'raw'> {
  readonly mark: Mark
}

/** Where each of them was, in the file as it is now. */
function placesOf({ now, removed }: Reading, marks: readonly Mark[]): readonly Place[] {
  return marks.flatMap((mark): readonly Place[] => {
    const gone = removed.find(({ line }) => line >= mark.lines.from && line <= mark.reach.to)
    if (mark.what === 'rows' || gone === undefined) return []
    return [{ line: Math.max(1, Math.min(gone.at, now.length)), raw: gone.raw, mark }]
  })
}

/**
 * The names that a test calls, or the test of an assertion, and that lead to code that the change removes or alters. Where it
 * calls nothing that a changed source defines, it may reach changed code by way of modules that did not change, and where the
 * language has no grammar, by any way.
 */
function changedCalls({ old, marks }: Reading, { readings }: WireFacts): CalledBy {
  const sources = readings.filter(({ role, isFixture }) => role === 'source' && !isFixture)
  const isAltered = readings.some(
    ({ added, removed, isFixture }) => !isFixture && [...added, ...removed].some(isSourceCode),
  )
  if (!isAltered) return () => null
  if (old === null) return () => []
  const changed = new Set(sources.flatMap(namesChanged))
  addCallers(changed, [old, ...sources.flatMap((one) => [one.old, one.code])])
  const defined = new Set(sources.flatMap((one) => namesDefined(one.old)))
  const tests = marks.before.flatMap(({ what, fact, lines: { from } }) =>
    what === 'test' && fact !== null ? [{ from, to: (testFunction(fact) ?? fact.node).lastLine }] : [],
  )
  return ({ reach, fact }) => {
    const test = tests.findLast(({ from, to }) => from <= reach.to && reach.from <= to)
    const [helper] = test !== undefined || fact === null ? [] : functionsAround(fact)
    const around = test ?? (helper === undefined ? reach : linesOf(helper))
    const used = [...namesUsedIn(old, around)]
    const names = used.filter((name) => changed.has(name))
    return names.length === 0 && used.some((name) => defined.has(name)) ? null : names
  }
}

const namesDefined = (code: FactReader | null): readonly string[] =>
  code === null ? [] : definitionsIn(code).map(({ name }) => name)

/** What a source defines on lines that were added or removed; its own tests are no part of it. */
const namesChanged = ({ old, code, added, removed }: Reading): readonly string[] => [
  ...definedOn(old, removed),
  ...definedOn(code, added),
]

const isSourceCode = ({ role, code }: FreshLine | RemovedCodeLine): boolean =>
  role === 'source' && code.trim() !== ''

function definedOn(code: FactReader | null, lines: Reading['added'] | Reading['removed']): readonly string[] {
  const own = lines.filter(isSourceCode)
  const some = new Set(own.map(({ line }) => line))
  if (code === null || some.size === 0) return []
  return definitionsIn(code).flatMap(({ name, lines: range }) =>
    firstIn(range, some) === null ? [] : [name],
  )
}

/** Adds what uses one of these names, directly or not. */
function addCallers(names: Set<string>, files: readonly (FactReader | null)[]): void {
  const all = files.flatMap((code) =>
    code === null
      ? []
      : outermost(definitionsIn(code)).map(({ name, lines }) => ({ name, uses: namesUsedIn(code, lines) })),
  )
  for (const name of names) {
    for (const caller of all) if (caller.uses.has(name)) names.add(caller.name)
  }
}
