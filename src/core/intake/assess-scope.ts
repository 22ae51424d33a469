/** How large a request is, by rules: what it changes, how much of it, and how its author calls it. */
import { SCOPES, type Scope } from '../choice/choose-agent.ts'
import type { IntakeForm, IntakeType } from './intake.ts'
import type { RequestText } from './request-text.ts'
import {
  ARCHITECTURE,
  DEEP,
  GIVEN_VALUE,
  HARD,
  LARGE_VERB,
  LARGER,
  LARGER_ASIAN,
  ONE_LINE,
  ONE_LINE_ASIAN,
  SMALL_TITLE,
  SMALL_VERB,
  SEVERAL_PLACES,
  SMALLER,
  THINGS,
  TWEAK,
  TWEAKED_VALUE,
} from './scope-words.ts'
import { clientsIn, demandsOf, layersIn, placesListed, wishIn } from './demands.ts'
import {
  LARGE_PRODUCT,
  NO_PRODUCT,
  SMALL_PRODUCT,
  SEVERAL_PARTS,
  SMALL_PRODUCT_ASIAN,
  SMALL_PROGRAM,
} from './product-words.ts'
import { OPENING } from './opening-words.ts'

export interface ScopeFacts {
  readonly type: IntakeType
  readonly form: IntakeForm
}

export interface Assessed {
  readonly scope: Scope
  /** True where nothing in the request says how large it is. */
  readonly isUnsure: boolean
  readonly reasons: readonly string[]
}

/** In words: one sentence. */
const SHORT = 14
/** A text of this length means more than one place. */
const LONG = 60

const FEW = 9
const MANY_LAYERS = 3
/** A fault whose cause and place are stated is fixed in one line. */
const ONE_CAUSE = 35
const SMALLEST = THINGS.find(({ step }) => step === 0)?.pattern ?? ONE_LINE

interface Sizing {
  readonly step: number
  readonly reasons: readonly string[]
  readonly isUnsure?: boolean
}

export function assessByRules(request: RequestText, { type, form }: ScopeFacts): Assessed {
  const { step, reasons, isUnsure = false } = sizingOf(request, type, form)
  const scope = SCOPES[Math.min(3, Math.max(0, Math.round(step)))] ?? 'medium'
  return { scope, isUnsure, reasons }
}

function sizingOf(request: RequestText, type: IntakeType, form: IntakeForm): Sizing {
  if (!request.isReadable)
    return { step: 1, reasons: ['the smaller size is assumed until you answer'], isUnsure: true }
  const counted = form === 'spec' || form === 'plan' ? partsOf(request, form) : null
  if (counted !== null && (counted.step > 1 || form === 'spec')) return counted
  // The points below the one task of a plan say when it is done: they are no tasks of their own.
  if (counted !== null) return sizeByType({ ...request, items: [] }, type)
  return sizeByType(request, type)
}

function sizeByType(request: RequestText, type: IntakeType): Sizing {
  switch (type) {
    case 'bug_fix':
      return bugSize(request)
    case 'new_project':
      return projectSize(request)
    case 'feature_request':
      return featureSize(request)
  }
}

/** Requirements of a spec, tasks of a plan: its author has cut the work already. */
function partsOf(request: RequestText, form: 'spec' | 'plan'): Sizing {
  const { parts } = request
  const reasons = [`has ${parts} ${form === 'spec' ? 'requirements' : 'tasks'}`]
  if (parts > 7 || (parts > 3 && ARCHITECTURE.test(request.prose))) return { step: 3, reasons }
  return { step: parts > 1 ? 2 : 1, reasons }
}

