/** Short replies that mean the same however they are put, in English and German. */
import { isCourtesy } from '../../../lib/text/courtesies.ts'
import { bare } from './plain-text.ts'
import { VERB } from './wish-lists.ts'

const set = (...lists: readonly string[]): ReadonlySet<string> =>
  new Set(lists.flatMap((list) => list.split(', ')))

/** The user leaves the choice to us. */
const DECIDE = set(
  'ok, okay, k, kk, yes, y, yep, yeah, yup, sure, fine, good, right, agreed, correct, sounds good',
  'looks good, that works, go ahead, go on, please do, all good, all fine, lgtm, go, you decide',
  'you choose, you pick, your call, your choice, up to you, as you like, as you wish, decide for me',
  'whatever, whatever you think, whatever you think is best, default, defaults',
  'do what you think is best, use the defaults, take the defaults, the defaults, the default',
  "all defaults, defaults please, i don't care, don't care, i don't mind, no preference, no opinion",
  "any, either, idc, i don't know, dont know, don't know, idk, dunno, no idea, not sure",
  "i'm not sure, unsure, recommended, use the recommended, what you recommend, as recommended",
  'you tell me, ja, jo, passt, gut, egal, ist egal, mir egal, einverstanden, gerne, klar, mach das',
  'alles gut, du entscheidest, entscheide du, sie entscheiden, entscheiden sie, wie du meinst',
  "weiß nicht, keine ahnung, weiß ich nicht, standard, oui, d'accord, si, sí, vale, da",
)

const SKIP = set(
  'skip, skip it, skip this, skip that, skip all, skip them, skip these, next, pass, n/a, na, later',
  'überspringen, weiter, nächste, später, passe, egal weiter',
)

/** The user wants no more questions. */
const FINISH = set(
  "that's all, thats all, that is all, that's it, thats it, that is it, done, i'm done, im done",
  'finished, finish, enough, enough questions, no more questions, stop asking, stop, nothing else',
  'nothing more, no more, just do it, just build it, build it, do it, write the spec, write it',
  'draft it, make the spec, ship it, end, submit, submit it, go build it, nothing to add, all done',
  "proceed, continue, das ist alles, das war's, das wars, das wär's, mehr nicht, fertig",
  'keine weiteren fragen, keine fragen mehr, genug, schluss, mach einfach, leg los, los',
  "sonst nichts, c'est tout, eso es todo, reicht",
)

const NOISE = set(
  'hi, hello, hey, hello there, hi there, morning, good morning, good afternoon, good day, good evening, thanks, thank you, thx, ty',
  'bye, goodbye, see you, see you soon, please, cool, great, nice, perfect, awesome, hm, hmm, hmmm, uh, um, well, so, oh, ah, wow, lol',
  'test, hallo, moin, guten tag, guten morgen, danke, vielen dank, bitte, bonjour, merci, hola',
  'gracias, super, thanks a lot, many thanks, thanks in advance, cheers, best regards, regards, no',
  'nope, nein, n, none',
)

/** The user wants out of it, or to begin anew. */
const LEAVE = set(
  'cancel, cancel it, cancel this, cancel that, cancel everything, cancel the interview, abort, abort it, quit, exit, leave',
  'never mind, nevermind, forget it, forget about it, forget everything, scrap it, scrap everything, i changed my mind',
  'start over, start again, start anew, begin again, begin anew, restart, reset, abbrechen, abbruch, vergiss es, vergiss das',
  'von vorne, von vorn, neu anfangen, annuler, annule, laisse tomber, cancelar, cancela, olvídalo',
)

export type Intent = 'decide' | 'skip' | 'finish' | 'leave' | 'noise' | null

/** What a reply of a few words means by itself; null where it says something of its own. */
export function intentOf(text: string): Intent {
  const words = bare(text)
  if (words === '' || isCourtesy(text)) return 'noise'
  const shorter = words.replace(/[,.!\s]+(?:please|thanks|thank you|bitte|danke|then|now|for me|here)$/, '')
  const readings = [words, shorter, shorter.replace(OPENING, ''), words.replace(OPENING, '')]
  return (
    readings.map(phraseIntent).find((intent) => intent !== null && intent !== 'noise') ?? phraseIntent(words)
  )
}

const OPENING = /^(?:ok|okay|yes|well|so|please|just|then|ja|na|hm+|um+)[,.!\s]+(?=\S)/

function phraseIntent(words: string): Intent {
  if (FINISH.has(words)) return 'finish'
  if (SKIP.has(words)) return 'skip'
  if (DECIDE.has(words)) return 'decide'
  if (words.split(/[,.;!\s]*[,.;!]\s*/).every((part) => LEAVE.has(part))) return 'leave'
  return NOISE.has(words) ? 'noise' : null
}

const CORRECTION =
  /^(?:no|nope|nein|wait|actually|sorry|correction|rather|hold on|scratch that|i meant|i mean|on second thought|i changed my mind|changed my mind|doch|moment|stopp?|eigentlich|ich meinte?)\b[\s,.:;!\u2013\u2014-]+(?=\S)/i

/** The text behind "no, …" or "actually, …"; null where it corrects nothing. */
export function correctionIn(text: string): string | null {
  let rest = text.trim()
  let isCorrection = false
  for (let found = CORRECTION.exec(rest); found !== null; found = CORRECTION.exec(rest)) {
    // "No login is needed" and "no new dependencies" are statements.
    if (
      /^(?:no|nein)\s+[^,]/i.test(found[0] + rest.slice(found[0].length)) &&
      !/[,.:;!\u2013\u2014-]/.test(found[0])
    )
      break
    rest = rest.slice(found[0].length)
    isCorrection = true
  }
  return isCorrection && rest !== '' ? rest : null
}

const HESITATION = /^(?:(?:and|also|or|oh|so|maybe|perhaps|possibly|please|vielleicht)[\s,]+)+/i
const ASKED_WISHES: readonly RegExp[] = [
  /^(?:how about|what about) (?:an?|some|adding|having|showing|making|letting)\b/i,
  /^(?:is it|would it be) possible (?:to|for)\b|^(?:is there )?any (?:chance|way) (?:of|to|that|we|the|it|i)\b/i,
  /^(?:kannst|könntest|können|könnten) (?:du|sie|wir|es|ich)\b.*\b(?:bauen|machen|hinzufügen|ändern|anzeigen|zeigen|speichern|einbauen)\b/i,
]
/** "Could the list remember my filters?": no matter who it is about, the answer of a builder is to build it. */
const ASKED_OF_US = /^(?:can|could|would|will|might|should) (?!that\b|this\b)\S+ .*\S/i
/** What is asked of a partner in a conversation, and not of a product. */
const IN_CONVERSATION =
  /^\w+ (?:you|i|we|it|there) (?:please |also |maybe )?(?:tell|explain|clarify|help|give (?:me|us) an? example|repeat|say|recommend|suggest|advise|know|think|understand|be|work|matter|cost|take|choose|decide|prefer|skip|stop|start|see|go|come|use)\b/i

/** A question to us, not a wish that is put as a question ("can you add …?", "maybe also send a mail?"). */
export function isQuestion(text: string): boolean {
  const plain = text.trim()
  if (!/[?？]\s*$/.test(plain)) return false
  const wish = plain.replace(HESITATION, '')
  const isAction = wish.split(' ').length >= 3 && VERB.test(wish)
  const isAskedOfUs = ASKED_OF_US.test(wish) && !IN_CONVERSATION.test(wish)
  return !isAction && !isAskedOfUs && !ASKED_WISHES.some((pattern) => pattern.test(wish))
}
