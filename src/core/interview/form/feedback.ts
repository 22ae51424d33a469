/** What the architect objects to: what rules can settle they settle, and the user is asked for the rest. */
import { MAX_QUESTIONS } from '../states.ts'
import type { ChatOption, ChatQuestion } from '../turn.ts'
import { splitSentences } from '../../../lib/text/split-sentences.ts'
import type { Spec } from '../../spec/spec.ts'
import type { Change } from './changes.ts'
import { criterionFrom } from './criterion.ts'
import { clipped, hasWords, plainLine } from './plain-text.ts'
import type { Given } from './read-reply.ts'

interface Objection {
  /** `R-002`; null for the spec as a whole. */
  readonly requirement: string | null
  readonly text: string
}

const LONGEST = 600
const PREFIX = 'feedback'

/** Its numbered points or list items; of prose, its sentences. */
export function objectionsIn(feedback: string): readonly Objection[] {
  const body = feedback.replace(/^The architect provided the following feedback[\s\S]*?raw feedback\.\s*/, '')
  const lines = body.split('\n').map((line) => line.trim())
  const points = lines.filter((line) => /^(?:\d{1,3}[.)]|[-*])\s/.test(line))
  const pieces = points.length > 0 ? points : lines.flatMap((line) => splitSentences(line))
  return pieces.flatMap((piece) => {
    const line = plainLine(piece, LONGEST)
    if (!hasWords(line) || line.split(' ').length < 3) return []
    const found = /^(R-\d{1,6}):\s*(.+)$/.exec(line)
    if (found !== null) return [{ requirement: found[1] ?? null, text: found[2] ?? '' }]
    return [{ requirement: /\bR-\d{1,6}\b/.exec(line)?.[0] ?? null, text: line }]
  })
}

/** What needs no decision of the user: the second of two equal requirements goes, and so does a circle. */
export function settledByRules(feedback: string): readonly Change[] {
  return objectionsIn(feedback).flatMap(({ requirement, text }): readonly Change[] => {
    if (requirement === null) return []
    if (/\bsays the same as R-\d/.test(text)) return [{ kind: 'remove', id: requirement }]
    if (/\b(?:cycle|circular|depends on itself|unknown dependenc)/i.test(text))
      return [{ kind: 'independent', id: requirement }]
    return []
  })
}

/** One question for each objection that is left, at most five. */
export function feedbackQuestions(feedback: string, spec: Spec): readonly ChatQuestion[] {
  const done = new Set(settledByRules(feedback).map((change) => ('id' in change ? change.id : null)))
  const ids = new Set<string>()
  const questions = objectionsIn(feedback).flatMap((objection): readonly ChatQuestion[] => {
    if (objection.requirement !== null && done.has(objection.requirement)) return []
    const question = questionFor(objection, spec)
    if (ids.has(question.id)) return []
    ids.add(question.id)
    return [question]
  })
  return questions.slice(0, MAX_QUESTIONS)
}

export const isFeedbackQuestion = ({ id }: ChatQuestion): boolean => id.startsWith(`${PREFIX} `)

const option = (key: string, label: string, consequence: string): ChatOption => ({
  key,
  label: clipped(label, 200),
  consequence,
})

function questionFor({ requirement, text }: Objection, spec: Spec): ChatQuestion {
  const id = requirement ?? 'spec'
  const title = spec.requirements.find((one) => one.id === requirement)?.title
  const about = title === undefined ? '' : `${id}, ${title}: `
  const quote = quoteIn(text)
  const ask = (
    kind: string,
    question: string,
    options: readonly ChatOption[],
    fallback: string,
  ): ChatQuestion => ({
    id: `${PREFIX} ${kind} ${id}`.slice(0, 60),
    text: clipped(about + question, 1500),
    options,
    default: fallback,
  })
  if (quote !== null && /cannot be measured|not measurable|unmeasurable|vague/i.test(text)) {
    const at = spec.requirements
      .find((one) => one.id === requirement)
      ?.criteria.findIndex((one) => one.includes(quote.replace(/…$/, '')))
    return ask(
      `measure-${at === undefined || at < 0 ? 0 : at}`,
      `"${quote}" cannot be measured. What can be observed instead?`,
      MEASURES,
      /fast|quick|slow|speed|responsive/i.test(quote) ? 'a' : 'b',
    )
  }
  const choices = choicesIn(text)
  if (quote !== null && choices.length > 1)
    return ask(
      'choose',
      `"${quote}" leaves something open. Which one?`,
      choices.map((one, at) => option(KEYS[at] ?? 'a', one, `"${clipped(one, 80)}" is built`)),
      'a',
    )
  if (quote !== null && /undecided/.test(text))
    return ask('decide', `"${quote}" is undecided. What should it be?`, UNDECIDED, 'a')
  const missing = /names (\S+), which does not exist\. Did you mean (\S+?)\?/.exec(text)
  if (missing !== null) {
    const [, path = '', similar = ''] = missing
    const options = [
      option('a', similar, `${similar} is meant`),
      option('b', `create ${path}`, 'it is a new file'),
    ]
    return ask('file', `"${path}" does not exist. Which file is meant?`, options, 'a')
  }
  if (quote !== null && /out of scope/.test(text))
    return ask('scope', `"${quote}" is asked for and out of scope. Which one counts?`, SCOPE, 'a')
  return ask(`point-${clipped(text, 20).replace(/\W+/g, '-')}`, clipped(text, 800), POINT, 'a')
}

