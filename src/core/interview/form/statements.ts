/** Splits what a person typed or pasted into statements, and says what each is about. */
import { isCourtesy } from '../../../lib/text/courtesies.ts'
import { splitSentences } from '../../../lib/text/split-sentences.ts'
import { hasWords, normalised, plainLine, withoutStop } from './plain-text.ts'
import { correctionIn, intentOf, isQuestion } from './short-replies.ts'
import { asWish, VERB, wishesAfterColon } from './wish-lists.ts'

export type StatementKind =
  /** Something to build or change. */
  | 'action'
  /** How to see that something is done. */
  | 'criterion'
  | 'constraint'
  | 'out_of_scope'
  /** A name or a topic without a verb, such as a heading. */
  | 'subject'
  /** Why, for whom, how it is today. */
  | 'background'
  | 'question'
  /** Text that addresses an assistant or its safeguards instead of the product. */
  | 'instruction'

export interface Statement {
  readonly kind: StatementKind
  readonly text: string
  /** It corrects an earlier statement. */
  readonly isCorrection: boolean
  /** It stands above a list and names the whole. */
  readonly isHeading: boolean
}

/** Longer texts are read up to here, which the form says. */
export const MAX_READ = 20_000
export const MAX_STATEMENTS = 60
const MAX_PIECES = 240
const MAX_LINE = 400

export interface ReadText {
  readonly statements: readonly Statement[]
  /** Whether something was left out because of its length. */
  readonly isCut: boolean
}

export function readText(text: string): ReadText {
  const pieces = piecesOf(text.slice(0, MAX_READ))
  const statements = pieces.slice(0, MAX_PIECES).flatMap((piece) => statementOf(piece) ?? [])
  return {
    statements: statements.slice(0, MAX_STATEMENTS),
    isCut: text.length > MAX_READ || pieces.length > MAX_PIECES || statements.length > MAX_STATEMENTS,
  }
}

/** What the heading above a line says about the line. */
type Section = StatementKind | 'ignored' | 'technology' | 'name' | null

interface Piece {
  readonly text: string
  readonly section: Section
  readonly isHeading: boolean
  /** A point of a list. */
  readonly isItem?: boolean
}

/** Headings of templates, however long. */
const TEMPLATES: readonly (readonly [RegExp, Section])[] = [
  [/^(?:is your feature request|what problem)|related to a problem/, 'background'],
  [
    /^(?:describe )?(?:the |any )?alternatives?\b|^attendees|^participants|^agenda|^next (?:meeting|steps)|^checklist/,
    'ignored',
  ],
  [/^(?:describe )?(?:the |your )?(?:proposed |preferred )?(?:solution|feature)\b/, 'action'],
  [/^(?:wanted|we want|i want|wishes|asks)$/, 'action'],
  [/^(?:open )?(?:questions|issues|points)$|^offene (?:fragen|punkte)$/, 'background'],
]

const SECTIONS: readonly (readonly [RegExp, Section])[] = [
  [/out of scope|non.?goals?|not in scope|not included|excluded|nicht enthalten|außerhalb/, 'out_of_scope'],
  [/acceptance|criteria|done when|definition of done|expected|akzeptanz|erwartet/, 'criterion'],
  [/constraints?|limitations|rahmenbedingungen|einschränkungen/, 'constraint'],
  [/^(?:technolog\w+|tech(?:nical)? stack|stack|platforms?|technik)$/, 'technology'],
  [/^(?:(?:project |product )?(?:name|title))$/, 'name'],
  [
    /goals|objectives|deliverables|milestones|user stor(?:y|ies)|use cases|must.?haves?|should.?haves?|could.?haves?|nice.?to.?haves?|mvp|ziele|meilensteine/,
    'action',
  ],
  [
    /steps to reproduce|to reproduce|reproduction|repro|actual|current|background|context|motivation|why|problem|goal|vision|überblick|hintergrund|summary|description/,
    'background',
  ],
  [
    /environment|versions?|logs?|stack ?trace|screenshots?|checklist|additional|comments?|system info|umgebung/,
    'ignored',
  ],
  [
    /requirements?|features?|scope|to.?do|tasks?|what|proposal|solution|anforderungen|aufgaben|funktionen/,
    'action',
  ],
]

