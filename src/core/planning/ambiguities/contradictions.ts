/** Finds pairs of statements that cannot both hold: one negates the other, or they set different limits. */
import type { TaskSpec } from '../plan.ts'
import { normalPath } from '../../languages/paths.ts'
import { hasCue } from './cues.ts'

export type Pair = readonly [string, string]

/** Comparing every pair: a task with more statements than this is not compared. */
const MOST = 60
const LEAST_WORDS = 3
const LONGEST = 600

export function contradictionsIn(
  statements: readonly string[],
  task: Pick<TaskSpec, 'files' | 'nonGoals'>,
): readonly Pair[] {
  if (statements.length > MOST) return forbiddenFiles(task)
  const limits = limitsIn(statements)
  const mayExclude = statements.some((text) => hasCue(text, CUES))
  return [
    ...(mayExclude ? excludingPairs(statements) : []),
    ...limitPairs(limits),
    ...crossedLimits(limits),
    ...(mayExclude ? [...whoMay(statements), ...openToAll(statements), ...usedAnyway(statements)] : []),
    ...forbiddenFiles(task),
  ]
}

function excludingPairs(statements: readonly string[]): readonly Pair[] {
  const read = statements.map((text) => meaning(text.slice(0, LONGEST)))
  return read.flatMap((one, at) =>
    read.slice(at + 1).flatMap((other): Pair[] => (exclude(one, other) ? [[one.text, other.text]] : [])),
  )
}

const MOST_KIND = /^(?:at most|no more than|up to|a maximum of|maximum is|less than|under)$/
const LEAST_KIND = /^(?:at least|a minimum of|minimum is|more than|over)$/

/** At most 5 and at least 10 of the same. */
function crossedLimits(limits: readonly Limit[]): readonly Pair[] {
  return limits.flatMap((most) =>
    limits.flatMap((least): Pair[] => {
      const isPair = most.words === least.words && MOST_KIND.test(most.kind) && LEAST_KIND.test(least.kind)
      const isSameUnit = most.amount.split(' ')[1] === least.amount.split(' ')[1]
      return isPair && isSameUnit && Number.parseFloat(most.amount) < Number.parseFloat(least.amount)
        ? [[most.text, least.text]]
        : []
    }),
  )
}

/** `Only admins can delete posts`, `Every user can delete posts`. */
function whoMay(statements: readonly string[]): readonly Pair[] {
  const read = statements.map((text) => ({
    text,
    only: /^only (?:an? |the )?[\w-]+ (?:can|may|is allowed to|are allowed to) (.{3,200}?)\.?$/i.exec(
      text.trim(),
    )?.[1],
    all: /^(?:everyone|everybody|anyone|anybody|all users|every user|any user|guests|visitors) (?:can|may|is allowed to|are allowed to) (.{3,200}?)\.?$/i.exec(
      text.trim(),
    )?.[1],
  }))
  return read.flatMap(({ text, only }) =>
    read.flatMap((other): Pair[] =>
      only !== undefined && other.all?.toLowerCase() === only.toLowerCase() ? [[text, other.text]] : [],
    ),
  )
}

/** `The API is open to everybody`, `only administrators can call the API`. */
function openToAll(statements: readonly string[]): readonly Pair[] {
  const read = statements.map((text) => ({
    text,
    open: thingIn(
      /^(.{2,60}?) (?:is|are) (?:open|available|accessible|visible) (?:to|for) (?:everyone|everybody|anyone|anybody|all|all users|the public)\.?$/i.exec(
        text.trim(),
      )?.[1],
    ),
    only: thingIn(
      /^only (?:an? |the )?[\w-]+(?: [\w-]+)? (?:can|may|is allowed to|are allowed to) (?:see|view|read|open|use|call|access|reach|visit) (.{2,60}?)\.?$/i.exec(
        text.trim(),
      )?.[1],
    ),
  }))
  return read.flatMap(({ text, open }) =>
    read.flatMap((other): Pair[] => (open !== null && other.only === open ? [[text, other.text]] : [])),
  )
}

const thingIn = (text: string | undefined): string | null =>
  text === undefined ? null : text.toLowerCase().replace(/^(?:the|an?|this|our|all) /, '')

/** `It must not use cookies`, `the id must be stored in a cookie`. */
function usedAnyway(statements: readonly string[]): readonly Pair[] {
  return statements.flatMap((denied) => {
    const found =
      /\b(?:must not|should not|shall not|may not|does not|do not|doesn't|don't|never|cannot) (?:use|rely on|depend on|need|require|set)s? (?:any )?([a-z][a-z-]{3,30}?)s?\.?$/i.exec(
        denied.trim(),
      )
    const thing = found?.[1]?.toLowerCase()
    if (found === null || thing === undefined) return []
    const subject = denied.trim().slice(0, found.index).trim().toLowerCase()
    const isWhole = WHOLE.test(subject)
    const uses = new RegExp(
      String.raw`\b(?:(?:stor|keep|kept|sav|writ|put|remember|sen[dt]|hold|held)\w* (?:[\w-]+ ){0,4}?(?:in|as|with|by|via) (?:an? |the )?(?:[\w-]+ )?${thing}(?:e?s)?|(?:uses?|sets?|needs?|requires?) (?:an? |the )?(?:[\w-]+ )?${thing}(?:e?s)?)\b`,
      'i',
    )
    return statements.flatMap((other): Pair[] =>
      other !== denied &&
      (isWhole || other.trim().toLowerCase().startsWith(subject)) &&
      !meaning(other.slice(0, LONGEST)).isNegated &&
      uses.test(other)
        ? [[denied, other]]
        : [],
    )
  })
}

