/** Finds choices that the author left open: "use either A or B", "A or B?", "decide between A and B". */
import { hasCue } from './cues.ts'
import { HIDDEN, type Sentence } from './sentences.ts'

export type Choices = readonly string[]

const LONGEST_CHOICE = 100

/** What a worker does to the code. What a program does ("accepts either a path or a URL") is no open choice. */
const BUILDS = String.raw`(?:use|using|pick|choose|select|adopt|implement|build|store|persist|save|keep|put|place|host|deploy|migrate|move|port|base|go with|cache|switch|update|extend|document|rewrite|rename|wrap|reuse|introduce|write|add|create|remove|drop|delete|fix|split|merge|inline|expose|replace)`

/** `Use either`, `Store the sessions in either`: a command to the worker, and `either` within its first words. */
const COMMANDED = new RegExp(
  String.raw`(?:^|[:;(–—]\s*)(?:then\s+)?(?:we\s+(?:(?:will|should|could|can|must)\s+)?)?(?:use|pick|choose|adopt|implement|build|store|persist|keep|put|place|host|deploy|migrate|move|port|base|go with|cache|switch|update)\b(?:\s+[^\s.;:,]+){0,6}?\s+either\s+`,
  'i',
)
/** `Either update both or …`: both sides are commands. */
const EITHER_DO = new RegExp(String.raw`(?:^|[:;(–—]\s*)either\s+(?=${BUILDS}\b)`, 'i')
/** A condition or a description of behaviour before it. */
const BEHAVIOUR =
  /\b(?:if|when|whenever|unless|while|until|whether|that|which|returns?|accepts?|takes?|supports?|allows?|matches|contains?|expects?|throws?|raises?|fails?|so that|users? can|one can|callers? can|test|tests|verify|assert|ensure|check)\b/i

const CUES = ['or ', 'or\t', 'oder', ' ou ', 'between']

/** The choices of the sentence; null where it leaves none open. */
export function alternativesIn(sentence: Sentence): Choices | null {
  const { masked } = sentence
  if (!hasCue(masked, CUES)) return null
  const commanded = COMMANDED.exec(masked) ?? EITHER_DO.exec(masked)
  if (commanded !== null) {
    const before = masked.slice(0, commanded.index)
    const isOpen = !BEHAVIOUR.test(before) && !BEHAVIOUR.test(commanded[0])
    return isOpen ? choicesAfter(sentence, commanded.index + commanded[0].length, 'or') : null
  }
  const between = /^(?:decide|choose) (?:between|whether to (?:use|build|store|keep|go with)) /i.exec(masked)
  if (between !== null) {
    const joint = /between/i.test(between[0]) ? 'and' : 'or'
    return choicesAfter(sentence, between[0].length, joint)
  }
  return (
    stored(sentence) ??
    usesEither(sentence) ??
    shown(sentence) ??
    used(sentence) ??
    bothOrOne(sentence) ??
    asked(sentence)
  )
}

