/**
 * What changed between two public interfaces, and which of it breaks those who use them: what is gone, what is asked of
 * callers and was not, what takes less, what gives something else. What may be left out, or takes more, is compatible.
 */
import { isWider } from './compare-types.ts'
import type { Parameter, PublicSymbol } from './public-symbol.ts'

/** A symbol with the place it is known at: a file, a package, a header. */
export interface PlacedSymbol extends PublicSymbol {
  readonly unit: string
  readonly file: string
}

export interface ApiChange {
  readonly kind: 'removed' | 'changed' | 'added'
  readonly isBreak: boolean
  readonly name: string
  /** Where it is now; where it was, of what is gone. */
  readonly file: string
  readonly line: number
  readonly before: string | null
  readonly after: string | null
  /** What exactly, in words. */
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
    if (others === undefined) changes.push(...removed(symbols, key, { old, now }))
    else changes.push(...changed(symbols, others))
  }
  for (const [key, symbols] of now) {
    const [first] = symbols
    if (old.has(key) || first === undefined || isMemberOfNew(first, old, now)) continue
    changes.push({
      kind: 'added',
      isBreak: false,
      name: first.name,
      file: first.file,
      line: first.line,
      before: null,
      after: first.signature,
      why: 'is new',
    })
  }
  return changes
}

const keyOf = (symbol: PlacedSymbol): string => `${symbol.unit}\0${symbol.name}`
const ownerOf = (key: string): string | null => {
  const dot = key.lastIndexOf('.')
  return dot > key.indexOf('\0') ? key.slice(0, dot) : null
}

function byName(symbols: readonly PlacedSymbol[]): ByName {
  return Map.groupBy(symbols, keyOf)
}

type ByName = ReadonlyMap<string, readonly PlacedSymbol[]>

/** Members of a removed symbol are not listed separately. */
function removed(
  symbols: readonly PlacedSymbol[],
  key: string,
  { old, now }: { readonly old: ByName; readonly now: ByName },
): readonly ApiChange[] {
  const [first] = symbols
  const owner = ownerOf(key)
  const isOwnerGone = owner !== null && old.has(owner) && !now.has(owner)
  if (first === undefined || (first.kind === 'member' && isOwnerGone)) return []
  // A class without a constructor uses that of its base.
  if (/\.(constructor|__init__)$/.test(first.name) && first.kind === 'member') return []
  return [
    {
      kind: 'removed',
      isBreak: true,
      name: first.name,
      file: first.file,
      line: first.line,
      before: first.signature,
      after: null,
      why: 'was removed',
    },
  ]
}

function isMemberOfNew(symbol: PlacedSymbol, old: ByName, now: ByName): boolean {
  const owner = ownerOf(keyOf(symbol))
  return symbol.kind === 'member' && owner !== null && now.has(owner) && !old.has(owner)
}

/** Every old signature needs a compatible new one. */
function changed(before: readonly PlacedSymbol[], after: readonly PlacedSymbol[]): readonly ApiChange[] {
  return before.flatMap((old, place) => {
    const found = after.map((now) => ({ now, differences: differencesOf(old, now) }))
    const isSame = found.some(({ now }) => isSameSymbol(old, now))
    if (isSame) return []
    const kind = 'changed' as const
    const fitting = found.find(({ differences }) => differences.every(({ isBreak }) => !isBreak))
    const shown = fitting ?? found[place] ?? found[0]
    if (shown === undefined) return []
    const { now, differences } = shown
    const breaks = differences.filter(({ isBreak }) => isBreak)
    const listed = breaks.length > 0 ? breaks : differences
    if (listed.length === 0) return []
    return [
      {
        kind,
        isBreak: breaks.length > 0,
        name: old.name,
        file: now.file,
        line: now.line,
        before: old.signature,
        after: now.signature,
        why: listed.map(({ words }) => words).join('; '),
      },
    ]
  })
}

function isSameSymbol(old: PlacedSymbol, now: PlacedSymbol): boolean {
  return (
    old.signature === now.signature && !old.signature.endsWith('…') && differencesOf(old, now).length === 0
  )
}

interface Difference {
  readonly isBreak: boolean
  readonly words: string
}

const breaking = (words: string): Difference => ({ isBreak: true, words })
const harmless = (words: string): Difference => ({ isBreak: false, words })

