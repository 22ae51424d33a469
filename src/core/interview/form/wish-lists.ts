/** Verbs that wishes begin with, and the lists of wishes that stand after a colon. */
import { capitalised, withoutStop } from './plain-text.ts'

/** As regular expressions. */
const VERBS = (
  'add allow apply approve archive assign attach automate block book bring browse build cache ' +
  'calculate cancel change check choose clean collect compare configure confirm connect convert ' +
  'copy count create crop define delete deploy describe design detect develop disable display ' +
  'document download draw drop duplicate edit email enable encrypt ensure expand export extend ' +
  'extract fetch filter find fix flag format forward generate give group handle have hide highlight ' +
  'implement import improve include increase index install integrate introduce invite join keep let ' +
  'limit link list load lock log make mark measure merge migrate modify move mute notify open ' +
  'optimi[sz]e parse pause pay pick pin play port prevent preview print provide publish put ' +
  'rate.?limit read record redesign reduce refactor refund register reject remember remind remove ' +
  'rename render reorder replace reply report resend reset resize restore resume retry return ' +
  'review rewrite rotate run save scan schedule search select send set share show simplify sort ' +
  'speed split start stop store stream style submit subscribe support switch sync tag test throttle ' +
  'toggle track translate trim turn undo unlock update upgrade upload use validate verify view vote ' +
  'warn write zoom ergänze erstelle füge zeige baue ändere entferne mach speichere'
)
  .split(' ')
  .join('|')

/** The same within a regular expression. */
export const AN_ACTION = String.raw`(?:also |then |and |dann |auch )?(?:${VERBS})\b`

export const VERB = new RegExp(`^${AN_ACTION}`, 'i')

/** "Crop it" says what to do, whatever the word is. */
const DONE_TO = String.raw`[\p{Ll}-]{3,}(?<!\b(?:and|for|with|from|into|onto|about|when|that|than|then)) (?:it|them)\b`

/** Before a verb, so that "in the profile and in comments" stays whole. */
const AT_VERB = new RegExp(
  String.raw`\s*[,;]\s*(?:and\s+|then\s+|und\s+)?(?=${AN_ACTION}|${DONE_TO})|\s+(?:and|then|und)\s+(?=${AN_ACTION})`,
  'iu',
)
const IS_DONE_TO = new RegExp(`^${DONE_TO}`, 'u')
const isAction = (part: string): boolean => VERB.test(part) || IS_DONE_TO.test(part)

/** Without a verb of its own: it says who does what follows, or that it is wanted. */
const UNFINISHED =
  /^(?:let|allow|enable|help) (?:the |our |my |all |new |every )?[\p{L}-]+(?: to)?$|\b(?:can|could|should|must|shall|will|able to|want to|wants to|need to|needs to|like to)$/iu

export interface ListedWishes {
  /** What stands before the colon; null where it is part of each wish. */
  readonly head: string | null
  readonly wishes: readonly string[]
}

/**
 * `Let users upload a picture: store it, resize it and show it`: the wishes after the colon, each a verb; and
 * `we need three pages: a list, a form and settings`, where each gets the verb. Null where it is no list of wishes.
 */
export function wishesAfterColon(sentence: string): ListedWishes | null {
  const [, head, list] = /^\s*([^:]{3,160}?):\s+(\S[^:]{4,})$/.exec(withoutStop(sentence.trim())) ?? []
  if (head === undefined || list === undefined) return null
  const actions = list.split(AT_VERB).map((part) => part.trim())
  if (actions.length >= 2 && actions.every(isAction))
    return UNFINISHED.test(head)
      ? {
          head: null,
          wishes: actions.map((wish, at) => `${head} ${at === 0 ? wish : named(wish, actions[0] ?? '')}`),
        }
      : { head, wishes: actions.map((wish) => named(wish, head)) }
  const things = membersOf(list)
  const isNamed = things.length >= 2 && things.length <= 12 && things.every(isThing)
  return isNamed && ASKS_FOR.test(head) ? { head, wishes: things.map((thing) => `Add ${thing}`) } : null
}

/** Where a comma stands before the last "and", an "and" elsewhere belongs to a member: "colour and size, and a price". */
function membersOf(list: string): readonly string[] {
  const isMarked = /[,;]\s*(?:and|und)\s/.test(list)
  const between = isMarked ? /\s*[,;]\s*(?:and\s+|und\s+)?/ : /\s*[,;]\s*(?:and\s+|und\s+)?|\s+(?:and|und)\s+/
  return list.split(between).map((part) => part.trim())
}

/** A wish stands alone later, so "store it" needs the thing that the sentence named before: "store the picture". */
function named(wish: string, head: string): string {
  const thing = /\b(?:an?|the|their|our|my|your)\s+([\p{L}-]+(?:\s[\p{L}-]+)?)$/u.exec(head)?.[1]
  return thing === undefined ? wish : wish.replace(/\b(?:it|them)\b/i, `the ${thing}`)
}

/** A few words that begin with an article, a number or a noun, and no sentence of their own. */
const isThing = (text: string): boolean =>
  text.split(/\s+/).length <= 6 &&
  /^(?:an?|the|one|two|three|\d+|eine?n?|\p{L})/iu.test(text) &&
  !/^(?:i|we|you|they|he|she|it|this|that|there|if|when|because|but|so|which|who)\b/i.test(text) &&
  !/\b(?:is|are|was|were|has|have|can|will|should|must|doesn't|don't|not)\b/i.test(text)

/** What stands before such a list: "we need two pages", "add these things to the shop page". */
const ASKS_FOR =
  /\b(?:need|needs|want|wants|would like|add|build|create|make|include|offer|brauchen|möchten|wollen)\b[^.]{0,80}\b(?:pages?|screens?|views?|features?|functions?|commands?|reports?|fields?|buttons?|endpoints?|things|parts|sections|tabs|filters?|columns?|options|seiten|funktionen|felder)(?: (?:on|in|to|for|of) (?:the |our |my |every |each )?[\p{L} -]{2,40})?$/iu

const ASKED: readonly (readonly [RegExp, string])[] = [
  [/^(?:how|what) about (?=an?\s|some\s)/i, 'Add '],
  [/^(?:how|what) about (?:adding|having)\s/i, 'Add '],
  [/^(?:is it|would it be) possible (?:to|for)\s|^any chance (?:to|of)\s/i, ''],
  [/^(?:is there )?any (?:way|chance) (?:to |that )?(?=\S)/i, ''],
  [
    /^(?:can|could|might|would|should) (?!you\b|we\b|i\b|it\b|there\b)((?:the |our |my |all )?[\p{L}-]+) (?=\S)/iu,
    'Let $1 ',
  ],
]

/** A wish that was put as a question, as a wish: "could people share a trip" is "let people share a trip". */
export function asWish(asked: string): string {
  const plain = asked.replace(/^(?:and|also|or|oh|so)[\s,]+/i, '')
  const found = ASKED.find(([pattern]) => pattern.test(plain))
  return found === undefined ? asked : capitalised(plain.replace(found[0], found[1]))
}
