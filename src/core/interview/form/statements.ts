/** Splits what a person typed or pasted into statements, and says what each is about. */
import { hasWords, normalised, plainLine, withoutStop } from './plain-text.ts'
import { correctionIn, intentOf, isQuestion } from './short-replies.ts'

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
  /** It corrects something that was said before. */
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
type Section = StatementKind | 'ignored' | null

interface Piece {
  readonly text: string
  readonly section: Section
  readonly isHeading: boolean
}

const SECTIONS: readonly (readonly [RegExp, Section])[] = [
  [/out of scope|non.?goals?|not in scope|not included|excluded|nicht enthalten|außerhalb/, 'out_of_scope'],
  [/acceptance|criteria|done when|definition of done|expected|akzeptanz|erwartet/, 'criterion'],
  [/constraints?|limitations|rahmenbedingungen|einschränkungen/, 'constraint'],
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

function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  let section: Section = null
  let isCode = false
  for (const line of text.replace(/<!--[\s\S]{0,20000}?-->/g, ' ').split(/\r\n|\r|\n/)) {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode
    else if (!isCode && !/^\s*(?:>|\||---+\s*$|===+\s*$)/.test(line)) {
      const heading = headingIn(line)
      const isItem = /^\s*(?:[-*+•]|\d{1,3}[.)])\s/.test(line)
      if (heading !== null) {
        section = sectionOf(heading)
        if (section === null) pieces.push({ text: heading, section: null, isHeading: true })
      } else
        for (const sentence of sentencesOf(line, isItem))
          pieces.push({ text: sentence, section, isHeading: !isItem && /:\s*$/.test(sentence) })
    }
  }
  return pieces
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
  if (words.split(' ').length > 5) return null
  return SECTIONS.find(([pattern]) => pattern.test(words))?.[1] ?? null
}

/** An item of a list stays whole; prose is split at the ends of its sentences. */
function sentencesOf(line: string, isItem: boolean): readonly string[] {
  if (isItem) return [line]
  return line.split(/(?<=[.!?。！？;])\s+(?=\S)|(?<=[。！？])/u).filter((sentence) => sentence.trim() !== '')
}

function statementOf({ text: piece, section, isHeading }: Piece): Statement | null {
  const line = withoutStop(plainLine(piece, MAX_LINE))
  if (section === 'ignored' || !hasWords(line) || intentOf(line) !== null) return null
  const corrected = correctionIn(line)
  const text = polite(corrected ?? line)
  if (!hasWords(text) || intentOf(text) !== null) return null
  const isCorrection = corrected !== null
  if (isInstruction(text)) return { kind: 'instruction', text, isCorrection, isHeading }
  // plainLine keeps a question mark; a stop was removed.
  if (isQuestion(line)) return { kind: 'question', text, isCorrection, isHeading }
  const own = kindOf(text.replace(/\?$/, ''))
  const kind = section === null || (section === 'action' && own !== 'subject') ? own : section
  return { kind, text: text.replace(/\?$/, ''), isCorrection, isHeading }
}

