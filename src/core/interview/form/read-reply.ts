/**
 * What a reply answers of the questions before it, and what else it says. Answers come as numbers, letters, "1b 2a",
 * names of questions, words of an option, sentences, or a phrase such as "you decide", in any order.
 */
import { splitSentences } from '../../../lib/text/split-sentences.ts'
import type { ChatOption, ChatQuestion } from '../turn.ts'
import { bare, hasWords, normalised, overlap, plainLine, withoutStop } from './plain-text.ts'
import { correctionIn, intentOf, isQuestion } from './short-replies.ts'
import { MAX_READ } from './statements.ts'

/** An answer to one question. */
export interface Given {
  /** The key of the option; null for words of the user's own. */
  readonly key: string | null
  /** In the user's words; null where an option says it all. */
  readonly text: string | null
  /** `default`: the user left it to us. */
  readonly by: 'user' | 'default'
}

export interface Reply {
  /** By the question's id. */
  readonly given: ReadonlyMap<string, Given>
  /** Everything that answers no question. */
  readonly rest: string
  /** The user wants no more questions. */
  readonly isFinished: boolean
}

/** How an open question recognises a sentence as its answer. */
export interface Hearing {
  /** The option that a sentence names; null for none. */
  option(question: ChatQuestion, sentence: string): ChatOption | null
  /** Whether a sentence is about this question, in words of the user's own. */
  isAbout(question: ChatQuestion, sentence: string): boolean
}

const MAX_ANSWER = 400
const DEFAULT: Given = { key: null, text: null, by: 'default' }

export function readReply(text: string, pending: readonly ChatQuestion[], hearing: Hearing): Reply {
  const read = text.slice(0, MAX_READ)
  const intent = intentOf(read)
  if (intent === 'finish' || intent === 'decide' || intent === 'skip') {
    const given = new Map(pending.map((question) => [question.id, defaultOf(question)]))
    return { given, rest: '', isFinished: intent === 'finish' }
  }
  const given = new Map<string, Given>()
  const rest = coded(read, pending, given, hearing) ?? readMarked(read, pending, given, hearing)
  const open = pending.filter(({ id }) => !given.has(id))
  const left = open.length === 0 ? rest : readSentences(rest, open, given, hearing)
  return { given, rest: left.text, isFinished: left.isFinished }
}

const defaultOf = (question: ChatQuestion): Given =>
  question.default === null ? DEFAULT : { ...DEFAULT, key: question.default }

interface Rest {
  readonly text: string
  readonly isFinished: boolean
}

/** `1b 2a`, `b a`, `2`: nothing but codes. Null where there is more in it. */
function coded(
  text: string,
  pending: readonly ChatQuestion[],
  given: Map<string, Given>,
  hearing: Hearing,
): Rest | null {
  const tokens = normalised(text)
    .split(/[\s,;/]+/)
    .map((token) => token.replace(/^[([]|[).\]]+$/g, ''))
    .filter((token) => token !== '' && token !== 'and' && token !== 'und')
  if (tokens.length === 0 || tokens.length > 20 || pending.length === 0) return null
  const put = (question: ChatQuestion | undefined, code: string): boolean => {
    const option = question === undefined ? null : optionByCode(question, code)
    if (question === undefined || option === null) return false
    given.set(question.id, { key: option.key, text: null, by: 'user' })
    return true
  }
  const pairs = tokens.map((token) => /^(\d{1,2})[.):=-]?([a-h])$/.exec(token))
  if (pairs.every((pair) => pair !== null)) {
    const results = pairs.map((pair) => put(pending[Number(pair[1]) - 1], pair[2] ?? ''))
    return results.some(Boolean) ? { text: '', isFinished: false } : null
  }
  if (tokens.length <= pending.length && tokens.every((token) => /^(?:[a-h]|\d{1,2})$/.test(token))) {
    const results = tokens.map((token, at) => put(pending[at], token))
    return results.some(Boolean) ? { text: '', isFinished: false } : null
  }
  const [only] = pending
  if (tokens.length === 1 && pending.length === 1 && only !== undefined) {
    const option = hearing.option(only, tokens[0] ?? '')
    if (option !== null && put(only, option.key)) return { text: '', isFinished: false }
  }
  return null
}

/** By its key, or by its number from 1. */
function optionByCode(question: ChatQuestion, code: string): ChatOption | null {
  const byKey = question.options.find(({ key }) => key.toLowerCase() === code)
  return byKey ?? (/^\d+$/.test(code) ? (question.options[Number(code) - 1] ?? null) : null)
}

