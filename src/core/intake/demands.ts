/** How many things a request asks for, counted in its lists: in points, and within sentences. */
import type { RequestText } from './request-text.ts'

const MOST_SENTENCES = 40

export function sentencesOf({ title, prose }: Pick<RequestText, 'title' | 'prose'>): readonly string[] {
  const rest = prose
    .slice(0, 20_000)
    .split(/(?<=[.!?;])\s+|\n+|(?<=[。！？])/)
    .map((part) => part.replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s+/, '').trim())
    .filter((part) => part.length > 2 && part.replace(/\.$/, '') !== title)
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

const AND = /\s(?:and|und|et|y|e|i|en|och|и|и также|as well as|plus)\s/gi

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