const POLITE =
  /^(?:(?:please|bitte|hi|hello|hey|hallo|so|well|and|und|ok|okay|basically|um|also,)\b[\s,!.:]*)?(?:(?:i|we)(?:'d| would)? (?:really )?(?:want|need|like|wish|have)(?: it| you| us)?(?: to)? (?:have |see )?|i was (?:thinking|wondering)(?: that| if| about)? (?:maybe )?|(?:can|could|would) (?:you|we|i) (?:please )?|it would be (?:nice|great|good|cool) (?:to have|if|to) (?:we (?:could|had) )?|there (?:could|should|must|needs to|has to) be |let's |let us |ich (?:möchte|will|brauche|hätte gern) |wir (?:möchten|wollen|brauchen) |(?:kannst|könntest) du (?:bitte )?|please |bitte )/i

/** Without the words that only introduce a wish; only where something remains. */
function polite(text: string): string {
  const rest = text.replace(POLITE, '').replace(POLITE, '')
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

const OUT =
  /\b(?:out of scope|not in scope|outside (?:the )?scope|non.?goals?|(?:not|isn't|aren't|won't be) (?:needed|required|necessary|part of|included|yet)|no need (?:for|to)|(?:do not|don't|doesn't|does not|dont) (?:need|want|care about|touch|bother|have to)|leave (?:out|alone)|leaving out|except for|nicht nötig|nicht notwendig|brauchen wir nicht|brauche ich nicht|kein teil)\b|^(?:no|without|not|never mind|kein|keine|keinen|ohne)\s+(?!one\b|longer\b|more than\b|later than\b|new\b|data\b|errors?\b|crash|matter\b)/i

const CONSTRAINT =
  /\b(?:must (?:only )?use|has to use|have to use|only use|using only|no (?:new|extra|additional|external|third.party) (?:dependenc|package|librar)\w*|without (?:new|extra|additional|any) (?:dependenc|package|librar)\w*|backwards?.compatible|compatib(?:le|ility)|gdpr|dsgvo|hipaa|wcag|licen[cs]e|offline only|on.?prem(?:ises)?|keine neuen abhängigkeiten|muss .{1,40} verwenden|deadline|by (?:monday|tuesday|wednesday|thursday|friday|next week|end of))\b/i

/** A number that can be measured. */
export const MEASURED =
  /(?:\b(?:within|under|below|less than|at most|at least|more than|up to|no more than|fewer than|unter|höchstens|mindestens|innerhalb)\s+|[<>≤≥]=?\s*)\d|\b\d+(?:[.,]\d+)?\s*(?:ms|milliseconds?|s|secs?|seconds?|sekunden|minutes?|min|hours?|%|percent|kb|mb|gb|px|fps|requests?\b|users?\b|rows?\b|clicks?\b)/i

const CRITERION =
  /^(?:given|when|if|after|once|whenever|wenn|falls|sobald)\b.{3,}|\b(?:is|are|gets?|becomes?|stays?|remains?) (?:shown|displayed|visible|hidden|rejected|accepted|logged|returned|saved|kept|remembered|sent|deleted|possible)\b|\b(?:must|should|shall|may) (?:not|never)\b|\b(?:returns?|responds? with|answers? with|exits? with|prints?)\b.{2,}|\b(?:darf|dürfen|soll|sollen) (?:nicht|kein)/i

const VERB =
  /^(?:also |then |and |dann |auch )?(?:add|allow|apply|attach|automate|block|build|bring|cache|change|check|clean|configure|connect|convert|copy|create|define|delete|deploy|describe|design|detect|develop|disable|display|document|download|drop|edit|email|enable|encrypt|ensure|export|extend|extract|fetch|filter|find|fix|format|generate|give|group|handle|have|hide|highlight|implement|import|improve|include|increase|index|install|integrate|introduce|keep|let|limit|link|list|load|log|make|mark|measure|merge|migrate|modify|move|notify|open|optimi[sz]e|parse|port|prevent|print|provide|publish|put|rate.?limit|read|record|redesign|reduce|refactor|remember|remind|remove|rename|render|reorder|replace|report|reset|restore|resize|retry|return|rewrite|run|save|scan|schedule|search|send|set|share|show|simplify|sort|speed|split|start|stop|store|stream|style|support|sync|tag|test|throttle|toggle|track|translate|turn|undo|update|upgrade|upload|use|validate|verify|warn|write|ergänze|erstelle|füge|zeige|baue|ändere|entferne|mach|speichere)\b/i

const MODAL =
  /\b(?:must|should|shall|can|could|needs? to|has to|have to|will|able to|supports?|allows?|lets?|shows?|sends?|remembers?|muss|müssen|soll|sollen|sollte|kann|können|möchte|hinzufügen|anzeigen|speichern|erstellen|exportieren|bauen|ändern|einbauen|umschalten)\b/i

const BROKEN =
  /\b(?:crash(?:es|ed)?|broken|fails?|failing|bug|wrong|doesn't work|does not work|not working|throws?|exception|error when|stopped working|hangs?|freezes?|kaputt|abst(?:urz|ürzt)|geht nicht|funktioniert nicht|fehler)\b/i

const BACKGROUND =
  /^(?:because|since|so that|the reason|today|currently|right now|at the moment|we have|we use|i have|i am|i'm|we are|we're|our|my|there is|there are|as an? |weil|damit|derzeit|aktuell|heute|ich bin|wir haben|unsere?)\b/i

/** Words that everybody understands differently; a question makes them measurable. */
const QUALITY =
  /^(?:(?:and |but |also )?(?:(?:it|this|that|they|everything|the \w+|es|das)\s+)?(?:should|must|needs? to|has to|have to|soll|muss)\s+(?:all |also |auch )?(?:be|look|feel|sein|aussehen)\s+|make it |(?:it )?be )?(?:really |very |super |quite |sehr |as )?(?:fast|quick|snappy|performant|easy|simple|intuitive|user.?friendly|nice|modern|clean|pretty|beautiful|scalable|good.?looking|schnell|einfach|schön|übersichtlich|modern)(?: (?:to use|and \w+|zu bedienen|as possible|sein|enough)){0,3}(?: sein)?$/i

function kindOf(text: string): StatementKind {
  if (QUALITY.test(text)) return 'background'
  if (OUT.test(text) && !/\b(?:must|should|shall) (?:not|never)\b/i.test(text)) return 'out_of_scope'
  if (CONSTRAINT.test(text)) return 'constraint'
  if (VERB.test(text)) return 'action'
  if (BROKEN.test(text)) return 'action'
  if (BACKGROUND.test(text) && !/\b(?:should|must|want|need|soll|muss|möchte)\b/i.test(text))
    return 'background'
  if (CRITERION.test(text) || MEASURED.test(text)) return 'criterion'
  if (MODAL.test(text) || /^(?:also|and|plus|auch|zusätzlich|außerdem)\b/i.test(text)) return 'action'
  return text.split(' ').length <= 8 ? 'subject' : 'background'
}

/** Words that describe a defect of what exists. */
export const describesDefect = (text: string): boolean =>
  BROKEN.test(text) || /^(?:fix|repair|resolve|behebe|repariere)\b/i.test(text)