function bugSize(request: RequestText): Sizing {
  const { prose, items } = request
  const deep = matches(prose, DEEP)
  if (deep.length >= 2) return { step: 3, reasons: [`says “${deep[0]}” and “${deep[1]}”`] }
  const wide = (LARGER.exec(prose) ?? LARGER_ASIAN.exec(prose))?.[0] ?? ARCHITECTURE.exec(prose)?.[0]
  if (deep.length === 1 && wide !== undefined)
    return { step: 3, reasons: [`says “${deep[0]}” and “${wide}”`] }
  // The title says what is wrong; lists behind it may be about anything, lists in it are places.
  const inTitle = placesListed({ title: request.title, prose: '' })
  const isListed = inTitle >= 3 || (placesListed(request) >= 3 && !ONE_LINE.test(request.title))
  const given = isListed ? null : givenValue(request)
  if (given !== null) return { step: 0, reasons: [given] }
  const places = Math.max(
    placesListed(request),
    items.length,
    request.paths.length > 3 ? request.paths.length : 0,
  )
  if (places >= 3 && !isRepro(request)) return { step: 2, reasons: [`names ${places} faults or places`] }
  const place = onePlaceIn(request)
  const cause = place === null ? undefined : CAUSE.exec(prose)?.[0]
  if (place !== null && cause !== undefined)
    return request.words <= ONE_CAUSE
      ? { step: 0, reasons: [`says what is wrong in ${place} (“${cause}”)`] }
      : { step: 1, reasons: [`names the one place, ${place}`] }
  const hard = HARD.exec(prose)?.[0]
  if (hard !== undefined) return { step: 2, reasons: [`says “${hard}”`] }
  if (wide !== undefined) return { step: 2, reasons: [`says “${wide}”`] }
  const thing = thingIn(request.title)
  if (request.words <= SHORT && thing?.step === 0) return { step: 0, reasons: [`is about “${thing.what}”`] }
  return { step: 1, reasons: ['a fault in one place, as far as it says'] }
}

/** The one file or function that the request names; null where it names none or several. */
function onePlaceIn({ prose, paths }: RequestText): string | null {
  const files = paths.filter((path) => /\.\w{1,6}$/.test(path))
  const calls = new Set([...prose.matchAll(/\b[\w.]{2,60}\(\)/g)].map(([call]) => call))
  const named = files.length > 0 ? files : [...calls]
  return named.length === 1 ? (named[0] ?? null) : null
}