const KEYS = ['a', 'b', 'c', 'd'] as const
const MEASURES: readonly ChatOption[] = [
  option('a', 'it answers within a second', 'a test measures 1 s'),
  option('b', 'a test shows each step', 'the requirement counts as done when its steps work in a test'),
  option('c', 'drop it', 'it is no longer a criterion'),
]
const UNDECIDED: readonly ChatOption[] = [
  option('a', 'the developer decides', 'the simplest way that meets the other criteria is built'),
  option('b', 'leave this requirement out', 'it goes, and what depends on it stays'),
]
const SCOPE: readonly ChatOption[] = [
  option('a', 'build it', 'it is taken off the list of what is out of scope'),
  option('b', 'leave it out', 'the requirement goes'),
]
const POINT: readonly ChatOption[] = [
  option('a', 'leave it as it is', 'the spec is submitted again as it is'),
  option('b', 'leave this requirement out', 'it goes, and what depends on it stays'),
]

/** Without the words that left it open. */
const withoutMarks = (text: string): string => {
  const rest = text
    .replace(
      /[\s,;:(-]*\b(?:TBD|TBC|TODO|to be (?:decided|defined|determined|confirmed))\b[)\s.]*|\?{2,}/gi,
      ' ',
    )
    .trim()
  return hasWords(rest) ? rest : 'the simplest way'
}

const quoteIn = (text: string): string | null => /"([^"]{2,300})"/.exec(text)?.[1] ?? null

/** "…: left or right." */
function choicesIn(text: string): readonly string[] {
  const list = /(?:Choose one|Decide it)[^:]{0,20}:\s*(.+?)\.?$/.exec(text)?.[1]
  return list === undefined
    ? []
    : list
        .split(/\s+or\s+|,\s+/)
        .filter(hasWords)
        .slice(0, KEYS.length)
}

/** What the answer to one of these questions changes; null where it changes nothing. */
export function feedbackChange(question: ChatQuestion, given: Given): Change | null {
  const [, kind = '', about = ''] = question.id.split(' ')
  const id = about === 'spec' ? null : about
  const key = given.key ?? (given.by === 'default' ? question.default : null)
  const label = question.options.find((one) => one.key === key)?.label ?? ''
  const quote = quoteIn(question.text) ?? ''
  const own = given.text
  const [name = '', at = '0'] = kind.split('-')
  switch (name) {
    case 'measure': {
      if (id === null) return null
      if (own !== null) return { kind: 'criterion', id, at: Number(at), text: criterionFrom(own) }
      if (key === 'a')
        return {
          kind: 'criterion',
          id,
          at: Number(at),
          text: 'It answers within 1 s in a test with typical input',
        }
      if (key === 'b')
        return {
          kind: 'criterion',
          id,
          at: Number(at),
          text: 'A test goes through its steps and finds the expected result after each',
        }
      return { kind: 'criterion', id, at: Number(at), text: null }
    }
    case 'decide':
      if (key === 'b' && id !== null) return { kind: 'remove', id }
      return { kind: 'settle', id, old: quote, text: own ?? withoutMarks(quote) }
    case 'choose':
      return { kind: 'settle', id, old: quote, text: own ?? label }
    case 'file':
      return { kind: 'settle', id, old: quote, text: own ?? label }
    case 'scope':
      if (key === 'b' && id !== null) return { kind: 'remove', id }
      return own !== null && id !== null
        ? { kind: 'add_criterion', id, text: own }
        : { kind: 'in_scope', text: quote }
    default:
      if (own !== null && id !== null) return { kind: 'add_criterion', id, text: own }
      return key === 'b' && id !== null ? { kind: 'remove', id } : null
  }
}