/** Empty if there is no visible difference. */
export function differencesOf(old: PublicSymbol, now: PublicSymbol): readonly Difference[] {
  const isCallable = old.parameters !== null
  if (isCallable !== (now.parameters !== null)) {
    if (isUntyped(old) || isUntyped(now)) return [harmless('is declared differently')]
    return [breaking(isCallable ? 'can no longer be called' : 'is a function now')]
  }
  const isOtherKind = old.kind !== now.kind && !isCallable
  if (isOtherKind && !isUntyped(old) && !isUntyped(now))
    return [breaking(`is a ${now.kind} instead of a ${old.kind}`)]
  return [
    ...(old.parameters === null || now.parameters === null
      ? []
      : compareParameters(old.parameters, now.parameters)),
    ...compareTypes(old, now),
    ...compareGenerics(old.typeParameters, now.typeParameters),
    ...compareModifiers(old, now),
    ...compareBases(old.bases, now.bases),
    ...(old.value !== now.value && old.value !== null && now.value !== null
      ? [breaking(`its value is ${now.value} instead of ${old.value}`)]
      : []),
  ]
}

/** A value without a declared type cannot be compared. */
const isUntyped = (symbol: PublicSymbol): boolean =>
  symbol.kind === 'value' && symbol.type === null && symbol.parameters === null

function compareTypes(old: PublicSymbol, now: PublicSymbol): readonly Difference[] {
  if (old.type === now.type) return []
  if (old.type === null) return [harmless(`has the type ${now.type ?? ''} now`)]
  if (now.type === null) return [harmless(`no longer declares its type (${old.type})`)]
  const words = `${old.parameters === null ? 'its type is' : 'it returns'} ${now.type} instead of ${old.type}`
  // A result may become narrower; a type alias may become wider.
  const isAlias = old.kind === 'type'
  const isKept = isAlias ? isWider(old.type, now.type) : isWider(now.type, old.type)
  return [isKept ? harmless(words) : breaking(words)]
}

function compareGenerics(old: readonly string[], now: readonly string[]): readonly Difference[] {
  if (old.length > now.length) return [breaking('it has fewer type parameters')]
  const differ = old.findIndex((text, place) => text !== now[place])
  if (differ !== -1 && withoutName(old[differ]) !== withoutName(now[differ])) {
    return [breaking(`its type parameter is ${now[differ] ?? ''} instead of ${old[differ] ?? ''}`)]
  }
  const added = now.slice(old.length)
  const needed = added.filter((text) => !text.includes('='))
  if (needed.length > 0 && old.length > 0)
    return [breaking(`it needs the type parameter ${needed.join(', ')}`)]
  return added.length === 0 ? [] : [harmless(`it has the type parameter ${added.join(', ')}`)]
}

/** The name of a type parameter does not matter to callers. */
const withoutName = (text: string | undefined): string => (text ?? '').replace(/^[\w$]+/, '')

/** Modifiers that may be added, and those that may be removed, without a break. */
const MAY_COME: ReadonlySet<string> = new Set(['const', 'constexpr', 'noexcept', 'optional'])
const MAY_GO: ReadonlySet<string> = new Set([
  'abstract',
  'readonly',
  'unsafe',
  'final',
  'explicit',
  'deprecated',
])

function compareModifiers(old: PublicSymbol, now: PublicSymbol): readonly Difference[] {
  const came = now.modifiers.filter((word) => !old.modifiers.includes(word))
  const went = old.modifiers.filter((word) => !now.modifiers.includes(word))
  return [
    ...came.map((word) => (MAY_COME.has(word) ? harmless(`is ${word} now`) : breaking(`is ${word} now`))),
    ...went.map((word) =>
      MAY_GO.has(word) ? harmless(`is no longer ${word}`) : breaking(`is no longer ${word}`),
    ),
  ]
}

function compareBases(old: readonly string[], now: readonly string[]): readonly Difference[] {
  const gone = old.filter((base) => !now.includes(base))
  return gone.length === 0 ? [] : [breaking(`no longer extends ${gone.join(', ')}`)]
}

function compareParameters(old: readonly Parameter[], now: readonly Parameter[]): readonly Difference[] {
  const isPassedByName = [...old, ...now].some((one) => one.isNamed === true || one.need.startsWith('named'))
  if (isReordered(old, now)) {
    return [breaking(`its parameters are reordered: ${namesOf(now)} instead of ${namesOf(old)}`)]
  }
  return isPassedByName ? byNameAndPlace(old, now) : byPlace(old, now)
}

const namesOf = (parameters: readonly Parameter[]): string =>
  parameters.map(({ name, type }) => (name === '' ? (type ?? '_') : name)).join(', ')

const isByName = (one: Parameter): boolean => one.need.startsWith('named')
const canBeLeftOut = (one: Parameter): boolean => one.need !== 'required' && one.need !== 'named'

/** The same names in another order: even with equal types, callers would pass the wrong arguments. */
function isReordered(old: readonly Parameter[], now: readonly Parameter[]): boolean {
  const [was, is] = [old, now].map((all) => all.filter((one) => !isByName(one)).map((one) => one.name)) as [
    string[],
    string[],
  ]
  const shared = was.filter((name) => name !== '' && name !== '_' && is.includes(name))
  const order = is.filter((name) => shared.includes(name))
  return shared.length > 1 && shared.join('\0') !== order.join('\0')
}