/** Says what the code does wrong or lacks, rather than what its user sees. */
const CAUSE =
  /\b(?:is|are) missing\b|\bmissing\b|\bforg[oe]t(?:s|ten)?\b|\blacks?\b|\binstead of\b|\bshould (?:be|use|have|return|call)\b|\bneeds? (?:to|an?)\b|\b(?:reads?|uses?|calls?|compares?|passes|returns?|imports?|checks?|has) `|\bnot? (?:imported|defined|awaited|closed|checked|escaped)\b|\b(?:unused|swapped|inverted|misspelt|misspelled)\b/i

/** Steps to reproduce are a list, but not of faults. */
const isRepro = ({ prose, code }: RequestText): boolean =>
  code !== '' || /\b(steps|reproduce|expected|actual)\b/i.test(prose)

function projectSize(request: RequestText): Sizing {
  const { prose, title } = request
  const start = prose.slice(0, 3000)
  const nothing = NO_PRODUCT.exec(start)?.[0]
  if (nothing !== undefined && request.words < 40) return { step: 0, reasons: [`asks for “${nothing}”`] }
  const file = request.words <= SHORT ? ONE_FILE.exec(title)?.[0] : undefined
  if (file !== undefined) return { step: 0, reasons: [`asks for one file, ${file}`] }
  const demands = Math.max(demandsOf(request), request.items.length)
  const large = LARGE_PRODUCT.exec(start)?.[0]
  if (large !== undefined) return { step: 3, reasons: [`asks for “${large}”`] }
  if (demands >= (request.words < LONG ? 6 : 9)) return { step: 3, reasons: [`lists ${demands} points`] }
  const small = SMALL_PRODUCT.exec(start)?.[0] ?? SMALL_PRODUCT_ASIAN.exec(start)?.[0]
  if (small !== undefined && demands < 6) return { step: 1, reasons: [`asks for “${small}”`] }
  const smaller = SMALL_PROGRAM.exec(title)?.[0] ?? SMALLER.exec(prose)?.[0]
  if (smaller !== undefined && demands < 4) return { step: 1, reasons: [`says “${smaller}”`] }
  if (request.words <= SHORT && demands === 1 && !SEVERAL_PARTS.test(start) && layersIn(start).length === 0)
    return { step: 1, reasons: ['a program for one purpose'] }
  if (request.words <= 3 && !/\p{Lo}/u.test(prose))
    return { step: 1, reasons: ['the smaller size is assumed until you answer'], isUnsure: true }
  return { step: 2, reasons: ['a program with several parts'] }
}

/** The whole project is a file of no program. */
const ONE_FILE =
  /^(?:an? |the |just |only )*(?:[\w-]{0,40}\.(?:txt|html?|md|json|ya?ml|toml|ini|css|svg|xml)|\.[a-z]\w+)(?=\s|$)/i

function featureSize(request: RequestText): Sizing {
  const { prose, words, paths } = request
  const title = wishIn(request)
  const deep = matches(prose, ARCHITECTURE)
  const demands = Math.max(demandsOf(request), request.items.length)
  if (deep.length > 0 && (words < 60 || deep.length > 1 || demands >= 6))
    return { step: 3, reasons: [`asks for “${deep[0]}”`] }
  const clients = clientsIn(wishIn(request))
  if (clients.length >= 3) return { step: 3, reasons: [`reaches ${clients.join(', ')}`] }
  const given = givenValue(request)
  const larger = (LARGER.exec(prose) ?? LARGER_ASIAN.exec(prose))?.[0]
  if (given !== null && demands < 3 && larger === undefined) return { step: 0, reasons: [given] }

  const thing = thingIn(title)
  const reasons = [thing === null ? 'does not say how much it changes' : `asks for “${thing.what}”`]
  let step = thing?.step ?? 1
  if (thing?.step === 0 && !TWEAK.test(title.replace(OPENING, ''))) step = 1
  const smaller = SMALL_TITLE.exec(title)?.[0] ?? SMALLER.exec(prose)?.[0]
  const wide = LARGE_VERB.exec(title.replace(OPENING, ''))?.[0]
  if (wide !== undefined && step < 2 && smaller === undefined && paths.length === 0) {
    step = 2
    reasons.push(`says “${wide}”`)
  }
  if (demands >= 3 && step < 2 && smaller === undefined) {
    step = 2
    reasons.push(`lists ${demands} points`)
  }
  const layers = layersIn(prose.slice(0, 5000))
  if (
    layers.length >= (thing === null && words > SHORT ? 2 : MANY_LAYERS) &&
    step < 2 &&
    smaller === undefined
  ) {
    step = 2
    reasons.push(`reaches ${layers.join(', ')}`)
  }
  const several = SEVERAL_PLACES.exec(prose)?.[0]
  if (several !== undefined && step < 2 && smaller === undefined) {
    step = 2
    reasons.push(`says “${several}”`)
  }
  if (larger !== undefined && step < 2) {
    step = 2
    reasons.push(`says “${larger}”`)
  }
  if (words > LONG && step < 2 && smaller === undefined) {
    step = 2
    reasons.push(`takes ${words} words`)
  }
  const verb = SMALL_VERB.exec(title)?.[0]
  const isLayered = layers.length >= MANY_LAYERS
  if (
    step === 2 &&
    verb !== undefined &&
    !isLayered &&
    words <= SHORT &&
    demands < 3 &&
    larger === undefined
  ) {
    step = 1
    reasons.push(`says “${verb}”`)
  }
  const files = paths.filter((path) => /\.\w{1,6}$/.test(path))
  if (files.length >= 3 && step < 2) {
    step = 2
    reasons.push(`names ${files.length} files`)
  }
  if (files.length === 1 && step === 2 && demands < 4 && larger === undefined) {
    step = 1
    reasons.push(`names one file, ${files[0]}`)
  }
  if (smaller !== undefined && step === 2 && demands < 5) {
    step = 1
    reasons.push(`says “${smaller}”`)
  }
  return { step, reasons, isUnsure: thing === null && demands < 2 && files.length === 0 && words < 6 }
}

/** Why the change is one line; null where it is not, as far as the request says. */
function givenValue(request: RequestText): string | null {
  const { prose, words } = request
  if (words > 90) return null
  const title = wishIn(request)
  const wish = title.replace(OPENING, '')
  const tweaked = TWEAK.test(wish) ? TWEAKED_VALUE.exec(title)?.[0] : undefined
  if (tweaked !== undefined) return `gives the new value (“${tweaked}”)`
  const literal = TWEAK.test(wish) && words <= SHORT ? LITERAL.exec(wish)?.[0] : undefined
  if (literal !== undefined && demandsOf(request) < 3) return `gives the new value (“${literal.trim()}”)`
  const isTweak = TWEAK.test(wish) && words <= FEW
  const small = isTweak ? SMALLEST.exec(title)?.[0] : undefined
  if (small !== undefined) return `changes “${small}”`
  // "Trim whitespace" and "show it in the page title" change what a program does, not a value of it.
  const isBehaviour = SMALL_VERB.exec(wish)?.index === 0
  const line = ONE_LINE.exec(prose)?.[0] ?? ONE_LINE_ASIAN.exec(prose)?.[0]
  if (line !== undefined && !isBehaviour) return `says “${line}”`
  // The line of an error is where it shows, not where it is mended.
  if (ERROR_NAME.test(title)) return null
  const value = GIVEN_VALUE.map((pattern) => pattern.exec(prose)?.[0]).find((found) => found !== undefined)
  return value === undefined ? null : `gives the new value (“${value.slice(0, 60)}”)`
}

const ERROR_NAME = /^\W*\w{2,40}(?:Error|Exception)\b/

/** A value as it stands in a program: a number, a version, an operator, a call. "Older than 90 days" says which ones. */
const LITERAL =
  /(?<=\s)(?<!\b(?:than|over|under|above|below|after|before|every|last|first|top|least|most)\s+)(?:v?\d[\w.%-]*|[<>=!]=?|`[^`]{1,40}`|\w+\(\))(?=[\s,.;!?]|$)/

