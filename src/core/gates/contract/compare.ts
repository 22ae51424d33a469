/**
 * Compares two public interfaces by the text of their signatures. A name that is gone, and parameters that callers lack or no
 * longer may pass, break callers; so does a type that is another one. New and optional things do not. A text that only grew
 * or shrank (`string` and `string | null`) may be wider or narrower: that is for a reviewer to judge.
 */

import { beyond } from '../change.ts'

/** A symbol with the place it is known at: a file, a package, a header. */
export interface PlacedSymbol extends PublicSymbol {
  readonly unit: string
  readonly file: string
}

export interface ApiChange {
  /** `unclear`: the text does not show whether callers break. */
  readonly kind: 'removed' | 'changed' | 'unclear' | 'added'
  readonly name: string
  /** Its current place; its former one if it was removed. */
  readonly file: string
  readonly line: number
  readonly before: string | null
  readonly after: string | null
  readonly why: string
}

export function compareApis(
  before: readonly PlacedSymbol[],
  after: readonly PlacedSymbol[],
): readonly ApiChange[] {
  const [old, now] = [Map.groupBy(before, keyOf), Map.groupBy(after, keyOf)]
  const changes: ApiChange[] = []
  for (const [key, symbols] of old) {
    const [first] = symbols
    const others = now.get(key)
    if (others !== undefined) changes.push(...changed(symbols, others))
    else if (first !== undefined && !isInherited(first) && !isListedWithOwner(key, old, now)) {
      changes.push({
        kind: 'removed',
        ...placeOf(first),
        before: first.signature,
        after: null,
        why: 'was removed',
      })
    }
  }
  for (const [key, [first]] of now) {
    if (old.has(key) || first === undefined || isListedWithOwner(key, now, old)) continue
    changes.push({ kind: 'added', ...placeOf(first), before: null, after: first.signature, why: 'is new' })
  }
  return changes
}

const placeOf = ({ name, file, line }: PlacedSymbol): Pick<ApiChange, 'name' | 'file' | 'line'> => ({
  name,
  file,
  line,
})

const keyOf = (symbol: PlacedSymbol): string => `${symbol.unit}\0${symbol.name}`

/** A class without a constructor uses that of its base. */
const isInherited = ({ name }: PlacedSymbol): boolean => /\.(constructor|__init__)$/.test(name)

type ByKey = ReadonlyMap<string, readonly PlacedSymbol[]>

/** Members of a removed or a new symbol are not listed separately. */
function isListedWithOwner(key: string, own: ByKey, other: ByKey): boolean {
  const owner = key.slice(0, Math.max(0, key.lastIndexOf('.')))
  return own.has(owner) && !other.has(owner)
}

interface Difference {
  readonly why: string
  readonly isBreak: boolean
}

const breaks = (why: string): Difference => ({ why, isBreak: true })
const unclear = (why: string): Difference => ({ why, isBreak: false })

/** Every old signature needs a compatible new one. */
function changed(olds: readonly PlacedSymbol[], news: readonly PlacedSymbol[]): readonly ApiChange[] {
  return olds.flatMap((old, place): readonly ApiChange[] => {
    const found = news.map((now) => ({ now, all: differences(old, now) }))
    const mildest = found.find(({ all }) => !all.some(({ isBreak }) => isBreak))
    const shown = found.find(({ all }) => all.length === 0) ?? mildest ?? found[place] ?? found[0]
    if (shown === undefined || shown.all.length === 0) return []
    const why = shown.all.map((one) => one.why).join('; ')
    const kind = shown === mildest ? 'unclear' : 'changed'
    return [{ kind, ...placeOf(shown.now), before: old.signature, after: shown.now.signature, why }]
  })
}

function differences(old: PublicSymbol, now: PublicSymbol): readonly Difference[] {
  const words = wordDifference(old.words, now.words)
  if (old.parameters === null || now.parameters === null) {
    const type = typeDifference('is ', old.type, now.type)
    if (old.parameters === now.parameters) return [...words, ...type]
    return [unclear(now.parameters === null ? 'may no longer be callable' : 'is a function now')]
  }
  return [
    ...parameterDifferences(old.parameters, now.parameters),
    ...typeDifference('returns ', old.type, now.type),
    ...words,
  ]
}

/** What is not declared cannot be compared. */
function typeDifference(lead: string, old: string, now: string): readonly Difference[] {
  const found = old === '' || now === '' ? 'same' : textChange(old, now)
  const why = `${lead}${now} instead of ${old}`
  return found === 'same' ? [] : [found === 'other' ? breaks(why) : unclear(why)]
}

function wordDifference(old: string, now: string): readonly Difference[] {
  const found = textChange(old, now)
  if (found === 'same') return []
  const why =
    old === '' ? `is ${now} now` : now === '' ? `is no longer ${old}` : `is ${now} instead of ${old}`
  return [found === 'other' ? breaks(why) : unclear(why)]
}

/** `part`: one text has every word of the other. Layout, separators and the kind of quotes do not matter. */
function textChange(old: string, now: string): 'same' | 'part' | 'other' {
  const [was, is] = [wordsOf(old), wordsOf(now)]
  if (was.join(' ') === is.join(' ')) return 'same'
  return ANYTHING.test(now) || hasAll(was, is) || hasAll(is, was) ? 'part' : 'other'
}

