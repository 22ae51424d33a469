/** Turns a wish into a sentence that can be checked. */
import { capitalised, withoutStop } from './plain-text.ts'

const LONGEST = 300

type Rewrite = readonly [RegExp, (found: RegExpExecArray) => string]

const rest = (found: RegExpExecArray, group = 1): string => (found[group] ?? '').trim()

/** The place stays at the end: "add X to Y" is "Y has X". */
const REWRITES: readonly Rewrite[] = [
  [
    /^(?:add|put|introduce|include|have)\s+(.+?)\s+(?:to|into|onto|on|in)\s+(.+)$/i,
    (found) => `${placeOf(rest(found, 2))} has ${withArticle(rest(found))}`,
  ],
  [
    /^(?:(?:add|create|build|introduce|provide|implement|write|develop|design|have|include)\s+|make\s+(?=an?\s))(.+)$/i,
    (found) => `There is ${withArticle(rest(found))}, and it can be used`,
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
    /^(send|open|export|filter|sort|validate|log|notify|generate|import|search|download|upload|calculate|convert|count|play|hide|mark|track|warn|remind|sync|group|format|store|load|read|write|record|check)\s+(.+)$/i,
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

/** "A shop where people can pay and order": each of it. */
export function criteriaFrom(wish: string): readonly string[] {
  const found =
    /^.{2,60}?\s(?:where|in which|with which|that lets?|so that)\s(?:(i|we|you|one|people|users?|customers?|visitors?)\s(?:can|could|to))\s(.+)$/i.exec(
      withoutStop(wish.trim()),
    )
  const parts = found?.[2]?.split(/,\s*(?:and\s+)?|\s+and\s+/).filter((part) => part.trim().length > 2) ?? []
  if (parts.length < 2 || parts.length > 10) return [criterionFrom(wish)]
  return parts.map((part) => shortened(`A user can ${part.trim().replace(/^can\s+/i, '')}`))
}

const withArticle = (thing: string): string =>
  /^(?:an?|the|some|more|several|\d|our|my|new|all|each|every)\b/i.test(thing) ||
  /s$/i.test(thing.split(' ').at(-1) ?? '') ||
  /\b(?:and|or)\b/i.test(thing)
    ? thing
    : `${/^[aeiou]/i.test(thing) ? 'an' : 'a'} ${thing}`

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1).replace(/\s+\S*$/, '')}…`
}
