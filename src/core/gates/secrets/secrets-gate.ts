/** The secrets gate: no credentials are added to the tree. It reports the kind of a secret, never its value. */
import type { Finding } from '../../event-schemas/evidence.ts'
import type { Verdict } from '../../event-schemas/schemas.ts'
import type { Change, AddedLine } from '../change.ts'
import { byte, formsOf, reversed } from '../../../lib/text/secret-forms.ts'
import { andMore, blocking, note, verdict } from '../verdicts.ts'
import { placesIn, type MachinePlace } from './machine-places.ts'
import { entropyOf, isPlaceholder, PATTERNS, type HeldSecret, type SecretPattern } from './secret-values.ts'

/** A binary file, read and unpacked as far as possible. */
export interface BinaryFile {
  readonly path: string
  /** The file and its unpacked contents, as Latin-1 text; null if it is too large. */
  readonly contents: readonly string[] | null
}

export interface SecretsFacts {
  readonly change: Change
  readonly held: readonly HeldSecret[]
  /** Of this machine; none where it does not matter. */
  readonly places?: readonly MachinePlace[]
  /** The binary files of the change. */
  readonly binaries: readonly BinaryFile[]
  /** Texts of the worker that are committed. */
  readonly notes: readonly { readonly where: string; readonly text: string }[]
  /** A short hash that identifies a secret without revealing it. */
  readonly hashOf: (secret: string) => string
}

export function secretsGate(facts: SecretsFacts): Verdict {
  const sought = soughtFor(facts.held)
  const findings: Finding[] = []
  const unread: Finding[] = []
  for (const file of facts.change.files) {
    findings.push(...toFindings(findSecrets(file.added, sought), { file: file.path, hashOf: facts.hashOf }))
    const named = findSecrets([{ line: 1, text: file.path }], sought).filter((one) => !one.isDoubtful)
    // The finding names no file, because the path would reveal the secret.
    for (const one of named)
      findings.push(blocking(`${one.what} in the name of a file (${facts.hashOf(one.secret)})`))
  }
  for (const { path, contents } of facts.binaries) {
    if (contents === null) unread.push(blocking('is too large to scan', path))
    else findings.push(...toFindings(inBytes(contents, sought), { file: path, hashOf: facts.hashOf }))
  }
  for (const { where, text } of facts.notes) {
    const lines = text.split('\n').map((one, place) => ({ line: place + 1, text: one }))
    for (const one of findSecrets(lines, sought)) {
      if (!one.isDoubtful) findings.push(blocking(`${one.what} in ${where} (${facts.hashOf(one.secret)})`))
    }
  }
  findings.push(...placesIn(facts.change, facts.places ?? []))
  const blocks = findings.filter(({ weight }) => weight === 'blocks')
  const [first] = blocks
  const all = [...findings, ...unread]
  if (first !== undefined) {
    const where = first.file === null ? '' : ` in ${first.file}${first.line === null ? '' : `:${first.line}`}`
    return verdict('secrets', 'failed', `${first.text}${where}${andMore(blocks)}`, { findings: all })
  }
  if (unread.length > 0) {
    return verdict('secrets', 'inconclusive', `${unread[0]?.file ?? ''} is too large to scan`, {
      findings: all,
    })
  }
  const doubts = findings.length === 0 ? '' : `; ${findings.length} for review`
  return verdict('secrets', 'passed', `no secrets were added${doubts}`, { findings: all })
}

function toFindings(
  found: readonly FoundSecret[],
  { file, hashOf }: { readonly file: string; readonly hashOf: SecretsFacts['hashOf'] },
): readonly Finding[] {
  return found.map(({ what, secret, line, isDoubtful }) => {
    const text = `${what} (${hashOf(secret)})`
    return isDoubtful ? note(text, file, line) : blocking(text, file, line)
  })
}

/** Searches binary contents as single-byte and as UTF-16 text. */
function inBytes(contents: readonly string[], sought: readonly SoughtSecret[]): readonly FoundSecret[] {
  const seen = new Set<string>()
  return contents
    .flatMap((bytes) => [bytes, bytes.replaceAll('\0', '')])
    .flatMap((text) => findSecrets([{ line: 1, text }], sought))
    .filter(({ what, secret, isDoubtful }) => {
      if (isDoubtful || seen.has(`${what}\0${secret}`)) return false
      seen.add(`${what}\0${secret}`)
      return true
    })
}

interface FoundSecret {
  /** Its kind and encoding; never the secret. */
  readonly what: string
  /** Hashed to show that two findings are the same secret. */
  readonly secret: string
  readonly line: number
  readonly isDoubtful: boolean
}

/** A held value in all its forms, built once for many texts. */
interface SoughtSecret extends HeldSecret {
  readonly forms: ReturnType<typeof formsOf>
}

const MOST_FOUND = 100
const DEEPEST = 2
const LONGEST_ENCODED = 200_000

const soughtFor = (held: readonly HeldSecret[]): readonly SoughtSecret[] =>
  held.map((one) => ({ ...one, forms: formsOf(one.value) }))

/**
 * Finds secrets in a text: known kinds and known values, also encoded, reversed or split up. Lines are in order; consecutive
 * ones are joined, to find secrets split over several lines.
 */
function findSecrets(lines: readonly AddedLine[], sought: readonly SoughtSecret[]): readonly FoundSecret[] {
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

/** Decodes values in the ways a secret can be disguised. Bytes are characters from 0 to 255. */

/** Decodes base64 or base64url. */
export function fromBase64(text: string): string {
  const plain = text.replace(/=.*$/, '').replaceAll('-', '+').replaceAll('_', '/')
  // A single character is less than a byte.
  return atob(plain.length % 4 === 1 ? plain.slice(0, -1) : plain)
}

const fromDigits = (_all: string, digits: string): string => byte(Number.parseInt(digits, 16))

export const fromHex = (text: string): string => text.replace(/([0-9a-fA-F]{2})/g, fromDigits)

/** Decodes percent encoding; other text is kept. */
const fromPercent = (text: string): string => text.replace(/%([0-9a-fA-F]{2})/g, fromDigits)

/** `\x41` and `\u0041` decoded. */
const fromEscapes = (text: string): string =>
  text.replace(/\\x([0-9a-fA-F]{2})/g, fromDigits).replace(/\\u\{?([0-9a-fA-F]{4})\}?/g, fromDigits)