const MAIL_HEAD = /^\s*(?:from|to|cc|bcc|date|sent|reply-to|von|an|datum|gesendet)\s*:/i
/** What minutes say about the meeting. */
const MINUTES = /^\s*(?:(?:attendees|participants)\s*:|(?:next meeting|meeting notes|minutes of)\b)/i
const SUBJECT = /^\s*(?:subject|betreff)\s*:\s*(?:(?:re|fwd?|aw|wg)\s*:\s*)*(\S.*)$/i
const CLOSING =
  /\b(?:regards|wishes|thanks|thank you|cheers|best|sincerely|grüße|grüßen|dank|merci|gracias)\b/i

/** Below "Kind regards" stands a name. */
const isSignature = (line: string, before: string): boolean =>
  CLOSING.test(before) && isCourtesy(before) && line.trim().split(/\s+/).length <= 4

function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  let section: Section = null
  let isCode = false
  let before = ''
  const isMail =
    /^[ \t]{0,8}(?:subject|betreff)[ \t]{0,4}:/im.test(text) &&
    /^[ \t]{0,8}(?:from|to|von|an)[ \t]{0,4}:/im.test(text)
  for (const line of linesOf(text.replace(/<!--[\s\S]{0,20000}?-->/g, ' '))) {
    const subject = SUBJECT.exec(line)?.[1]
    const isSigned = isSignature(line, before)
    if (line.trim() !== '') before = line.trim()
    if (isSigned || MINUTES.test(line) || (isMail && MAIL_HEAD.test(line))) continue
    if (subject !== undefined) pieces.push({ text: subject, section: null, isHeading: true })
    else if (/^\s*(```|~~~)/.test(line)) isCode = !isCode
    else if (!isCode && !/^\s*(?:>|\||---+\s*$|===+\s*$)/.test(line)) {
      const heading = headingIn(line)
      const isItem = /^\s*(?:[-*+•]|\d{1,3}[.)])\s/.test(line)
      if (heading !== null) {
        const title = heading.replace(LABEL, '')
        section = sectionOf(title)
        if (section === null && title !== '') pieces.push({ text: title, section: null, isHeading: true })
      } else if (section === 'name') pieces.push({ text: line, section: null, isHeading: true })
      else
        for (const sentence of sentencesOf(line, isItem)) {
          const listed = isItem ? null : wishesAfterColon(withoutAside(sentence))
          if (listed === null)
            pieces.push({ text: sentence, section, isHeading: !isItem && /:\s*$/.test(sentence), isItem })
          else {
            const { head } = listed
            if (head !== null) pieces.push({ text: head, section, isHeading: !VERB.test(polite(head)) })
            for (const wish of listed.wishes) pieces.push({ text: wish, section, isHeading: false })
          }
        }
    }
  }
  return pieces
}

/** What a document calls itself: `PROJECT BRIEF: Harbourmaster`. */
const LABEL =
  /^(?:(?:project|product) )?(?:brief|proposal|charter|specification|requirements document|prd)\s*(?:[:–—-]\s*|$)/i

/** A list that was typed in one line, `1) a 2) b` or `wishes - a - b`, is one all the same. */
function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/).flatMap((line) => {
    if (/(?:^|\s)1[.)]\s.{1,400}\s2[.)]\s/.test(line)) return withoutTail(line.split(/\s(?=\d{1,2}[.)]\s)/))
    const [first = '', ...items] = line.split(/\s[-–•]\s/)
    return items.length < 2 || /^\s*[-–•]?\s*$/.test(first)
      ? [line]
      : [first, ...items.map((item) => `- ${item}`)]
  })
}

/** What follows the last point in the same line is no part of it. */
function withoutTail(points: readonly string[]): readonly string[] {
  const [last = '', ...tail] = points.at(-1)?.split(/(?<=\p{L}[.!?])\s(?=\S)/u) ?? []
  return [...points.slice(0, -1), last, ...tail]
}

/** `## Steps`, `**Steps**` or `Steps:` alone on a line. */
function headingIn(line: string): string | null {
  const found =
    /^\s{0,3}#{1,6}\s+(.{1,200})$/.exec(line) ??
    /^\s*\*\*([^*]{1,80})\*\*:?\s*$/.exec(line) ??
    /^\s*([\p{L}][\p{L} -]{1,40}):\s*$/u.exec(line)
  return found?.[1]?.trim() ?? null
}

function sectionOf(heading: string): Section {
  const words = normalised(heading)
  const template = TEMPLATES.find(([pattern]) => pattern.test(words))
  if (template !== undefined) return template[1]
  if (words.split(' ').length > 5) return null
  return SECTIONS.find(([pattern]) => pattern.test(words))?.[1] ?? null
}

/** An item of a list stays whole; prose is split at the ends of its sentences. */
function sentencesOf(line: string, isItem: boolean): readonly string[] {
  if (isItem) return [line]
  return splitSentences(line, 'semicolons')
}

function statementOf({ text: piece, section, isHeading, isItem = false }: Piece): Statement | null {
  const line = withoutStop(plainLine(piece, MAX_LINE))
  if (section === 'technology')
    return hasWords(line)
      ? { kind: 'constraint', text: `The project must use ${line}`, isCorrection: false, isHeading: false }
      : null
  if (section === 'ignored' || !hasWords(line) || intentOf(line) !== null) return null
  const corrected = correctionIn(line)
  const text = polite(optionLast(withoutSpeaker(corrected ?? line)))
  if (!hasWords(text) || intentOf(text) !== null) return null
  const isCorrection = corrected !== null
  if (isInstruction(text)) return { kind: 'instruction', text, isCorrection, isHeading }
  // plainLine keeps a question mark; a stop was removed.
  if (isQuestion(line) || UNDECIDED.test(text)) return { kind: 'question', text, isCorrection, isHeading }
  const plain = text.replace(/\?$/, '')
  // A point of a list is a wish in whatever words, and so is what is put as a question.
  const found = kindOf(plain, isItem || section === 'action' ? 'action' : 'background')
  const isAsked = plain !== text && (found === 'subject' || found === 'background')
  const own = isAsked ? 'action' : found
  const isOwn = section === null || section === 'name' || (section === 'action' && own !== 'subject')
  const kind = isOwn ? own : section
  return { kind, text: plain === text ? plain : asWish(plain), isCorrection, isHeading }
}

const POLITE =
  /^(?:(?:please|bitte|hi|hello|hey|hallo|so|well|and|und|ok|okay|basically|um|also,)\b[\s,!.:]*)?(?:(?:i|we)(?:'d| would)? (?:really )?(?:want|need|like|wish|have)(?: it| you| us)?(?: to)? (?:have |see )?|i was (?:thinking|wondering)(?: that| if| about)? (?:maybe )?|(?:can|could|would) (?:you|u|we|i) (?:please )?|it would be (?:nice|great|good|cool) (?:to have|if|to) (?:we (?:could|had) )?|there (?:could|should|must|needs to|has to) be |let's |let us |ich (?:möchte|will|brauche|hätte gern) |wir (?:möchten|wollen|brauchen) |(?:kannst|könntest) du (?:bitte )?|(?:please|bitte)[\s,:!]+)/i

/** What leads to a wish and says nothing: "oh, and while you're at it". */
const ASIDE =
  /^(?:(?:(?:hi|hello|hey|hallo)(?: there| team| all| everyone)?(?=[,!])|oh|ah|ps|p\.s\.?|btw|by the way|(?:and )?while you(?:'re| are) at it|(?:and )?one more thing|another thing|(?:and )?(?:finally|lastly)|please)\b[\s,:!]+)+(?:(?:and|also)\s+(?=\S))?/i

const withoutAside = (sentence: string): string => {
  const rest = sentence.replace(ASIDE, '').replace(ASIDE, '')
  return rest.split(' ').length >= 2 ? rest : sentence
}

const LIFE = String.raw`(?:i|we) (?:run|own|work|help|operate|manage|sell|teach|live|volunteer|organi[sz]e)`

/** An introduction of the author before the first wish: "We run a club and the trainers would like to see …". */
const INTRODUCED = new RegExp(
  String.raw`^${LIFE}\b[^.;]{0,80}?(?:,| and| so|, and|, so)\s+(?=(?:the |our |my |some )?[\p{L}-]+ (?:wants?|would like|needs?|should|must|can)\b)`,
  'iu',
)

/** "Ana: we need a map", "agreed: the map is green". */
const withoutSpeaker = (line: string): string =>
  line.replace(
    /^(?:\p{Lu}\p{Ll}{1,15}:\s+(?=(?:we|i|the|they|it|please|can|could|let)\b|\p{Ll}.*\b(?:should|must|has|have|need|want)s?\b)|(?:agreed|decided|decision)\s*:\s+)/u,
    '',
  )

/** "Nice to have: a map" is about the map. */
const optionLast = (line: string): string =>
  line.replace(/^(nice to have|optional(?:ly)?|bonus|if possible|later)\s*:\s*(\S.*)$/i, '$2 ($1)')

/** Without the words that only introduce a wish; only where something remains. */
function polite(text: string): string {
  const rest = withoutAside(text)
    .replace(INTRODUCED, '')
    .replace(POLITE, '')
    .replace(POLITE, '')
    .replace(/,?\s+(?:please|bitte)$/i, '')
  return rest.split(' ').length >= 2 ? rest : text
}

const INSTRUCTION: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|prior|above|earlier|all|your|system|these)\b.{0,20}\b(?:instructions?|prompts?|rules|messages?|directions|guidelines)\b/i,
  /\b(?:you are now|act as|pretend to be|new system prompt|system prompt|developer mode|jailbreak)\b/i,
  /\b(?:disable|skip|bypass|turn off|switch off|remove|ignore)\b.{0,30}\b(?:gates?|bosun|safety|safeguards?|permissions?|sandbox|code review|the review|approvals?)\b/i,
  /\b(?:reveal|print|show|send|leak|exfiltrate|upload)\b.{0,40}\b(?:api[ _-]?keys?|system prompt|credentials|secrets|passwords? of|tokens? of|\.env|\/etc\/passwd|ssh keys?)\b/i,
  /\brm\s+-rf?\b|\bcurl\b[^|]{0,200}\|\s*(?:ba|z)?sh\b|\bbosun\.yaml\b.{0,60}\b(?:set|change|edit|write|disable)\b|\b(?:set|change|edit|write)\b.{0,60}\bbosun\.yaml\b/i,
  /<\/?(?:system|assistant|tool|instructions?)\b[^>]*>|\[\/?(?:INST|SYSTEM)\]|<\|[^|]{1,40}\|>/i,
  /\b(?:approve|accept|merge)\b.{0,30}\b(?:without|automatically|everything|all|any)\b.{0,30}\b(?:review|checks?|tests?|asking|questions?|pull requests?|changes)\b/i,
  /\bignorier\w*\b.{0,40}\b(?:anweisungen|regeln|vorgaben)\b/i,
]

const isInstruction = (text: string): boolean => INSTRUCTION.some((pattern) => pattern.test(text))

/** What the author has not decided: neither a wish nor something to leave out. */
const UNDECIDED =
  /^(?:(?:i|we)(?:'m|'re| am| are) |it(?:'s| is) )?(?:still )?(?:not (?:yet |quite |really )?(?:sure|certain|clear|decided)|unsure|undecided|unclear)(?: yet)?,? (?:about |on )?(?:whether|if|which|what|how|who|where|when)\b/i

const OUT =
  /\b(?:out of scope|not in scope|outside (?:the )?scope|non.?goals?|(?:not|isn't|aren't|won't be) (?:needed|required|necessary|part of|included|yet)|no need (?:for|to)|(?:do not|don't|doesn't|does not|dont) (?:need|want|care about|touch|bother|have to)|leave (?:out|alone)|leaving out|except for|nicht nötig|nicht notwendig|brauchen wir nicht|brauche ich nicht|kein teil)\b|^(?:no|without|not|never mind|kein|keine|keinen|ohne)\s+(?!one\b|longer\b|more than\b|later than\b|new\b|data\b|errors?\b|crash|matter\b|(?:sure|certain|clear|decided|yet|only|just|all|every|everyone|everybody|each|many|much|even|always|until|before|after)\b)/i

const CONSTRAINT =
  /\b(?:must (?:only )?use|has to use|have to use|only use|using only|no (?:new|extra|additional|external|third.party) (?:dependenc|package|librar)\w*|without (?:new|extra|additional|any) (?:dependenc|package|librar)\w*|backwards?.compatible|compatib(?:le|ility)|gdpr|dsgvo|hipaa|wcag|licen[cs]e|offline only|on.?prem(?:ises)?|keine neuen abhängigkeiten|muss .{1,40} verwenden|deadline|by (?:monday|tuesday|wednesday|thursday|friday|next week|end of))\b/i

/** A number that can be measured. */
export const MEASURED =
  /(?:\b(?:within|under|below|less than|at most|at least|more than|up to|no more than|fewer than|unter|höchstens|mindestens|innerhalb)\s+|[<>≤≥]=?\s*)\d|\b\d+(?:[.,]\d+)?\s*(?:ms|milliseconds?|s|secs?|seconds?|sekunden|minutes?|min|hours?|%|percent|kb|mb|gb|px|fps|requests?\b|users?\b|rows?\b|clicks?\b)/i

const CRITERION =
  /^(?:given|when|if|after|once|whenever|wenn|falls|sobald)\b.{3,}|\b(?:is|are|gets?|becomes?|stays?|remains?) (?:shown|displayed|visible|hidden|rejected|accepted|logged|returned|saved|kept|remembered|sent|deleted|possible)\b|\b(?:must|should|shall|may) (?:not|never)\b|\b(?:returns?|responds? with|answers? with|exits? with|prints?)\b.{2,}|\b(?:darf|dürfen|soll|sollen) (?:nicht|kein)/i

/** A wish, of any subject. */
const WANTS =
  /\b(?:wants?|would like|'d like|wishes|wish|needs?|möchten?|wollen) (?:to )?(?:see|know|get|have|find|be able to|sehen|wissen|haben)\b|\b(?<!\b(?:not|never|nobody|no one) )(?:wants|(?:would|'d) (?:like|love)|asks? for|asking for|asked for|requested) \S|\b(?:would|'d) (?:(?:really )?be (?:nice|great|perfect|good|helpful|cool|lovely|awesome|useful|ideal)|also love|help|save)\b|^(?:what|all) (?:i|we) (?:want|need|would like|are after|am after|are looking for|imagine|have in mind)\b|^(?:i|we)(?: would|'d)? (?:imagine|picture|envision|dream of) \S|\b(?:i am|i'm|we are|we're) (?:looking for|after) \S|\b(?:they|we|i|users|customers|people|team|department) requires? \S|^the (?:idea|goal|plan|wish) is\b/i
/** "As a teacher, I want to …"; in a list also "as a customer I collect …". */
const STORY = /^as (?:an?|the) .{2,40}?,? (?:i|we) \S/i
const STORY_WISH = /\b(?:i|we) (?:want|would like|'d like|need|wish|can|should|must)\b/i
const REASON = /^(?:because|since|so that|the reason|weil|damit)\b/i
/** A wish that is not sure of itself. */
const HESITANT = /^(?:maybe|perhaps|possibly|ideally|vielleicht)[\s,]+/i

/** How it is today ("problem: …"), or where something is: "the mails are in app/api/mail", "see docs/mail.md". */
const PLACE =
  /^(?:problem|background|context|reason|hintergrund)\s*:\s|^(?:see|cf\.?|siehe|vgl\.?)\s+(?:also\s+)?[`'"]?(?:https?:|[\w./-]*[./])|^.{2,80}?\b(?:is|are|lives?|sits?|liegt|liegen)(?: all)? (?:in|at|under|unter) [`'"]?[\w.-]+\/[\w./*-]*[`'"]?$/i

/** "Just a list": how much, and not what. */
const MODEST = /^(?:just|only|simply|nothing (?:fancy|special|big)|nur|einfach nur)\b/i

const MODAL =
  /\b(?:must|should|shall|can|could|needs? to|has to|have to|will|able to|supports?|allows?|lets?|shows?|sends?|remembers?|muss|müssen|soll|sollen|sollte|kann|können|möchte|hinzufügen|anzeigen|speichern|erstellen|exportieren|bauen|ändern|einbauen|umschalten)\b/i

const BROKEN =
  /\b(?:crash(?:es|ed)?|broken|fails?|failing|bug|wrong|doesn't work|does not work|not working|throws?|exception|error when|stopped working|hangs?|freezes?|kaputt|abst(?:urz|ürzt)|geht nicht|funktioniert nicht|fehler)\b/i

const BACKGROUND =
  /^(?:because|since|so that|the reason|today|currently|right now|at the moment|we have|we use|i have|i am|i'm|we are|we're|(?:i|we) (?:run|own|work|help|operate|manage|sell|teach|live|volunteer|organi[sz]e)|every (?:day|week|month|year)|usually|normally|so far|until now|our|my|there is|there are|as an? |weil|damit|derzeit|aktuell|heute|ich bin|wir haben|unsere?)\b/i

/** Words that everybody understands differently; a question makes them measurable. */
const QUALITY =
  /^(?:(?:and |but |also )?(?:(?:it|this|that|they|everything|the \w+|es|das)\s+)?(?:should|must|needs? to|has to|have to|soll|muss)\s+(?:all |also |auch )?(?:be|look|feel|sein|aussehen)\s+|make it |(?:it )?be )?(?:really |very |super |quite |sehr |as )?(?:fast|quick|snappy|performant|easy|simple|intuitive|user.?friendly|nice|modern|clean|pretty|beautiful|scalable|good.?looking|schnell|einfach|schön|übersichtlich|modern)(?: (?:to use|and \w+|zu bedienen|as possible|sein|enough)){0,3}(?: sein)?$/i

/** `otherwise`: what a sentence of many words is that nothing else is known about. */
function kindOf(sentence: string, otherwise: 'action' | 'background'): StatementKind {
  const text = sentence.replace(HESITANT, '')
  if (STORY.test(text) && (otherwise === 'action' || STORY_WISH.test(text))) return 'action'
  if (QUALITY.test(text)) return 'background'
  if (PLACE.test(text)) return 'background'
  if (MODEST.test(text) && text.split(' ').length <= 5) return 'background'
  if (OUT.test(text) && !/\b(?:must|should|shall) (?:not|never)\b/i.test(text)) return 'out_of_scope'
  if (CONSTRAINT.test(text)) return 'constraint'
  if (VERB.test(text)) return 'action'
  if (BROKEN.test(text)) return 'action'
  if (REASON.test(text) && !/\b(?:should|must|soll|muss)\b/i.test(text)) return 'background'
  if (WANTS.test(text)) return 'action'
  if (BACKGROUND.test(text) && !/\b(?:should|must|want|need|soll|muss|möchte)\b/i.test(text))
    return 'background'
  if (CRITERION.test(text) || MEASURED.test(text)) return 'criterion'
  if (MODAL.test(text) || /^(?:also|and|plus|auch|zusätzlich|außerdem)\b/i.test(text)) return 'action'
  return text.split(' ').length <= 8 ? 'subject' : otherwise
}

/** Words that describe a defect of what exists. */
export const describesDefect = (text: string): boolean =>
  BROKEN.test(text) || /^(?:fix|repair|resolve|behebe|repariere)\b/i.test(text)
