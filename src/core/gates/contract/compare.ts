/**
 * Compares two public interfaces. A change breaks callers if a name is gone, if it requires or returns something else, or
 * accepts less. Accepting more, and new optional parts, are compatible.
 */
import { isWider } from './compare-types.ts'
import type { Parameter, PublicSymbol } from './public-symbol.ts'

/** A symbol with the place it is known at: a file, a package, a header. */
export interface PlacedSymbol extends PublicSymbol {
  readonly unit: string
  readonly file: string
}

export interface ApiChange {
  /** Everything but `added` breaks callers. */
  readonly kind: 'removed' | 'changed' | 'added'
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
  const [old, now] = [byName(before), byName(after)]
  const changes: ApiChange[] = []
  for (const [key, symbols] of old) {
    const others = now.get(key)
    if (others !== undefined) changes.push(...changed(symbols, others))
    else changes.push(...symbols.slice(0, 1).flatMap((first) => removed(first, old, now)))
  }
  for (const [key, [first]] of now) {
    if (old.has(key) || first === undefined || isListedWithOwner(first, now, old)) continue
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
const ownerOf = (key: string): string | null => {
  const dot = key.lastIndexOf('.')
  return dot > key.indexOf('\0') ? key.slice(0, dot) : null
}

const byName = (symbols: readonly PlacedSymbol[]): ByName => Map.groupBy(symbols, keyOf)

type ByName = ReadonlyMap<string, readonly PlacedSymbol[]>

function removed(symbol: PlacedSymbol, old: ByName, now: ByName): readonly ApiChange[] {
  // A class without a constructor uses that of its base.
  const isConstructor = symbol.kind === 'member' && /\.(constructor|__init__)$/.test(symbol.name)
  if (isConstructor || isListedWithOwner(symbol, old, now)) return []
  const why = 'was removed'
  return [{ kind: 'removed', ...placeOf(symbol), before: symbol.signature, after: null, why }]
}

/** Members of a removed or a new symbol are not listed separately. */
function isListedWithOwner(symbol: PlacedSymbol, own: ByName, other: ByName): boolean {
  const owner = ownerOf(keyOf(symbol))
  return symbol.kind === 'member' && owner !== null && own.has(owner) && !other.has(owner)
}

/** Every old signature needs a compatible new one. */
function changed(olds: readonly PlacedSymbol[], news: readonly PlacedSymbol[]): readonly ApiChange[] {
  return olds.flatMap((old, place): readonly ApiChange[] => {
    const found = news.map((now) => ({ now, breaks: breaksOf(old, now) }))
    const shown = found[place] ?? found[0]
    if (shown === undefined || found.some(({ breaks }) => breaks.length === 0)) return []
    const { now, breaks } = shown
    const why = breaks.join('; ')
    return [{ kind: 'changed', ...placeOf(now), before: old.signature, after: now.signature, why }]
  })
}

/** Empty if callers can use both in the same way. */
function breaksOf(old: PublicSymbol, now: PublicSymbol): readonly string[] {
  const isCallable = old.parameters !== null
  const isComparable = !isUntyped(old) && !isUntyped(now)
  if (isCallable !== (now.parameters !== null)) {
    if (!isComparable) return []
    return [isCallable ? 'can no longer be called' : 'is a function now']
  }
  if (old.kind !== now.kind && !isCallable && isComparable)
    return [`is a ${now.kind} instead of a ${old.kind}`]
  return [
    ...(old.parameters === null || now.parameters === null
      ? []
      : parameterBreaks(old.parameters, now.parameters)),
    ...typeBreaks(old, now),
    ...genericBreaks(old.typeParameters, now.typeParameters),
    ...modifierBreaks(old, now),
    ...baseBreaks(old.bases, now.bases),
    ...(old.value !== now.value && old.value !== null && now.value !== null
      ? [`its value is ${now.value} instead of ${old.value}`]
      : []),
  ]
}

/** A value without a declared type cannot be compared. */
const isUntyped = (symbol: PublicSymbol): boolean =>
  symbol.kind === 'value' && symbol.type === null && symbol.parameters === null

function typeBreaks(old: PublicSymbol, now: PublicSymbol): readonly string[] {
  if (old.type === null || now.type === null) return []
  // A result may become narrower; a type alias may become wider.
  const isKept = old.kind === 'type' ? isWider(old.type, now.type) : isWider(now.type, old.type)
  const what = old.parameters === null ? 'its type is' : 'it returns'
  return isKept ? [] : [`${what} ${now.type} instead of ${old.type}`]
}

function genericBreaks(old: readonly string[], now: readonly string[]): readonly string[] {
  if (old.length > now.length) return ['it has fewer type parameters']
  const differ = old.findIndex((text, place) => withoutName(text) !== withoutName(now[place]))
  if (differ !== -1) return [`its type parameter is ${now[differ] ?? ''} instead of ${old[differ] ?? ''}`]
  const needed = now.slice(old.length).filter((text) => !text.includes('='))
  return needed.length > 0 && old.length > 0 ? [`it needs the type parameter ${needed.join(', ')}`] : []
}

/** The name of a type parameter does not matter to callers. */
const withoutName = (text: string | undefined): string => (text ?? '').replace(/^[\w$]+/, '')

/** Modifiers that may be added, and those that may be removed, without a break. */
const MAY_COME: ReadonlySet<string> = new Set(['const', 'constexpr', 'noexcept', 'optional'])
const MAY_GO: ReadonlySet<string> = new Set(['abstract', 'readonly', 'unsafe', 'explicit'])

function modifierBreaks(old: PublicSymbol, now: PublicSymbol): readonly string[] {
  const came = now.modifiers.filter((word) => !old.modifiers.includes(word) && !MAY_COME.has(word))
  const went = old.modifiers.filter((word) => !now.modifiers.includes(word) && !MAY_GO.has(word))
  return [...came.map((word) => `is ${word} now`), ...went.map((word) => `is no longer ${word}`)]
}

function baseBreaks(old: readonly string[], now: readonly string[]): readonly string[] {
  const gone = old.filter((base) => !now.includes(base))
  return gone.length === 0 ? [] : [`no longer extends ${gone.join(', ')}`]
}

function parameterBreaks(old: readonly Parameter[], now: readonly Parameter[]): readonly string[] {
  const isPassedByName = [...old, ...now].some((one) => one.isNamed === true || isByName(one))
  if (isReordered(old, now)) {
    return [`its parameters are reordered: ${namesOf(now)} instead of ${namesOf(old)}`]
  }
  return isPassedByName ? byNameAndPlace(old, now) : byPlace(old, now)
}

const namesOf = (parameters: readonly Parameter[]): string =>
  parameters.map(({ name, type }) => (name === '' ? (type ?? '_') : name)).join(', ')

const isByName = (one: Parameter): boolean => one.need.startsWith('named')
const canBeLeftOut = (one: Parameter): boolean => one.need !== 'required' && one.need !== 'named'

/** The same names in another order: even with equal types, callers would pass the wrong arguments. */
function isReordered(old: readonly Parameter[], now: readonly Parameter[]): boolean {
  const names = (all: readonly Parameter[]): readonly string[] =>
    all.filter((one) => !isByName(one)).map(({ name }) => name)
  const [was, is] = [names(old), names(now)]
  const shared = was.filter((name) => name !== '' && name !== '_' && is.includes(name))
  const order = is.filter((name) => shared.includes(name))
  return shared.length > 1 && shared.join('\0') !== order.join('\0')
}

function byPlace(old: readonly Parameter[], now: readonly Parameter[]): readonly string[] {
  const names = new Set(now.map((one) => one.name))
  const gone = old.filter((one) => one.name !== '' && !names.has(one.name))
  if (now.length > 0 && gone.length > 0 && gone.length === old.length - now.length) {
    return gone.map((one) => `no longer takes ${one.name}`)
  }
  const rest = now.at(-1)?.need === 'rest' ? now.at(-1) : undefined
  const changedOnes = old.flatMap((was, place) => {
    const is = now[place] ?? rest
    if (is === undefined) return [`no longer takes ${nameOf(was, place)}`]
    const isMoved = was.name !== '' && was.name !== '_' && is.name !== was.name && names.has(was.name)
    return isMoved ? [`${was.name} is at another position`] : oneParameter(was, is, place)
  })
  const neededOnes = now.flatMap((is, place) => {
    const isKnown = place < old.length || old.some((was) => was.name !== '' && was.name === is.name)
    return isKnown || canBeLeftOut(is) ? [] : [`needs the new parameter ${nameOf(is, place)}`]
  })
  return [...changedOnes, ...neededOnes]
}

const nameOf = (one: Parameter, place: number): string =>
  one.name === '' ? `parameter ${place + 1}` : one.name

function oneParameter(was: Parameter, is: Parameter, place: number): readonly string[] {
  const name = nameOf(is, place)
  const found: string[] = []
  if (canBeLeftOut(was) && !canBeLeftOut(is)) found.push(`${name} is no longer optional`)
  else if (was.need === 'rest' && is.need !== 'rest') found.push(`${name} is no longer variadic`)
  const [from, to] = [was.type, is.type]
  if (from === null || to === null || (is.need === 'rest' && was.need !== 'rest')) return found
  return isWider(from, to) ? found : [...found, `${name} is ${to} instead of ${from}`]
}

/** For languages in which callers may pass arguments by name. */
function byNameAndPlace(old: readonly Parameter[], now: readonly Parameter[]): readonly string[] {
  const found: string[] = []
  const positional = now.filter((one) => !isByName(one) && one.need !== 'rest')
  const takesMore = now.some((one) => one.need === 'rest' && !one.name.startsWith('**'))
  const takesNames = now.some((one) => one.name.startsWith('**'))
  let place = 0
  for (const was of old) {
    const own = isByName(was) || was.need === 'rest' ? -1 : place++
    if (was.need === 'rest') {
      if (!now.some((one) => one.name === was.name || (one.need === 'rest' && sameStars(one, was))))
        found.push(`no longer takes ${was.name}`)
      continue
    }
    const is =
      now.find((one) => one.name === was.name) ?? (was.isNamed === true ? undefined : positional[own])
    if (is === undefined) {
      const isTaken = takesNames && (isByName(was) || takesMore)
      if (!isTaken) found.push(`no longer takes ${was.name}`)
      continue
    }
    if (!isByName(was) && isByName(is)) found.push(`${was.name} can only be passed by name`)
    if (was.isNamed === true && is.isNamed !== true && !isByName(is))
      found.push(`${was.name} can no longer be passed by name`)
    if (own !== -1 && !isByName(is) && positional.indexOf(is) !== own)
      found.push(`${was.name} is at another position`)
    found.push(...oneParameter(was, is, Math.max(own, 0)))
  }
  const known = new Set(old.map((one) => one.name))
  const before = old.filter((one) => !isByName(one) && one.need !== 'rest').length
  for (const is of now) {
    if (known.has(is.name) || canBeLeftOut(is)) continue
    if (!isByName(is) && is.isNamed !== true && positional.indexOf(is) < before) continue
    found.push(`needs the new parameter ${is.name}`)
  }
  return found
}

const sameStars = (one: Parameter, other: Parameter): boolean =>
  one.name.startsWith('**') === other.name.startsWith('**')