/** The head of the object: "settings page title" is a title, and "in the footer" only says where. */
function thingIn(title: string): { readonly step: number; readonly what: string } | null {
  const object = headOf(title.replace(/["“„«][^"”“«»]{1,60}["”“»]/g, '').replace(OPENING, ''))
  const things = THINGS.flatMap(({ step, pattern }) => {
    const found = pattern.exec(object)
    return found === null ? [] : [{ step, what: found[0], end: found.index + found[0].length }]
  })
  if (things.length === 0) return null
  return things.reduce((best, one) =>
    one.end > best.end || (one.end === best.end && one.what.length > best.what.length) ? one : best,
  )
}

const WHERE =
  /\s(?:del|du|des|della|de la|van de|van het|von|der|to|in|on|at|for|when|from|into|onto|so that|so|because|that|which|where|with|without|by|via|using|if|while|after|before|inside|within|under|of|instead of|as|zur?|in der|auf der|im|dans|sur|pour|en|para|nel|nella|per|em|na|no|на|в|для|wenn|quand|cuando)\s/i

function headOf(sentence: string): string {
  const at = sentence.search(WHERE)
  const head = at === -1 ? sentence : sentence.slice(0, at)
  return /\S+\s+\S/.test(head) ? head : sentence.slice(0, 200)
}

function matches(text: string, pattern: RegExp): readonly string[] {
  const all = new RegExp(pattern.source, `${pattern.flags}g`)
  return [...new Set([...text.slice(0, 20_000).matchAll(all)].map(([found]) => found.toLowerCase()))]
}
