/** Parses the text after a task's labels. Null means the text could not be read. */
import { durationMs } from '../../../settings/duration.ts'
import { GATE_KINDS, SECURITY_FLAGS, type GateKind, type SecurityFlag, type Tier } from '../../plan.ts'
import { plainText, withoutParens } from './inline.ts'

const NOTHING =
  /^(none|no|n\/a|na|nothing|nil|-|—|–|\[\]|no dependencies|no other tasks)\b[.\s]{0,4}$|^(none|nothing|n\/a|—|-|\[\])/i
const ID =
  /^[#`"'[]{0,3}((?:[A-Za-z]{1,8}[-_]?)?\d{1,9}[A-Za-z]?(?:[._-]\d{1,9}[A-Za-z]?){0,6}|[A-Z])(?![\w])/

export function isNone(text: string): boolean {
  return NOTHING.test(plainText(text).trim())
}

export interface Dependencies {
  readonly ids: readonly string[]
  /** Parts that are not tasks. */
  readonly unread: readonly string[]
}

/** `Task 3, Task 4`, `#3 and 4`, `T-01 + T-02`, `Tasks 1-3`, `none`. */
export function dependenciesIn(text: string): Dependencies {
  const plain = withoutParens(plainText(text)).trim()
  if (plain === '' || isNone(plain)) return { ids: [], unread: [] }
  const ids: string[] = []
  const unread: string[] = []
  for (const part of plain.split(/[,;&+]|\sand\s|\splus\s/i)) {
    const word = part
      .trim()
      .replace(/^(?:and\s|the\s)/i, '')
      .replace(/^tasks?\b[\s:#]{0,8}/i, '')
    if (word === '' || word === '.') continue
    const range = /^#?(\d{1,5})\s?(?:-|–|—|\.\.|to|through)\s?#?(\d{1,5})(?![\w.])/i.exec(word)
    const id = ID.exec(word)?.[1]
    if (range !== null) ids.push(...numbersBetween(Number(range[1]), Number(range[2])))
    else if (id !== undefined) ids.push(id)
    else unread.push(part.trim())
  }
  return { ids: [...new Set(ids)], unread }
}

/** Longer ranges are mistakes: only their ends are kept. */
function numbersBetween(from: number, to: number): string[] {
  if (to < from || to - from > 1000) return [String(from), String(to)]
  return Array.from({ length: to - from + 1 }, (_, index) => String(from + index))
}

const TIER_WORDS: Readonly<Record<string, Tier>> = {
  critical: 'critical',
  high: 'critical',
  normal: 'normal',
  medium: 'normal',
  moderate: 'normal',
  low: 'low',
}

export function tierIn(text: string): Tier | null {
  const word = /^[A-Za-z]{1,12}/.exec(plainText(text).replaceAll('`', ''))?.[0].toLowerCase() ?? ''
  return Object.hasOwn(TIER_WORDS, word) ? (TIER_WORDS[word] ?? null) : null
}

/** `auth` or `touches_auth`. */
export function securityFlagOf(word: string): SecurityFlag | null {
  const plain = word
    .trim()
    .replaceAll('`', '')
    .toLowerCase()
    .replace(/^touches[_\s-]/, '')
  return SECURITY_FLAGS.find((flag) => flag === plain) ?? null
}

export function gateOf(word: string): GateKind | null {
  const plain = word.trim().replaceAll('`', '').toLowerCase()
  return GATE_KINDS.find((gate) => gate === plain) ?? null
}

const UNITS: Readonly<Record<string, string>> = { sec: 's', min: 'm', hr: 'h' }

/** `30m` as in bosun.yaml, and also `30 minutes` or `2 hours`. */
export function timeBudgetIn(text: string): number | null {
  const plain = plainText(text).replaceAll('`', '').trim().toLowerCase()
  const match = /^~?(\d{1,9})\s?(ms|s|m|h|sec|min|hr)(?:s|onds?|utes?|ours?)?\b/.exec(plain)
  const unit = match?.[2] ?? ''
  const ms = durationMs(`${match?.[1] ?? ''}${UNITS[unit] ?? unit}`)
  return ms === 0 ? null : ms
}

export function yesOrNo(text: string): boolean | null {
  const word = plainText(text).toLowerCase()
  if (/^(yes|true)\b/.test(word)) return true
  return /^(no|none|false)\b/.test(word) ? false : null
}

/** A list written on one line; a sentence with commas stays whole unless every part is a word. */
export function inlineList(text: string): string[] {
  const plain = text.trim()
  if (plain === '' || isNone(plain)) return []
  const inner = /^\[(.*)\]$/s.exec(plain)?.[1] ?? plain
  const semicolons = inner
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  return semicolons.length > 1 ? semicolons : [inner.trim()]
}

/** Words separated by commas, without backticks. */
export function wordList(text: string): string[] {
  if (isNone(text)) return []
  return (/^\[(.*)\]$/s.exec(text.trim())?.[1] ?? text)
    .split(/[,;]|\sand\s/)
    .map((word) => word.trim().replace(/^[`"']|[`"'.]$/g, ''))
    .filter((word) => word !== '')
}
