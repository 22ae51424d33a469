/** What the form writes to the user, in the words of each level. */
import type { Spec } from '../../spec/spec.ts'
import type { Expertise } from '../states.ts'
import type { ChatQuestion } from '../turn.ts'
import { describeChange, titleFrom } from './changes.ts'
import type { FormState, LastMessage } from './form-state.ts'
import { clipped } from './plain-text.ts'
import { intentOf } from './short-replies.ts'
import { effectOf, type Facts } from './topic.ts'
import { topicOf } from './topics.ts'

export const HOW_TO: Readonly<Record<Expertise, string>> = {
  non_technical: 'Answer in your own words, or with the letters. If you are unsure, say "you decide".',
  basic: 'Answer like "1b 2a", in your own words, or with "you decide". Say "that\'s all" to see the draft.',
  expert: 'For example "1b 2a 3 own words"; "you decide" takes the defaults, "that\'s all" drafts now.',
}

export interface PostParts {
  readonly state: FormState
  readonly facts: Facts
  readonly expertise: Expertise
}

/** The first post greets with what was understood; later ones say what was noted. */
export function questionsPost(
  { state, facts, expertise }: PostParts,
  questions: readonly ChatQuestion[],
): string {
  const isFirst = state.posts === 0
  const lines = [
    ...(isFirst ? greeting(state, facts) : noted(state.last, facts)),
    ...remarks(state, facts),
    ...answers(state.last, questions),
  ]
  if (facts.goal === null)
    lines.push(
      isFirst
        ? 'I ask a few questions, write a spec, and you decide what becomes of it.'
        : 'I still need to know what this is about.',
    )
  else lines.push(questions.length === 1 ? 'One question:' : `${questions.length} questions:`)
  if (isFirst) lines.push(HOW_TO[expertise])
  return lines.join('\n')
}

function greeting({ items, base }: FormState, facts: Facts): readonly string[] {
  if (facts.goal === null)
    return [facts.isNewProject ? 'This repository is empty, so I also plan its set-up.' : 'Hello.']
  const kind = facts.isDefect
    ? 'a fault to be fixed'
    : // Whether it counts as a new project was stated at the start, by other signs than a missing set-up.
      facts.isNewProject
      ? 'this request'
      : base === null
        ? 'a feature'
        : 'a spec'
  const points = items.filter(({ id }) => id !== null).length
  const more = points > 1 ? `, with ${points} points` : ''
  const setUp = facts.isNewProject ? ['The repository has to be set up first; I plan that as well.'] : []
  return [`I understood ${kind}${more}: ${clipped(facts.goal, 200)}`, ...setUp]
}

/** What the last message changed, in a line. */
function noted({ answered, added, removed, changes }: LastMessage, facts: Facts): readonly string[] {
  const choices = answered.flatMap(([id, given]) => {
    const topic = topicOf(id)
    const summary = topic === null ? '' : effectOf(topic, given, facts).summary
    return summary === '' ? [] : [given.by === 'default' ? `${summary} (my choice)` : summary]
  })
  const others = [
    ...added.map(({ text, kind }) => (kind === 'out_of_scope' ? `not wanted: ${text}` : text)),
    ...removed.map((text) => `dropped: ${text}`),
  ].map((text) => clipped(text, 120))
  const all = [...choices, ...others]
  if (all.length === 0 && changes.length === 0) return []
  const shown = all.slice(0, 6)
  const left = all.length - shown.length
  return [`Noted: ${shown.join('; ')}${left > 0 ? `; and ${left} more` : ''}.`]
}

/** What the user should know about how the text was read. */
function remarks({ last, isCut, posts }: FormState, facts: Facts): readonly string[] {
  return [
    ...(last.leftOut > 0
      ? [
          `I left out ${last.leftOut === 1 ? 'one line' : `${last.leftOut} lines`} that spoke to me or about safeguards instead of the product.`,
        ]
      : []),
    ...(isCut
      ? ['The text was very long. I read the beginning; check in the draft that nothing is missing.']
      : []),
    ...(posts === 0 && isForeign(facts.wording) ? ['I ask in English; answer in any language.'] : []),
  ]
}

const isForeign = (wording: string): boolean =>
  /\b(?:und|ich|nicht|bitte|soll|möchte|für|eine|der|die|das)\b.*\b(?:und|ich|nicht|bitte|soll|möchte|für|eine|der|die|das|mit|auf)\b/.test(
    wording,
  ) || (wording.match(/[^\p{Script=Latin}\P{L}]/gu)?.length ?? 0) > wording.length / 4

