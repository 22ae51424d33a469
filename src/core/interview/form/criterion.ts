/** Turns a wish into a sentence that can be checked. */
import { capitalised, withoutStop } from './plain-text.ts'
import { AN_ACTION } from './wish-lists.ts'

const LONGEST = 300

type Rewrite = readonly [RegExp, (found: RegExpExecArray) => string]

const rest = (found: RegExpExecArray, group = 1): string => (found[group] ?? '').trim()

/** When, for whom and for whom not: it stays at the end. */
const CONDITION = String.raw`(?:,\s*(?:but|except|unless|only|when|if|so|not)|\s+(?:but|except|unless|when|if|so that))\s.+`

/** The place stays at the end: "add X to Y" is "Y has X". */
const REWRITES: readonly Rewrite[] = [
  [
    /^as (an?|the) (.{2,40}?),? (?:i|we) (?:(?:want|would like|'d like|need|wish)(?: to be able)? to |should be able to |can |must )?(.+?)(?:,? (?:so that|in order to) .+)?$/i,
    (found) => `${rest(found)} ${rest(found, 2)} can ${rest(found, 3)}`,
  ],
  [
    new RegExp(
      String.raw`^(?:add|put|introduce|include|have)\s+(.+?)\s+(?:to(?!\s+${AN_ACTION})|into|onto|on|in)\s+(.+?)(${CONDITION})?$`,
      'i',
    ),
    (found) => `${placeOf(rest(found, 2))} has ${withArticle(rest(found))}${found[3] ?? ''}`,
  ],
  [
    /^(?:(?:add|create|build|introduce|provide|implement|write|develop|design|have|include)\s+|make\s+(?=an?\s))(.+)$/i,
    (found) => thereIs(rest(found)),
  ],
  [
    /^(?:fix|repair|resolve)\s+(?:the (?:bug|issue|problem|fault|error) (?:where|that|when|with)\s+)?(.+)$/i,
    (found) => `The fault no longer occurs: ${rest(found)}`,
  ],
  [/^(?:remove|delete|drop)\s+(.+)$/i, (found) => `There is no trace left of ${rest(found)}`],
  [
    /^rename\s+(.+?)\s+(?:to|into|as)\s+(.+)$/i,
    (found) => `Every place that had ${rest(found)} has ${rest(found, 2)}`,
  ],
  [
    /^(?:replace)\s+(.+?)\s+(?:by|with)\s+(.+)$/i,
    (found) => `Every place that had ${rest(found)} has ${rest(found, 2)}`,
  ],
  [
    /^let\s+((?:the |our |my |all )?\w+)\s+(.+)$/i,
    (found) => `${capitalised(rest(found))} can ${rest(found, 2)}`,
  ],
  [
    /^(?:refactor|restructure|clean up|simplify|reorgani[sz]e)\s+(.+)$/i,
    () => 'All tests that passed before the change still pass',
  ],
  [
    /^(send|open|archive|assign|book|cancel|choose|compare|confirm|crop|export|invite|merge|pick|resize|select|filter|sort|validate|log|notify|generate|import|search|download|upload|calculate|convert|count|play|hide|mark|track|warn|remind|sync|group|format|store|load|read|write|record|check)\s+(?!(?:\S+ )?(?:is|are|has|have|must|should|can|cannot|will)\b)(.+)$/i,
    (found) => `It ${thirdPerson(rest(found).toLowerCase())} ${rest(found, 2)}`,
  ],
  [
    /^(?:allow|let|enable)\s+(.+?)\s+to\s+(.+)$/i,
    (found) => `${capitalised(rest(found))} can ${rest(found, 2)}`,
  ],
  [/^(?:allow|enable|support|handle)\s+(.+)$/i, (found) => `This works and a test shows it: ${rest(found)}`],
  [/^(?:show|display|print|list|render|highlight)\s+(.+)$/i, (found) => `It shows ${rest(found)}`],
  [/^(?:remember|save|store|keep)\s+(.+)$/i, (found) => `After a restart it still has ${rest(found)}`],
  [
    /^(?:users?|people|admins?|administrators?|customers?|visitors?)\s+(?:should|must|shall|need to|have to)\s+(?:be able to\s+)?(.+)$/i,
    (found) => `${firstWords(found[0])} can ${rest(found)}`,
  ],
  [
    /^(?:it|this|they)\s+(?:should|must|shall|needs? to|has to|have to)\s+(?!not\b|never\b)(?:be able to\s+)?(.+)$/i,
    (found) => `A test shows that it can ${rest(found)}`,
  ],
  [
    /^((?:the |our |my |all |some )?[\p{L}-]+(?: [\p{L}-]+)?) (?:(?:wants?|would like|wish|wishes|needs?) to (?:be able to )?|could )(.+)$/iu,
    (found) => `${capitalised(rest(found))} can ${rest(found, 2)}`,
  ],
  [
    /^.{2,60}? (?:wants?|would (?:like|love)|asks? for|asking for|asked for|requested) (?!to\b)(.+)$/i,
    (found) => thereIs(rest(found)),
  ],
]

/** Sentences that say what is the case need no other form. */
const STATES =
  /\b(?:is|are|has|have|can|cannot|can't|must|should|shows?|returns?|exits?|prints?|gets?|becomes?|stays?|takes?|works?|contains?|opens?|sends?|no longer|never|within|at most|at least|ist|sind|hat|kann|muss|darf|zeigt)\b/i

export function criterionFrom(wish: string): string {
  const plain = withoutStop(wish.trim())
  for (const [pattern, rewrite] of REWRITES) {
    const found = pattern.exec(plain)
    if (found !== null) return shortened(capitalised(rewrite(found)))
  }
  return shortened(STATES.test(plain) ? capitalised(plain) : `A test shows it: ${plain}`)
}

const thirdPerson = (verb: string): string =>
  /(?:ch|sh|s|x|z)$/.test(verb)
    ? `${verb}es`
    : /[^aeiou]y$/.test(verb)
      ? `${verb.slice(0, -1)}ies`
      : `${verb}s`

const firstWords = (text: string): string => capitalised(text.split(/\s/)[0] ?? '')

const placeOf = (place: string): string =>
  /^(?:an?|the|our|my|every|each|all|both|[A-Z])/.test(place) ? capitalised(place) : `The ${place}`

/** "A shop where people can pay and order, and I get a list": each of it. */
export function criteriaFrom(wish: string): readonly string[] {
  const [main = '', ...others] = withoutStop(wish.trim()).split(/,\s*and\s+(?=(?:i|we|they|he|she|you)\s)/i)
  const parts = abilitiesIn(main)
  const isSplit = parts.length >= (others.length > 0 ? 1 : 2) && parts.length <= 10
  const first = isSplit ? parts.map((part) => shortened(sentenceFor(part))) : [criterionFrom(main)]
  return [...first, ...others.map((part) => shortened(capitalised(part)))]
}

/** What people can do in it; empty where the wish does not say so. */
function abilitiesIn(wish: string): readonly string[] {
  const found =
    /^.{2,60}?\s(?:where|in which|with which|that lets?|so that)\s(?:(i|we|you|one|people|users?|customers?|visitors?)\s(?:can|could|to))\s(.+)$/i.exec(
      wish,
    )
  const parts = found?.[2]?.split(/,\s*(?:and\s+)?|\s+and\s+/) ?? []
  return parts.map((part) => part.trim()).filter((part) => part.length > 2)
}

/** A part with a subject of its own stands as it is: "and I get a list on Friday". */
const sentenceFor = (part: string): string =>
  /^(?:i|we|they|he|she|you|it)\s/i.test(part)
    ? capitalised(part)
    : `A user can ${part.replace(/^can\s+/i, '')}`

function thereIs(thing: string): string {
  return isPlural(thing)
    ? `There are ${thing}, and they can be used`
    : `There is ${withArticle(thing)}, and it can be used`
}

/** What it is, without where, of what or by what: "filters" in "filters by colour". */
const headOf = (thing: string): string =>
  thing.split(/\s(?:by|of|for|per|in|on|with|from|that|which|where|who|to|at)\s/i)[0] ?? thing

const isPlural = (thing: string): boolean =>
  !/^(?:an?|one|each|every)\s/i.test(thing) &&
  /[^su]s$/i.test(headOf(thing)) &&
  !/\b(?:and|or)\b/i.test(headOf(thing))

const withArticle = (thing: string): string =>
  /^(?:an?|the|some|more|several|\d|our|my|new|all|each|every)\b/i.test(thing) ||
  /(?:s|ing)$/i.test(headOf(thing)) ||
  /s$/i.test(thing.split(' ').at(-1) ?? '') ||
  /\b(?:and|or)\b/i.test(thing)
    ? thing
    : `${/^[aeiou]/i.test(thing) ? 'an' : 'a'} ${thing}`

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1).replace(/\s+\S*$/, '')}…`
}