/** `1: only admins`, `2 skip`, `users: everybody`, `3b` among other words. */
const MARK =
  /(?:^|\n)\s*(?:q(?:uestion)?\s*)?(\d{1,2})\s*[:.)=]\s*|(?:^|[\s,;(])(\d{1,2})(?=[a-h](?![\p{L}\p{N}']))|(?:^|[\n,;])\s*(\d{1,2})\s+(?=skip\b|default\b|you decide\b|[a-h](?![\p{L}\p{N}'])|egal\b)|(?:^|\n)\s*([a-z_]{3,30})\s*[:=]\s*/giu

function readMarked(
  text: string,
  pending: readonly ChatQuestion[],
  given: Map<string, Given>,
  hearing: Hearing,
): Rest {
  if (pending.length === 0) return { text, isFinished: false }
  const marks = [...text.matchAll(MARK)].flatMap((found) => {
    const number = found[1] ?? found[2] ?? found[3]
    const question = number === undefined ? byName(pending, found[4] ?? '') : pending[Number(number) - 1]
    return question === undefined
      ? []
      : [{ question, start: found.index, end: found.index + found[0].length }]
  })
  let rest = text.slice(0, marks[0]?.start ?? text.length)
  for (const [at, mark] of marks.entries()) {
    const answer = text.slice(mark.end, marks[at + 1]?.start ?? text.length)
    const [line = '', ...more] = answer.split('\n')
    const beside = setAnswer(mark.question, line, given, hearing)
    rest += `\n${beside}\n${more.join('\n')}`
  }
  return { text: rest, isFinished: false }
}

const byName = (pending: readonly ChatQuestion[], name: string): ChatQuestion | undefined =>
  pending.find(({ id }) => id.toLowerCase() === name.toLowerCase() || id.split('_')[0] === name.toLowerCase())

/** Returns what the words say beside the answer. */
function setAnswer(
  question: ChatQuestion,
  words: string,
  given: Map<string, Given>,
  hearing: Hearing,
): string {
  const code = /^\s*([b-h](?=$|[\s).,:;-])|(?:a|\d{1,2})(?=$|[).,:;-]))[).,:;\s-]*/i.exec(words)
  const coded = code === null ? null : optionByCode(question, (code[1] ?? '').toLowerCase())
  const own = plainLine(coded === null ? words : words.slice(code?.[0].length ?? 0), MAX_ANSWER)
  if (coded !== null) {
    const isBeside = BESIDE.test(own) || intentOf(own) !== null
    given.set(question.id, { key: coded.key, text: hasWords(own) && !isBeside ? own : null, by: 'user' })
    return isBeside ? own.replace(BESIDE, '') : ''
  }
  const intent = intentOf(own)
  if (intent === 'decide' || intent === 'skip' || intent === 'finish')
    given.set(question.id, defaultOf(question))
  else if (!isQuestion(own)) {
    const option = hearing.option(question, own)
    if (option !== null)
      given.set(question.id, { key: option.key, text: isJustOption(own, option) ? null : own, by: 'user' })
    else if (hasWords(own) || /\d/.test(own)) given.set(question.id, { key: null, text: own, by: 'user' })
  }
  return ''
}

/** "2b, and it should …": what follows is another sentence. */
const BESIDE = /^(?:and|but|plus|und|aber)\s+(?=\S)|^(?=(?:also|it|this|they|please|auch|es)\s)/i

/** Whether the words add nothing to the option. */
const isJustOption = (words: string, option: ChatOption): boolean =>
  bare(words).split(' ').length <= 4 || overlap(words, option.label) >= 0.6

/** Sentences that answer one of the open questions; the only open question takes the first sentence that is left. */
function readSentences(
  from: Rest,
  open: readonly ChatQuestion[],
  given: Map<string, Given>,
  hearing: Hearing,
): Rest {
  const rest: string[] = []
  let isFinished = from.isFinished
  for (const sentence of sentencesIn(from.text)) {
    const intent = intentOf(sentence)
    const still = open.filter(({ id }) => !given.has(id))
    if (
      intent === 'finish' ||
      /\b(?:you decide|up to you|your call|du entscheidest) (?:the|for the|about the|on the|everything|bei|über)\b/i.test(
        sentence,
      )
    ) {
      for (const question of still) given.set(question.id, defaultOf(question))
      isFinished ||= intent === 'finish'
    } else if (intent === 'decide' || intent === 'skip') {
      for (const question of still) given.set(question.id, defaultOf(question))
    } else if (intent === null && !isQuestion(sentence)) {
      const stated = withoutStop(correctionIn(sentence) ?? sentence)
      const answered = ADDITION.test(stated) ? undefined : heardBy(still, stated, hearing)
      rest.push(answered === undefined ? sentence : setAnswer(answered, stated, given, hearing))
    } else rest.push(sentence)
  }
  const still = open.filter(({ id }) => !given.has(id))
  const [only] = still
  const [first] = rest.filter((sentence) => sentence !== '')
  const isOnlyOne = open.length === 1 && only !== undefined && first !== undefined
  if (
    isOnlyOne &&
    intentOf(first) === null &&
    !isQuestion(first) &&
    correctionIn(first) === null &&
    !ADDITION.test(first) &&
    !isLong(from.text)
  ) {
    rest.splice(rest.indexOf(first), 1, setAnswer(only, first, given, hearing))
  }
  return { text: rest.join('\n'), isFinished }
}

/** A wish beside the question, whatever words of it an option has too. */
const ADDITION =
  /^(?:(?:it|this|they|we|people|users) (?:should|must|can|needs? to|has to) also|also|and also|plus|additionally|besides|auch|außerdem|zusätzlich)\b/i

/** A pasted text is no answer to a single question. */
const isLong = (text: string): boolean => text.length > 600 || text.split('\n').length > 6

/** The question that a sentence answers best: it names an option and the topic, else an option, else the topic. */
function heardBy(
  open: readonly ChatQuestion[],
  sentence: string,
  hearing: Hearing,
): ChatQuestion | undefined {
  const named = open.filter((question) => hearing.option(question, sentence) !== null)
  const about = open.filter((question) => hearing.isAbout(question, sentence))
  const both = named.find((question) => about.includes(question))
  return both ?? (OF_THE_PRODUCT.test(sentence) ? undefined : named[0]) ?? about[0]
}

/** What the product does: a wish, unless it is about the question; a word of an option alone ("ignore case") is no answer. */
const OF_THE_PRODUCT =
  /^(?:(?:and|but|und|aber)\s+)?(?:it|this|that|es)\s+(?:should|must|shall|can|needs? to|has to|soll|muss|kann)\b/i

/** Lists and headings stay whole lines. */
function sentencesIn(text: string): readonly string[] {
  return text
    .split('\n')
    .flatMap((line) =>
      /^\s*(?:[-*+#>|`~]|\d{1,3}[.)])/.test(line) ? [line] : splitSentences(line, 'semicolons'),
    )
    .filter((line) => line.trim() !== '')
}
