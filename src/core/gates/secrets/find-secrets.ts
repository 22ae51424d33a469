/** Finds secrets in a text: known kinds and known values, also encoded, reversed or split up. */
import type { AddedLine } from '../change.ts'
import { formsOf, fromBase64, fromEscapes, fromHex, fromPercent, reversed } from './encodings.ts'
import type { HeldSecret } from './held-values.ts'
import { entropyOf, isPlaceholder, PATTERNS, type SecretPattern } from './patterns.ts'

export interface FoundSecret {
  /** Its kind and encoding; never the secret. */
  readonly what: string
  /** Hashed to show that two findings are the same secret. */
  readonly secret: string
  readonly line: number
  readonly isDoubtful: boolean
}

/** A held value in all its forms, built once for many texts. */
export interface SoughtSecret extends HeldSecret {
  readonly forms: ReturnType<typeof formsOf>
}

const MOST_FOUND = 100
const DEEPEST = 2
const LONGEST_ENCODED = 200_000

export const soughtFor = (held: readonly HeldSecret[]): readonly SoughtSecret[] =>
  held.map((one) => ({ ...one, forms: formsOf(one.value) }))

/** Lines are in order; consecutive ones are joined, to find secrets split over several lines. */
export function findSecrets(
  lines: readonly AddedLine[],
  sought: readonly SoughtSecret[],
): readonly FoundSecret[] {
  const found = new Map<string, FoundSecret>()
  const add = (one: FoundSecret): void => {
    // A held value is reported under its own name, not under the pattern it matches.
    const key = `${one.secret}\0${one.line}`
    const known = found.get(key)
    if (found.size < MOST_FOUND && (known === undefined || known.isDoubtful)) found.set(key, one)
  }
  for (const block of blocksOf(lines)) {
    for (const one of heldIn(block, sought)) add(one)
    for (const one of known(block, 0, '')) add(one)
  }
  return withoutRepeats([...found.values()])
}

/** Merges findings of the same secret on the same line; certain ones win. */
function withoutRepeats(found: readonly FoundSecret[]): readonly FoundSecret[] {
  return found.filter((one, place) => {
    const others = found.filter((other, at) => at !== place && other.line === one.line)
    return !others.some(
      (other) =>
        (one.isDoubtful && !other.isDoubtful) ||
        (other.secret !== one.secret && other.secret.includes(one.secret) && !other.isDoubtful),
    )
  })
}

interface Block {
  readonly text: string
  /** The line of a position in the text. */
  readonly lineAt: (place: number) => number
}

function blocksOf(lines: readonly AddedLine[]): readonly Block[] {
  const groups: AddedLine[][] = []
  for (const line of lines) {
    const group = groups.at(-1)
    const before = group?.at(-1)
    if (group !== undefined && before !== undefined && before.line + 1 === line.line) group.push(line)
    else groups.push([line])
  }
  return groups.map((group) => {
    const starts: number[] = []
    let text = ''
    for (const one of group) {
      starts.push(text.length)
      text += `${one.text}\n`
    }
    const first = group[0]?.line ?? 1
    return { text, lineAt: (place) => first + indexBefore(starts, place) }
  })
}

/** The index of the last start that is not after the position. */
function indexBefore(starts: readonly number[], place: number): number {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= place) low = middle
    else high = middle - 1
  }
  return low
}

function* heldIn(block: Block, sought: readonly SoughtSecret[]): Iterable<FoundSecret> {
  if (sought.length === 0) return
  const squeezed = squeeze(block.text)
  const escaped = fromEscapes(block.text)
  for (const { kind, value, forms } of sought) {
    const found = (place: number, ...how: readonly string[]): FoundSecret => ({
      what: described(kind, ...how),
      secret: value,
      line: block.lineAt(place),
      isDoubtful: false,
    })
    const whole = forms.filter(({ text }) => block.text.includes(text))
    yield* whole.map(({ how, text }) => found(block.text.indexOf(text), how))
    if (whole.length > 0) continue
    if (escaped !== block.text && escaped.includes(value)) {
      yield found(0, 'escaped')
      continue
    }
    // Short remainders would match by chance.
    const cores = forms.map(({ how, text }) => ({ how, core: text.replace(/[^A-Za-z0-9]/g, '') }))
    const split = cores.find(({ core }) => core.length >= 16 && squeezed.text.includes(core))
    if (split === undefined) continue
    yield found(squeezed.placeAt(squeezed.text.indexOf(split.core)), split.how, 'split up')
  }
}

const described = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(', ')

/** Keeps only letters and digits, which joins the parts of a split value. */
function squeeze(text: string): { readonly text: string; readonly placeAt: (at: number) => number } {
  const starts: number[] = []
  const places: number[] = []
  let kept = ''
  for (const match of text.matchAll(/[A-Za-z0-9]+/g)) {
    starts.push(kept.length)
    places.push(match.index)
    kept += match[0]
  }
  const placeAt = (at: number): number => {
    const run = indexBefore(starts, at)
    return (places[run] ?? 0) + at - (starts[run] ?? 0)
  }
  return { text: kept, placeAt }
}

