/** A topic of the form: one question with its wordings, its options and what each answer adds to the spec. */
import type { Expertise } from '../states.ts'
import type { ChatOption, ChatQuestion } from '../turn.ts'
import type { SpecPriority } from '../../spec/spec.ts'
import type { Statement, StatementKind } from './statements.ts'
import type { Given } from './read-reply.ts'

/** What is known when a question is chosen. */
export interface Facts {
  readonly goal: string | null
  /** Everything the user wants, in lower case. */
  readonly wording: string
  readonly statements: readonly Statement[]
  readonly isDefect: boolean
  /** The repository has to be set up first. */
  readonly isNewProject: boolean
  /** Of the repository, else named by the user; null where neither is known. */
  readonly language: string | null
  readonly surface: Surface | null
  readonly given: ReadonlyMap<string, Given>
}

/** Where people or programs meet what is built. */
export type Surface = 'page' | 'command' | 'service' | 'library'

/** What an answer adds to the spec. */
export interface Effect {
  readonly criteria?: readonly string[]
  readonly outOfScope?: readonly string[]
  /** One sentence of the vision. */
  readonly vision?: string
  readonly priority?: SpecPriority
  /** In words, for the list of assumptions. */
  readonly summary: string
}

export interface Choice {
  readonly key: string
  readonly label: string
  /** What follows from it. */
  readonly consequence: string
  /** Words that mean this choice. */
  readonly says: RegExp
  readonly effect: Effect
}

export interface Topic {
  readonly id: string
  readonly levels: readonly Expertise[]
  readonly wording: Readonly<Record<Expertise, string>>
  readonly choices: readonly Choice[]
  defaultKey(facts: Facts): string
  /** Neither the user nor the repository has answered it, and it matters here. */
  isOpen(facts: Facts): boolean
  /** A sentence with these words is about this topic. */
  readonly about: RegExp
  /** An answer in the user's own words names further requirements. */
  readonly takesWishes?: true
  /** What an answer in the user's own words adds. */
  own(text: string): Effect
}

export const EVERYBODY: readonly Expertise[] = ['non_technical', 'basic', 'expert']
export const TECHNICAL: readonly Expertise[] = ['basic', 'expert']
export const EXPERTS: readonly Expertise[] = ['expert']

export function askTopic(topic: Topic, facts: Facts, expertise: Expertise): ChatQuestion {
  return {
    id: topic.id,
    text: topic.wording[expertise],
    options: topic.choices.map(({ key, label, consequence }): ChatOption => ({ key, label, consequence })),
    default: topic.defaultKey(facts),
  }
}

/** What an answer comes to; an answer by default is the default of the topic. */
export function effectOf(topic: Topic, given: Given, facts: Facts): Effect {
  const key = given.key ?? (given.by === 'default' ? topic.defaultKey(facts) : null)
  const chosen = topic.choices.find((choice) => choice.key === key)?.effect
  if (given.text === null) return chosen ?? { summary: '' }
  const own = topic.own(given.text)
  if (chosen === undefined) return own
  return {
    ...chosen,
    ...own,
    criteria: [...(chosen.criteria ?? []), ...(own.criteria ?? [])],
    outOfScope: [...(chosen.outOfScope ?? []), ...(own.outOfScope ?? [])],
  }
}

export const choice = (
  key: string,
  label: string,
  consequence: string,
  says: RegExp,
  effect: Effect,
): Choice => ({ key, label, consequence, says, effect })

export const criteria = (summary: string, ...added: readonly string[]): Effect => ({
  criteria: added,
  summary,
})

export const hasKind = (facts: Facts, kind: StatementKind): boolean =>
  facts.statements.some((one) => one.kind === kind)
