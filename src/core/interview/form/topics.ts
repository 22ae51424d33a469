/** Every topic of the form, and which of them are asked next. */
import { MAX_QUESTIONS, type Expertise } from '../states.ts'
import type { ChatQuestion } from '../turn.ts'
import { expected, reproduce } from './defect-topics.ts'
import { acceptance, behaviour, dataKept, edge, users } from './feature-topics.ts'
import { compatibility, constraints, outOfScope, performance, priority, security } from './limit-topics.ts'
import { amount, ease, speed } from './measure-topics.ts'
import { language, surface } from './project-topics.ts'
import type { Hearing } from './read-reply.ts'
import { askTopic, type Facts, type Topic } from './topic.ts'

/** The most useful first. */
export const TOPICS: readonly Topic[] = [
  surface,
  language,
  reproduce,
  expected,
  behaviour,
  users,
  speed,
  amount,
  ease,
  edge,
  dataKept,
  security,
  outOfScope,
  priority,
  acceptance,
  constraints,
  compatibility,
  performance,
]

export const topicOf = (id: string): Topic | null => TOPICS.find((topic) => topic.id === id) ?? null

/** People who know little of software are asked less. */
const LIMITS: Readonly<Record<Expertise, { readonly round: number; readonly all: number }>> = {
  non_technical: { round: 3, all: 4 },
  basic: { round: 4, all: 7 },
  expert: { round: MAX_QUESTIONS, all: 11 },
}
/** A question that was passed over this often is not asked again; its default counts. */
const MOST_ASKED = 2

export const GOAL = 'goal'

/** Where nothing is known yet, this is the only question. */
export function goalQuestion(expertise: Expertise): ChatQuestion {
  const wording: Readonly<Record<Expertise, string>> = {
    non_technical: 'What would you like to have? One sentence in your own words is enough.',
    basic: 'What should be built or changed? One sentence is enough.',
    expert: 'What should be built, changed or fixed?',
  }
  return {
    id: GOAL,
    text: wording[expertise],
    options: [
      { key: 'a', label: 'something new', consequence: 'say what it should do' },
      { key: 'b', label: 'a change of something that exists', consequence: 'say what should be different' },
      {
        key: 'c',
        label: 'something that does not work',
        consequence: 'say what happens, and what should happen',
      },
    ],
    default: null,
  }
}

export interface Asked {
  /** Topics that were asked so far. */
  readonly topics: ReadonlySet<string>
  /** How often a topic was asked and the reply answered nothing. */
  readonly passedOver: ReadonlyMap<string, number>
  /** Of the last round, without an answer so far. */
  readonly pending: readonly string[]
}

/** Topics that matter at this level and that neither the user nor the repository has answered. */
export const openTopics = (facts: Facts, expertise: Expertise): readonly Topic[] =>
  TOPICS.filter(
    (topic) => topic.levels.includes(expertise) && !facts.given.has(topic.id) && topic.isOpen(facts),
  )

export function nextQuestions(facts: Facts, expertise: Expertise, asked: Asked): readonly ChatQuestion[] {
  const isSpent = (id: string): boolean => (asked.passedOver.get(id) ?? 0) >= MOST_ASKED
  if (facts.goal === null) return isSpent(GOAL) ? [] : [goalQuestion(expertise)]
  const { round, all } = LIMITS[expertise]
  let left = all - asked.topics.size
  const chosen = openTopics(facts, expertise).filter((topic) => {
    if (isSpent(topic.id)) return false
    return asked.topics.has(topic.id) || left-- > 0
  })
  // A round is finished before the next begins, so that its end is in sight.
  const unfinished = chosen.filter(({ id }) => asked.pending.includes(id))
  const next = unfinished.length > 0 ? unfinished : chosen
  return next.slice(0, round).map((topic) => askTopic(topic, facts, expertise))
}

/** Recognises answers by the words of the topics; questions of a model by the words of their options. */
export const topicHearing: Hearing = {
  option(question, sentence) {
    const topic = topicOf(question.id)
    const words = sentence.toLowerCase()
    const named = question.options.find(({ label }) => words.includes(label.toLowerCase()))
    if (named !== undefined || topic === null) return named ?? null
    // "No" is an answer by itself; at the start of a sentence it says what is not wanted.
    const rest =
      sentence.trim().split(/\s+/).length > 2
        ? sentence.replace(/^\s*(?:no|not|none|nothing|nein|keine?)\s+/i, '')
        : sentence
    const meant = topic.choices.filter(({ says }) => says.test(rest))
    const [only] = meant
    if (only === undefined || meant.length > 1) return null
    return question.options.find(({ key }) => key === only.key) ?? null
  },
  isAbout: (question, sentence) => topicOf(question.id)?.about.test(sentence) ?? false,
}