function byPlace(old: readonly Parameter[], now: readonly Parameter[]): readonly Difference[] {
  const names = new Set(now.map((one) => one.name))
  const gone = old.filter((one) => one.name !== '' && !names.has(one.name))
  if (now.length > 0 && gone.length > 0 && gone.length === old.length - now.length) {
    return gone.map((one) => breaking(`no longer takes ${one.name}`))
  }
  const rest = now.at(-1)?.need === 'rest' ? now.at(-1) : undefined
  const found: Difference[] = []
  old.forEach((was, place) => {
    const is = now[place] ?? rest
    if (is === undefined) found.push(breaking(`no longer takes ${nameOf(was, place)}`))
    else if (was.name !== '' && was.name !== '_' && is.name !== was.name && names.has(was.name)) {
      found.push(breaking(`${was.name} is at another position`))
    } else found.push(...oneParameter(was, is, place))
  })
  for (const [place, is] of now.entries()) {
    if (place < old.length) continue
    const words = `the new parameter ${nameOf(is, place)}`
    if (canBeLeftOut(is)) found.push(harmless(`takes ${words}`))
    else if (!old.some((was) => was.name !== '' && was.name === is.name))
      found.push(breaking(`needs ${words}`))
  }
  return found
}

const nameOf = (one: Parameter, place: number): string =>
  one.name === '' ? `parameter ${place + 1}` : one.name

function oneParameter(was: Parameter, is: Parameter, place: number): readonly Difference[] {
  const name = nameOf(is, place)
  const found: Difference[] = []
  if (canBeLeftOut(was) && !canBeLeftOut(is)) found.push(breaking(`${name} is no longer optional`))
  else if (was.need === 'rest' && is.need !== 'rest') found.push(breaking(`${name} is no longer variadic`))
  else if (!canBeLeftOut(was) && canBeLeftOut(is)) found.push(harmless(`${name} is optional now`))
  const [from, to] = [was.type, is.type]
  if (from === to || (is.need === 'rest' && was.need !== 'rest')) return found
  if (from === null || to === null) found.push(harmless(`the type of ${name} is ${to ?? 'not declared'}`))
  else {
    const words = `${name} is ${to} instead of ${from}`
    found.push(isWider(from, to) ? harmless(words) : breaking(words))
  }
  return found
}

/** For languages in which callers may pass arguments by name. */
function byNameAndPlace(old: readonly Parameter[], now: readonly Parameter[]): readonly Difference[] {
  const found: Difference[] = []
  const positional = now.filter((one) => !isByName(one) && one.need !== 'rest')
  const takesMore = now.some((one) => one.need === 'rest' && !one.name.startsWith('**'))
  const takesNames = now.some((one) => one.name.startsWith('**'))
  let place = 0
  for (const was of old) {
    const own = isByName(was) || was.need === 'rest' ? -1 : place++
    if (was.need === 'rest') {
      if (!now.some((one) => one.name === was.name || (one.need === 'rest' && sameStars(one, was)))) {
        found.push(breaking(`no longer takes ${was.name}`))
      }
      continue
    }
    const is =
      now.find((one) => one.name === was.name) ?? (was.isNamed === true ? undefined : positional[own])
    if (is === undefined) {
      const isTaken = takesNames && (isByName(was) || takesMore)
      found.push(
        isTaken ? harmless(`${was.name} is a rest argument now`) : breaking(`no longer takes ${was.name}`),
      )
      continue
    }
    if (!isByName(was) && isByName(is)) found.push(breaking(`${was.name} can only be passed by name`))
    if (was.isNamed === true && is.isNamed !== true && !isByName(is)) {
      found.push(breaking(`${was.name} can no longer be passed by name`))
    }
    if (own !== -1 && !isByName(is) && positional.indexOf(is) !== own) {
      found.push(breaking(`${was.name} is at another position`))
    }
    found.push(...oneParameter(was, is, Math.max(own, 0)))
  }
  const known = new Set(old.map((one) => one.name))
  const before = old.filter((one) => !isByName(one) && one.need !== 'rest').length
  for (const is of now) {
    if (known.has(is.name) || is.need === 'rest') continue
    if (!isByName(is) && is.isNamed !== true && positional.indexOf(is) < before) continue
    found.push(
      canBeLeftOut(is)
        ? harmless(`takes the new parameter ${is.name}`)
        : breaking(`needs the new parameter ${is.name}`),
    )
  }
  return found
}

const sameStars = (one: Parameter, other: Parameter): boolean =>
  one.name.startsWith('**') === other.name.startsWith('**')