/** `Data is stored in either Redis or Postgres`, `… is kept in SQLite or Postgres`: how it is built is left open. */
function stored(sentence: Sentence): Choices | null {
  const { masked } = sentence
  if (/\b(?:depending|based on|according|if|when|whether|configur\w+|setting|can be)\b/i.test(masked))
    return null
  const either =
    /\b(?:is|are|be) (?:stored|kept|persisted|saved|hosted|deployed|implemented|built|written|cached|sent|delivered)\b(?: \w+){0,3}? either (?:in |on |with |by |to |as |via |using )?/i.exec(
      masked,
    )
  if (either !== null) return choicesAfter(sentence, either.index + either[0].length, 'or')
  const names =
    /\b(?:is|are|be) (?:stored|kept|persisted|saved|hosted|deployed|implemented|built|written|cached) (?:in|on|with|to|using) ([A-Z][\w.+#-]* or [A-Z][\w.+#-]*)(?=\s*(?:$|[.;,]))/.exec(
      masked,
    )?.[1]
  const forms =
    /\b(?:stored|saved|kept|persisted) as ((?:an? )?[\w.+#-]+ or (?:as )?(?:an? )?[\w.+#-]+)(?=\s*(?:$|[.;,]))/.exec(
      masked,
    )?.[1]
  const choices = names ?? forms?.replace(/ or as /, ' or ')
  return choices === undefined ? null : split({ text: choices, masked: choices }, 'or')
}

/** `The worker uses either polling or webhooks`: how it is built is left open. A person who uses either has both. */
function usesEither(sentence: Sentence): Choices | null {
  const { masked } = sentence
  const found =
    /^(?:it |this |the (?!user|reader|visitor|customer|caller|admin|person)[\w-]+(?: [\w-]+)? )?uses either /i.exec(
      masked,
    )
  const isDecided =
    /\b(?:depending|whichever|based on|according|if|when|whether|configur\w+|setting)\b/i.test(masked)
  return found === null || isDecided ? null : choicesAfter(sentence, found[0].length, 'or')
}

const WIDGET = String.raw`(?:[\w-]+ )?(?:modal|dialog|page|toast|banner|pop-?up|drawer|sidebar|tab|panel|drop-?down|menu|tooltip|sheet|window|overlay|snackbar|alert)`
const SHOWN = new RegExp(
  String.raw`\b(?:shows?|displays?|opens?|renders?|uses?|adds?|in|as) (an? ${WIDGET} or (?:in |as )?an? ${WIDGET})(?=\s*(?:$|[.;]))`,
  'i',
)

/** `opens a modal or a page`: one is built, and the author has not stated which. */
function shown(sentence: Sentence): Choices | null {
  const found = SHOWN.exec(sentence.masked)?.[1]
  if (found === undefined || /\b(?:depending|if|when|whether|on mobile|can)\b/i.test(sentence.masked))
    return null
  return split({ text: found, masked: found }, 'or')
}

/** `Use PostgreSQL or MySQL.`: two names and nothing else, except what for. */
function used(sentence: Sentence): Choices | null {
  const found =
    /^(?:[Ww]e (?:could|can|will|should) )?(?:[Uu]se|(?:(?:[Ii]t|[Tt]he [a-z ]{1,30}) )?[Uu]ses|[Dd]eploy (?:it )?(?:to|on)|[Hh]ost (?:it )?on|[Ss]tore (?:it|them|everything) in|(?:[Bb]uild|[Ii]mplement|[Ww]rite) it (?:with|in)) ((?:[A-Z][\w.+#-]*)(?: [A-Z][\w.+#-]*)? or (?:[A-Z][\w.+#-]*)(?: [A-Z][\w.+#-]*)?)(?: (?:for|as) (?!example)[^,;:]{1,60})?\.?$/.exec(
      sentence.masked,
    )
  const names = found?.[1]
  if (found === null || names === undefined || BOTH.test(names)) return null
  const listed = names.replace(/\.$/, '')
  return split({ text: listed, masked: listed }, 'or')
}

/** Keys, browsers and systems: each of them works. */
const BOTH =
  /\b(?:Tab|Enter|Escape|Esc|Space|Ctrl|Shift|Alt|Cmd|Delete|Backspace|Chrome|Firefox|Safari|Edge|Linux|Windows|GET|POST|PUT|PATCH)\b/

/** `REST and/or GraphQL`, in words: one, the other or both. */
function bothOrOne(sentence: Sentence): Choices | null {
  const found =
    /\b(?:offers?|provides?|exposes?|implements?|use|uses|build|add|adds) (?:an? |the )?([A-Z][\w.+#-]*) and\/or ([A-Z][\w.+#-]*)/.exec(
      sentence.masked,
    )
  const [, one, other] = found ?? []
  return one === undefined || other === undefined ? null : [one, other, `${one} and ${other}`]
}

/** `Option A: … Option B: …`: listed, and none is taken. */
export function listedOptions(sentences: readonly Sentence[]): Choices | null {
  const found = sentences.flatMap(({ text }) => {
    const [, key = '', what = ''] =
      /^(?:option|alternative|variant) ([A-D1-4])\s*[:.)–—-]\s*(.{2,})$/i.exec(text) ?? []
    return key === '' ? [] : [{ key: key.toUpperCase(), what: what.replace(/\.$/, '') }]
  })
  const isTaken = sentences.some(({ masked }) => TAKEN.test(masked))
  const isList = new Set(found.map(({ key }) => key)).size === found.length && found.length >= 2
  return isList && !isTaken && found.length <= 4
    ? found.map(({ what }) => what.slice(0, LONGEST_CHOICE))
    : null
}

const TAKEN =
  /\b(?:chosen|choose|chose|selected|decided|decision|recommended|recommendation|preferred|picked|we (?:use|take|go with|went with)|winner|rejected|default)\b/i

/** `Redis or Postgres?`, also in brackets; a check list's "Does it return A or B?" is no choice. */
function asked(sentence: Sentence): Choices | null {
  const { masked } = sentence
  const inBrackets = /\(([^()?]{3,80}\b(?:or|oder|ou)\b[^()?]{2,80})\?\)/.exec(masked)
  const from = inBrackets === null ? 0 : inBrackets.index + 1
  const to = inBrackets === null ? masked.length - 1 : from + (inBrackets[1]?.length ?? 0)
  if (inBrackets === null && !masked.endsWith('?')) return null
  const question = masked.slice(from, to)
  if (question.split(/\s+/).length > MOST_ASKED || INTERROGATIVE.test(question) || DONE.test(question))
    return null
  const label = LABEL.exec(question)?.[0].length ?? 0
  return split({ text: sentence.text.slice(from + label, to), masked: question.slice(label) }, 'or')
}

const MOST_ASKED = 8
/** `Cache: Redis or …`, `Should the names use kebab-case or …`. */
const LABEL = /^(?:[^:]{1,40}:\s+|should\s.{1,60}?\s(?:use|be|go in|live in|come from|return)\s+)/i

/** A point of a check list: "Tests added or updated?" */
const DONE = /\b[a-z]{2,}ed\b/
const INTERROGATIVE =
  /^(?:is|are|was|were|does|did|do|has|have|had|can|could|will|would|may|might|must|what|why|how|when|where|who|if|any|more|ready|or|yes)\b/i

/** Choices that an undecided sentence names: `Redis or Postgres (TBD)`, `TBD: A, B or C`. */
export function choicesIn(sentence: Sentence): Choices | null {
  const open = alternativesIn(sentence)
  if (open !== null) return open
  const { text, masked } = sentence
  const either = /\beither\s+/i.exec(masked)
  if (either !== null) return choicesAfter(sentence, either.index + either[0].length, 'or')
  const start =
    /^(?:[^:]{1,40}:\s+|(?:use|store in|should we use|should we)\s+)*/i.exec(masked)?.[0].length ?? 0
  const rest = masked.slice(start)
  const end =
    /\s*(?:[([–—-]?\s*\b(?:TBD|TBC|to be (?:decided|determined|clarified|agreed))\b|\?{3}|\?$|[,.;]|$)/i.exec(
      rest,
    )
  const stop = start + (end?.index ?? rest.length)
  const part = { text: text.slice(start, stop), masked: masked.slice(start, stop) }
  return part.masked.split(/\s+/).length <= 10 ? split(part, 'or') : null
}

function choicesAfter(sentence: Sentence, from: number, joint: 'or' | 'and'): Choices | null {
  const rest = sentence.masked.slice(from)
  // The second choice ends with its clause.
  const first = new RegExp(String.raw`,?\s+${joint}\s+`, 'i').exec(rest)
  if (first === null) return null
  const mark = /^\(?[a-d1-4]\)\s*/i.exec(rest.slice(first.index + first[0].length))?.[0].length ?? 0
  const start = first.index + first[0].length + mark
  const tail = rest.slice(start)
  const stop =
    /[.;:,)?]|\s[–—-]\s|\s+(?:for|when|if|so|depending|as|because|since|whichever|before|after|in order|to)\b/i.exec(
      tail,
    )
  const to = from + start + (stop?.index ?? tail.length)
  return split({ text: sentence.text.slice(from, to), masked: sentence.masked.slice(from, to) }, joint)
}

/** Two to four short choices. */
function split({ text, masked }: Sentence, joint: 'or' | 'and'): Choices | null {
  const word = joint === 'or' ? '(?:or|oder|ou)' : joint
  const separator = new RegExp(String.raw`,?\s+${word}\s+(?:to\s+)?|,\s+`, 'gi')
  const choices: string[] = []
  let at = 0
  for (const found of [...masked.matchAll(separator), null]) {
    const end = found === null ? masked.length : found.index
    choices.push(
      text
        .slice(at, end)
        .replace(/^\s*\(?[a-d1-4][).]\s*/i, '')
        .trim(),
    )
    at = found === null ? end : found.index + found[0].length
  }
  const isShort = choices.every((choice) => choice !== '' && choice.length <= LONGEST_CHOICE)
  const isReal = new Set(choices.map((choice) => choice.toLowerCase())).size === choices.length
  const isJoined = new RegExp(String.raw`\s${word}\s`, 'i').test(masked)
  return isJoined && isShort && isReal && choices.length >= 2 && choices.length <= 4 && !isFiller(choices)
    ? withoutLead(choices)
    : null
}

/** `Messages go to Slack`, `Teams` → `Slack`, `Teams`: what leads to a short choice is no part of it. */
function withoutLead([first = '', ...others]: Choices): Choices {
  const [words, last] = [first.split(/\s+/), others.at(-1)?.split(/\s+/).length ?? 0]
  return [words.length > last + 2 ? words.slice(-last).join(' ') : first, ...others]
}

/** "more or less", "one or more", "yes or no": no choice of the author. */
const isFiller = (choices: Choices): boolean =>
  choices.some((choice) =>
    /^(?:not|no|none|nothing|more|less|fewer|later|so|both|neither|all|so on|any)$/i.test(choice),
  ) || choices.every((choice) => choice.includes(HIDDEN))
