/** How many things a request asks for, counted in its lists, and how many parts of a product it reaches. */
import { splitSentences } from '../../lib/text/split-sentences.ts'
import { any } from './evidence.ts'
import { TO_THE_READER, type RequestText } from './request-text.ts'

const MOST_SENTENCES = 40

export function sentencesOf({ title, prose }: Pick<RequestText, 'title' | 'prose'>): readonly string[] {
  const rest = prose
    .slice(0, 20_000)
    .split('\n')
    .flatMap((line) => splitSentences(line, 'semicolons'))
    .map((part) => part.replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s+/, '').trim())
    .filter((part) => part.length > 2 && part.replace(/\.$/, '') !== title && !TO_THE_READER.test(part))
  return [title, ...rest].slice(0, MOST_SENTENCES)
}

/** The longest list within one sentence: "store it, resize it, and show it" are three. One where there is no list. */
export function demandsOf(request: Pick<RequestText, 'title' | 'prose'>): number {
  return Math.max(
    1,
    ...sentencesOf(request)
      .filter((one) => !CHAT.test(one))
      .map(listLength),
  )
}

/** In lower case only: "I" is no conjunction. */
const AND = /\s(?:and|und|et|y|e|i|en|och|и|и также|as well as|plus)\s/g

function listLength(sentence: string): number {
  const plain = sentence.replace(/\([^()]{0,200}\)|["“„«`][^"”“«»`]{0,200}["”“»`]/g, ' ')
  const commas = plain.match(/,(?=\s)|[、，]|;\s/g)?.length ?? 0
  const ands = plain.match(AND)?.length ?? 0
  // One comma separates clauses; a list has two members joined by commas and a last one.
  return commas >= 2 || (commas >= 1 && ands >= 1) ? commas + Math.min(1, ands) + 1 : 1
}

/** The longest list of things that are wrong, or of places where: "in search, in downloads and in the export". */
export function placesListed(request: Pick<RequestText, 'title' | 'prose'>): number {
  const lengths = sentencesOf(request).map((sentence) => {
    const isList = (sentence.match(/,\s/g)?.length ?? 0) >= 2 && /,?\s(?:and|und|et|y|e|и)\s/i.test(sentence)
    const places = sentence.match(/(?:^|[\s,])(?:in|im|dans|en|em|nel|в|и в)\s/gi)?.length ?? 0
    if (isList) return listLength(sentence)
    if (places >= 3) return places
    return PLACES.test(sentence) ? 3 : 1
  })
  return Math.max(1, ...lengths)
}

/** "in the list, the detail view and the PDF", "; login, cart and wizard". */
const PLACES =
  /(?:\b(?:in|on|at|for|im|dans|en)\s|[;:]\s)[^,.;:]{2,40},\s[^,.;:]{2,40}(?:,\s[^,.;:]{2,40})*,?\s(?:and|und|et|y|e|и)\s/i

/** What people write around a request. */
const CHAT =
  /^\W*(?:hi|hello|hey|dear|thanks|thank you|regards|cheers|best|sorry|ps|p\.s|while|i was|we were|i am|we are|i noticed|nothing dramatic|hallo|bonjour|hola|ciao|merci|danke|gracias)\b/i
const WISH =
  /\b(?:could|can|may) (?:we|you|someone|i)\b|\bplease\b|\bshould\b|\bwould (?:like|love|be)\b|\bi(?:'d| would| want| need)\b|\bwe (?:want|need|'d)\b|\bwhat (?:i|we) want\b/i

/** The sentence that says what is wanted: after a greeting or a story it is not the first one. */
export function wishIn(request: Pick<RequestText, 'title' | 'prose'>): string {
  const { title } = request
  const sentences = sentencesOf(request)
  if (sentences.length < 3 || (WISH.test(title) && !CHAT.test(title))) return title
  const wish = CHAT.test(title)
    ? sentences.find((one) => WISH.test(one) && !/^\W*(?:hi|hello|hey)\b/i.test(one))
    : undefined
  return wish?.replace(/^[^,]{0,40}, but /i, '') ?? title
}

/** The parts of a product that a request names: a change that reaches several is made in several files. */
const LAYERS: Readonly<Record<string, RegExp>> = {
  data: any(
    '(keep|keeps|store|stores|record|records|persist|persists|archive|save|saves) (an?|the|all|every|each|their|its|who|what|which|when)',
    'audit( log| trail)?|data ?base|tables?|migrations?|schema',
  ),
  messages: any(
    '(e-?)?mails?( to)?|notif\\w+|sms|push|slack|reminders?|text messages?',
    'remind(s|ed)?|invit(e|es|ed|ations?)|subscri\\w+',
  ),
  screen: any(
    'pages?|screens?|dialogs?|dashboards?|views?|forms?|buttons?|banners?|menus?|side ?bars?|tabs?|charts?',
    'settings?( for| to)?|preferences?|ui|front ?end',
  ),
  access: any(
    'roles?|permissions?|admins?|owners?|moderators?|accounts?|members?|log ?in|sign in|sign ?up|passwords?|tokens?|secret (link|key)s?|auth\\w*',
  ),
  interface: any('apis?|end ?points?|web ?hooks?|feeds?|clients?|sdks?|back ?end|server|ical|rss|graphql'),
  jobs: any(
    '(every|each) (night|day|morning|evening|week|month|hour|monday|friday)|nightly|daily|weekly|monthly|hourly',
    'cron|schedul\\w+|queues?|jobs?|background|retr(y|ies)|expir\\w+',
  ),
  money: any('pay(ment|ments|s|ing)?|invoic\\w+|refunds?|billing|checkout|payouts?|subscriptions?|prices?'),
}

/** What users and other programs reach a product through. */
const CLIENTS: Readonly<Record<string, RegExp>> = {
  web: any('web( ?site| app)?|browsers?|front ?end'),
  mobile: any('mobile( apps?)?|ios|android|phones?|tablets?'),
  desktop: any('desktop( apps?)?|windows|mac ?os|linux'),
  interface: any('(public |partner )?apis?|sdks?'),
  terminal: any('cli|command[- ]line|terminal'),
}

export function clientsIn(text: string): readonly string[] {
  return Object.entries(CLIENTS).flatMap(([name, pattern]) => (pattern.test(text) ? [name] : []))
}

export function layersIn(text: string): readonly string[] {
  return Object.entries(LAYERS).flatMap(([name, pattern]) => (pattern.test(text) ? [name] : []))
}