/** Keys of known kinds in the plain, joined, reversed and decoded text. */
function* known(block: Block, depth: number, how: string): Iterable<FoundSecret> {
  yield* matched(block, how)
  if (depth === 0) {
    const joined = joinedLiterals(block)
    if (joined !== null) yield* certain(matched(joined, 'split up'))
    const back = reversed(block.text)
    const length = block.text.length
    yield* certain(matched({ text: back, lineAt: (place) => block.lineAt(length - 1 - place) }, 'backwards'))
  }
  if (depth >= DEEPEST) return
  for (const { text, place, how: inner } of decoded(block.text)) {
    const line = block.lineAt(place)
    yield* certain(known({ text, lineAt: () => line }, depth + 1, described(how, inner)))
  }
}

/** Drops doubtful findings in decoded text. */
function* certain(found: Iterable<FoundSecret>): Iterable<FoundSecret> {
  for (const one of found) if (!one.isDoubtful) yield one
}

function* matched({ text, lineAt }: Block, how: string): Iterable<FoundSecret> {
  for (const { kind, pattern, group, isDoubtful = false } of PATTERNS) {
    for (const match of text.matchAll(pattern)) {
      const secret = match[group ?? 0] ?? ''
      if (!isSecret(secret, { kind, pattern, isDoubtful })) continue
      yield { what: described(kind, how), secret, line: lineAt(match.index), isDoubtful }
    }
  }
}

function isSecret(secret: string, { isDoubtful, kind }: SecretPattern): boolean {
  if (secret === '' || isPlaceholder(secret)) return false
  if (kind === 'AWS secret access key') return entropyOf(secret) >= 4
  // A name, path or sentence assigned to a secret variable is not a secret.
  return isDoubtful !== true || (entropyOf(secret) >= 3.8 && /\d/.test(secret) && !/^[/.]|:\/\//.test(secret))
}

/** Joins `'ab' + 'cd'`, `"ab" "cd"`, `['ab', 'cd'].join('')`, also over several lines. Null if nothing is joined. */
function joinedLiterals(block: Block): Block | null {
  const pattern = /(["'`])\s*(?:[+.,&|\\]|\.\.|<>|\+\+)?\s*(?:\\?\n\s*)?(?:[+.&,]\s*)?\1/g
  const cuts: { readonly at: number; readonly gone: number }[] = []
  let text = ''
  let from = 0
  for (const match of block.text.matchAll(pattern)) {
    // Two adjacent quotes are an empty string if nothing precedes them.
    if (match[0].length === 2 && !/[\w+/=-]/.test(block.text.charAt(match.index - 1))) continue
    text += block.text.slice(from, match.index)
    from = match.index + match[0].length
    cuts.push({ at: text.length, gone: from - text.length })
  }
  if (cuts.length === 0) return null
  text += block.text.slice(from)
  const lineAt = (place: number): number => {
    const cut = cuts.findLast(({ at }) => at <= place)
    return block.lineAt(place + (cut?.gone ?? 0))
  }
  return { text, lineAt }
}

interface Decoded {
  readonly text: string
  readonly place: number
  readonly how: string
}

/** Everything in a text that can be decoded. */
function* decoded(text: string): Iterable<Decoded> {
  for (const match of text.matchAll(/(?:[A-Za-z0-9+/_-]{20,}(?:\\n|\s)?){1,200}={0,2}/g)) {
    if (match[0].length > LONGEST_ENCODED) continue
    const whole = match[0].replace(/\\n|\s/g, '')
    const bytes = fromBase64(whole)
    if (isReadable(bytes)) yield { text: bytes, place: match.index, how: 'in base64' }
  }
  for (const match of text.matchAll(/(?:[0-9a-fA-F]{2}){16,}/g)) {
    if (match[0].length > LONGEST_ENCODED) continue
    const bytes = fromHex(match[0])
    if (isReadable(bytes)) yield { text: bytes, place: match.index, how: 'in hex' }
  }
  if (/%[0-9a-fA-F]{2}/.test(text)) {
    for (const match of text.matchAll(/[^\s"'`]*%[0-9a-fA-F]{2}[^\s"'`]*/g)) {
      yield { text: fromPercent(match[0]), place: match.index, how: 'in percent encoding' }
    }
  }
  if (/\\x[0-9a-fA-F]{2}|\\u\{?[0-9a-fA-F]{4}/.test(text)) {
    for (const match of text.matchAll(/\S*(?:\\x[0-9a-fA-F]{2}|\\u\{?[0-9a-fA-F]{4}\}?)\S*/g)) {
      yield { text: fromEscapes(match[0]), place: match.index, how: 'escaped' }
    }
  }
}

/** Keys have only printable characters. */
function isReadable(bytes: string): boolean {
  const plain = bytes.replace(/[^\t\n\r -~]/g, '')
  return bytes.length >= 12 && plain.length / bytes.length > 0.9
}