/** What is denied of one part may hold for another. */
const WHOLE = /^(?:it|this|we|the (?:app|application|system|program|service|site|website|feature|solution))?$/

/** Two statements that differ in their limit alone. Three or more are the rows of a table. */
function limitPairs(limits: readonly Limit[]): readonly Pair[] {
  const frames = Map.groupBy(
    limits.filter((limit) => limit.words !== '' || isWhole(limit)),
    ({ kind, words, amount }) => (words === '' ? `${kind} ${wholeOf(sizeOf(amount))}` : `${kind} ${words}`),
  )
  return [...frames.values()].flatMap((rows): Pair[] => {
    const [one, other] = rows
    if (rows.length !== 2 || one === undefined || other === undefined) return []
    return sizeOf(one.amount) === sizeOf(other.amount) ? [] : [[one.text, other.text]]
  })
}

/** `The limit is 10`, `at most 3 attempts`: the limit or what is counted is all that the statement is about. */
const isWhole = ({ kind, amount }: Limit): boolean =>
  /\b(?:limit|default|defaults|time-?out|maximum|minimum)\b/.test(kind) ||
  (/^(?:at most|at least|no more than|up to|exactly)$/.test(kind) && COUNTED.test(wholeOf(amount)))

const COUNTED = /^(?:characters?|items?|requests?|attempts?|retries|times|entries|rows|files|lines|users)$/

/** What is counted or measured: `5 files` and `10 MB` limit different things. */
const wholeOf = (amount: string): string => amount.split(' ')[1] ?? ''

const MILLISECONDS: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|milliseconds?)$/, 1],
  [/^(?:s|sec|seconds?)$/, 1000],
  [/^(?:min|minutes?)$/, 60_000],
  [/^(?:h|hours?)$/, 3_600_000],
  [/^days?$/, 86_400_000],
]

/** The same for `60 minutes` and `1 hour`. */
function sizeOf(amount: string): string {
  const [number = '', unit = ''] = amount.split(' ')
  const factor = MILLISECONDS.find(([name]) => name.test(unit))?.[1]
  return factor === undefined ? amount : `${Number(number.replace(',', '.')) * factor} ms`
}

interface Meaning {
  readonly text: string
  /** The words without negations. */
  readonly words: string
  readonly isNegated: boolean
}

/** A statement that sets a limit, its words with the limit left out. */
interface Limit {
  readonly text: string
  readonly words: string
  readonly kind: string
  readonly amount: string
}