/** Types that stand for every other. */
const ANYTHING = /^(?:any|unknown|object|Any|typing\.Any|interface ?\{\})$/

const wordsOf = (text: string): readonly string[] =>
  text.replaceAll('"', "'").match(/[\p{L}\p{N}_$]+|[^\s,;]/gu) ?? []

const hasAll = (all: readonly string[], wanted: readonly string[]): boolean =>
  !beyond(wanted, all, String).some((word) => /[\p{L}\p{N}]/u.test(word))

function parameterDifferences(old: readonly Parameter[], now: readonly Parameter[]): readonly Difference[] {
  const [oldPlaces, places] = [old, now].map((all) => all.filter(({ passedBy }) => passedBy !== 'name'))
  const met = new Set<Parameter>()
  const found = old.flatMap((was): readonly Difference[] => {
    const place = oldPlaces?.indexOf(was) ?? -1
    const shown = was.name === '' ? `parameter ${place + 1}` : was.name
    const is = partnerOf(was, places?.[place], old, now)
    if (is === undefined) {
      const why = `no longer takes ${shown}`
      const mayBeRest =
        was.isOptional && now.some(({ name }) => isRest(name) && !old.some((one) => one.name === name))
      return [mayBeRest ? unclear(why) : breaks(why)]
    }
    met.add(is)
    return [
      ...(was.isOptional && !is.isOptional ? [breaks(`${shown} is no longer optional`)] : []),
      ...(was.passedBy !== 'name' && is.passedBy === 'name'
        ? [breaks(`${shown} can only be passed by name`)]
        : []),
      ...(was.passedBy !== 'place' && is.passedBy === 'place'
        ? [breaks(`${shown} can no longer be passed by name`)]
        : []),
      ...(place !== -1 && is.passedBy !== 'name' && places?.indexOf(is) !== place
        ? [breaks(`${shown} is at another position`)]
        : []),
      ...typeDifference(`${shown} is `, was.type, is.type),
    ]
  })
  const needed = now.filter((is) => !met.has(is) && !is.isOptional)
  const isNew = ({ name, type }: Parameter): Difference => breaks(`needs the new parameter ${name || type}`)
  return [...found, ...needed.map(isNew)]
}

const isRest = (name: string): boolean => name === '...' || name.startsWith('*')

/** The one of the same name; what is only passed by its place may have another name. */
function partnerOf(
  was: Parameter,
  inPlace: Parameter | undefined,
  old: readonly Parameter[],
  now: readonly Parameter[],
): Parameter | undefined {
  if (inPlace !== undefined && inPlace.name === was.name) return inPlace
  const named = now.find(({ name }) => name !== '' && name === was.name)
  if (named !== undefined || was.passedBy !== 'place') return named
  const isAnother = inPlace?.name !== '' && old.some(({ name }) => name === inPlace?.name)
  return isAnother ? undefined : inPlace
}

/** The public interface of a file, in one form for all languages: names, and the text of their signatures in parts. */

export interface Parameter {
  /** Empty for a pattern, or where only a type is written; `...`, `*` and `**` take the rest. */
  readonly name: string
  /** Empty if not declared. */
  readonly type: string
  readonly isOptional: boolean
  readonly passedBy: 'place' | 'name' | 'either'
}

export interface PublicSymbol {
  /** The name that callers use: `slugify`, `Shop.open`, `GET /todos`. */
  readonly name: string
  readonly line: number
  /** On one line, for people. */
  readonly signature: string
  /** Null if it is not callable. */
  readonly parameters: readonly Parameter[] | null
  /** What stands around the name: modifiers, type parameters, bases. */
  readonly words: string
  /** What it returns, is or stands for; empty if that is not declared. */
  readonly type: string
}

/** A re-exported name: `name` is its name here, `*` stands for all. */
export interface PassedOn {
  readonly name: string
  readonly from: string
  readonly original: string
  readonly line: number
}

export interface FileApi {
  readonly symbols: readonly PublicSymbol[]
  readonly passedOn: readonly PassedOn[]
  /** Why the file could not be read completely; empty if it could. */
  readonly doubts: readonly string[]
  /** The text of parse errors in declarations. */
  readonly unparsed: readonly string[]
  /** Whether the file has any parse error, even in a function body. */
  readonly hasErrors: boolean
}

/** What a reader finds in a syntax tree. */
export type TreeApi = Pick<FileApi, 'symbols' | 'passedOn'>

export const NO_API: FileApi = { symbols: [], passedOn: [], doubts: [], unparsed: [], hasErrors: false }

export const symbolOf = (
  given: Pick<PublicSymbol, 'name' | 'line'> & Partial<PublicSymbol>,
): PublicSymbol => {
  const signature = given.signature ?? given.name
  return {
    parameters: null,
    words: '',
    type: '',
    ...given,
    signature: signature.length > LONGEST ? `${signature.slice(0, LONGEST)}…` : signature,
  }
}

const LONGEST = 200