/** Answers to what the user asked back. */
function answers({ questions: asked }: LastMessage, questions: readonly ChatQuestion[]): readonly string[] {
  return asked.slice(0, 3).map((text) => answerTo(text, questions))
}

function answerTo(text: string, [first]: readonly ChatQuestion[]): string {
  if (intentOf(text) === 'leave')
    return 'Nothing is built before you submit a spec. Leave the interview open and come back when you like, or say what you want instead.'
  const back = 'Tell me what you prefer, or say "you decide".'
  if (!/[?？]\s*$/.test(text)) return `You have not decided this yet: "${clipped(text, 120)}". ${back}`
  if (/\b(?:why|warum|wieso|wozu|what for)\b/i.test(text))
    return 'Each answer becomes a criterion that is tested in the end; what you leave open I decide by the default.'
  if (/\b(?:recommend|suggest|advise|think|best|would you|empfiehlst|empfehlen|rätst)\b/i.test(text))
    return 'I recommend the defaults, which are marked. Say "ok" to take all of them.'
  if (/\b(?:how long|how much|cost|price|when will|wie lange|kosten|dauert)\b/i.test(text))
    return 'That depends on the plan, which you see before anything is built.'
  const [option] = first?.options ?? []
  if (
    /\b(?:mean|explain|what is|what are|difference|bedeutet|heißt|was ist|erklär\w*)\b/i.test(text) &&
    first !== undefined &&
    option !== undefined
  )
    return `Each option says what follows from it. In question 1, "${option.label}" means: ${option.consequence}.`
  return `I cannot answer "${clipped(text, 120)}". ${back}`
}

/** Before a draft is shown. */
export function draftPost(
  { state, facts, expertise }: PostParts,
  spec: Spec,
  assumed: readonly string[],
): string {
  const many = spec.requirements.length
  const changed = state.last.changes.flatMap((change) => describeChange(change, spec) ?? [])
  const missing = state.last.changes.filter(
    (change) => describeChange(change, spec) === null && change.kind !== 'remove',
  )
  return [
    ...noted({ ...state.last, answered: state.last.answered.filter(([, { by }]) => by === 'user') }, facts),
    ...(changed.length > 0 ? [`Changed: ${changed.slice(0, 6).join('; ')}.`] : []),
    ...missing.map((change) => `There is no requirement ${'id' in change ? change.id : ''}.`),
    ...remarks(state, facts),
    ...answers(state.last, []),
    `The draft is ready: "${spec.title}", ${many === 1 ? 'one requirement' : `${many} requirements`}.`,
    ...notBuilt(state, spec),
    ...(assumed.length > 0 ? ['I assumed:', ...assumed.map((text) => `- ${text}`)] : []),
    expertise === 'non_technical'
      ? 'Please read it. You can change anything, or have it built.'
      : 'Read it, then submit it for development, or continue the interview and say what to change.',
  ].join('\n')
}

const MOST_REMARKS = 4

/** Statements that are no requirement, so that no wish is lost unnoticed. */
function notBuilt({ items, base }: FormState, spec: Spec): readonly string[] {
  const background = items.filter(({ id, statement }) => id === null && statement.kind === 'background')
  const texts = background
    .map(({ statement }) => statement.text)
    .filter((text) => titleFrom(text) !== spec.title)
  if (base !== null || texts.length === 0) return []
  const shown = texts.slice(0, MOST_REMARKS).map((text) => `- ${clipped(text, 120)}`)
  const left = texts.length - shown.length
  return [
    'Taken as background, and not built (say "also …" where it should be):',
    ...shown,
    ...(left > 0 ? [`- and ${left} more`] : []),
  ]
}

/** After a draft, where the last message changed nothing. */
export function whatToChangePost({ state }: PostParts, spec: Spec): string {
  const [first] = spec.requirements
  const id = first?.id ?? 'R-001'
  return [
    ...remarks({ ...state, isCut: false }, { wording: '' } as Facts),
    ...answers(state.last, []),
    `Tell me what should change: "also …", "no …", "drop ${id}", "${id} could", "add to ${id}: …", or "that's all".`,
  ].join('\n')
}

export function feedbackPost(settled: number, questions: readonly ChatQuestion[]): string {
  return [
    'The architect has read the spec and needs some decisions.',
    ...(settled > 0 ? [`${settled === 1 ? 'One point' : `${settled} points`} I could settle myself.`] : []),
    questions.length === 1 ? 'One question:' : `${questions.length} questions:`,
  ].join('\n')
}