const NEGATION =
  /\b(?:(?:must|should|shall|may|can|will|does|do|is|are)\s?(?:not|n't|never)|cannot|can't|mustn't|shouldn't|won't|doesn't|don't|isn't|aren't|never|no longer|^no|(?<=\b(?:needs?|requires?|has|have|uses?|shows?|sends?|accepts?|allows?|contains?) )no)\b/g
const AUXILIARY = /\b(?:must|should|shall|may|can|will|does|do|always|the|a|an|be|is|are|to)\b/g

function meaning(text: string): Meaning {
  const lower = comparable(text)
  const isNegated = lower.search(NEGATION) !== -1
  return { text, words: plainWords(lower.replace(NEGATION, ' ')), isNegated }
}

const comparable = (text: string): string => text.toLowerCase().replace(/[’]/g, "'").replace(/\s+/g, ' ')

/** Verbs in one form: `stores` and `store`. */
const plainWords = (text: string): string =>
  text
    .replace(AUXILIARY, ' ')
    .replace(/[^\p{L}\p{N}.<>=/_-]+/gu, ' ')
    .replace(/\.(?=\s|$)/g, ' ')
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => (word.length > 4 ? word.replace(/(?<=[^s])s$/, '') : word))
    .join(' ')

const LIMIT =
  /\b(at most|no more than|up to|more than|over|a maximum of|maximum is|at least|a minimum of|minimum is|exactly|within|under|in less than|less than|defaults? to|default is|time-?out is|time-?out of|limit is|limit of|expires? after|expires? in|after|every|for)\s+(\d+(?:[.,]\d+)?)\s?(ms|milliseconds?|s|sec|seconds?|min|minutes?|h|hours?|days?|%|percent|kb|mb|gb|bytes?|characters?|items?|requests?|attempts?|retries|times|entries|rows|files|lines|users)?\b/

/** What it comes to ends the sentence: `… answers 404`. */
const VALUE =
  /\b(answers?(?: with)?|responds? with|exits? with|returns?|is|are|equals?)\s+(\d+(?:[.,]\d+)?)\s?(ms|s|min|h|%|kb|mb|gb|px)?\s*\.?$/

/** Only where two statements name a number: one limit contradicts nothing. */
function limitsIn(statements: readonly string[]): readonly Limit[] {
  const numbered = statements.map((text) => text.slice(0, LONGEST)).filter((text) => /\d/.test(text))
  if (numbered.length < 2) return []
  const found = numbered.flatMap(limitIn)
  return found.length < 2 ? [] : found.map(({ words, ...rest }) => ({ ...rest, words: plainWords(words) }))
}

function limitIn(text: string): readonly Limit[] {
  const lower = comparable(text)
  const found = LIMIT.exec(lower) ?? VALUE.exec(lower)
  const [whole = '', kind = '', number = '', unit = ''] = found ?? []
  // With other numbers they may be two cases of one rule. A count without a unit ("for 3") is no limit.
  if (found === null || /\d/.test(lower.replace(whole, ''))) return []
  if (unit === '' && /^(?:after|every|for)$/.test(kind)) return []
  return [{ text, words: lower.replace(whole, ' '), kind, amount: `${number} ${unit}` }]
}

function exclude(one: Meaning, other: Meaning): boolean {
  if (one.isNegated !== other.isNegated) {
    const [never, does] = one.isNegated ? [one, other] : [other, one]
    if (
      /\bnever\b/i.test(never.text) &&
      does.words.startsWith(`${never.words} `) &&
      never.words.includes(' ')
    )
      return true
    return one.words === other.words && one.words.split(' ').length >= LEAST_WORDS
  }
  if (keepsWhatGoes(one.text, other.text) || keepsWhatGoes(other.text, one.text)) return true
  if (MAY.test(one.text) || MAY.test(other.text)) return false
  return areOpposed(one.words.split(' '), other.words.split(' '))
}

/** `Logs are kept for ever`, `logs are removed after 30 days`. */
function keepsWhatGoes(kept: string, gone: string): boolean {
  const what = /^(.{2,60}?) (?:is|are) kept (?:for ?ever|indefinitely|permanently)\b/i.exec(kept.trim())?.[1]
  const goes = /^(.{2,60}?) (?:is|are) (?:removed|deleted|purged|dropped|discarded)\b/i.exec(gone.trim())?.[1]
  return what !== undefined && what.toLowerCase() === goes?.toLowerCase()
}

/** What can be one way can also be the other. */
const MAY = /\b(?:can|may|could|able to|option|supports?|allows?|when|if)\b/i

const OPPOSED = [
  ['case-sensitive', 'case-insensitive'],
  ['ascending', 'descending'],
  ['required', 'optional'],
  ['mandatory', 'optional'],
  ['enabled', 'disabled'],
  ['synchronous', 'asynchronous'],
  ['synchronously', 'asynchronously'],
  ['public', 'private'],
  ['visible', 'hidden'],
  ['allowed', 'forbidden'],
  ['accepted', 'rejected'],
  ['included', 'excluded'],
  ['inclusive', 'exclusive'],
  ['editable', 'read-only'],
  ['mutable', 'immutable'],
  ['encrypted', 'unencrypted'],
  ['online', 'offline'],
  ['with', 'without'],
] as const

const OPPOSITES: ReadonlyMap<string, readonly string[]> = OPPOSED.flatMap(([a, b]) => [
  [a, b] as const,
  [b, a] as const,
]).reduce((all, [a, b]) => all.set(a, [...(all.get(a) ?? []), b]), new Map<string, string[]>())

/** Of two statements that exclude each other, one denies, has the second word of a pair above, keeps something, or names who may. */
const CUES: readonly string[] = [
  ...OPPOSED.map(([, second]) => second),
  'not',
  "n't",
  'n\u2019t',
  'never',
  'no ',
  'kept',
  'only ',
]

/** They differ in one word, and that word in its opposite. */
function areOpposed(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length || one.length < 2) return false
  const differing = one.flatMap((word, at) => (word === other[at] ? [] : [[word, other[at] ?? ''] as const]))
  const [first] = differing
  return differing.length === 1 && first !== undefined && OPPOSITES.get(first[0])?.includes(first[1]) === true
}

const FORBIDS =
  /^(?:(?:do not|don't|never|no need to)\s+(?:touch|change|modify|edit|delete)|no changes? (?:to|in))\s+`?([\w@./-]+)`?\s*\.?$/i

/** A non-goal that forbids a file that the task has to change. */
function forbiddenFiles({ files, nonGoals }: Pick<TaskSpec, 'files' | 'nonGoals'>): readonly Pair[] {
  const changed = new Set([...files.create, ...files.modify, ...files.delete].map(normalPath))
  return nonGoals.flatMap((text): Pair[] => {
    const path = FORBIDS.exec(text.trim())?.[1]?.replace(/\.$/, '')
    return path !== undefined && changed.has(normalPath(path)) ? [[text, `files: ${path}`]] : []
  })
}
