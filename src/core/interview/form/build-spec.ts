/** Builds the spec from what an interview has come to. It is always valid. */
import type { Requirement, RequirementType, Spec, SpecPriority } from '../../spec/spec.ts'
import { applyChange, titleFrom, unique } from './changes.ts'
import { criteriaFrom, criterionFrom } from './criterion.ts'
import { goalItem, type FormState, type Item } from './form-state.ts'
import { capitalised, clipped, hasWords, plainLine, withoutStop } from './plain-text.ts'
import { describesDefect, type StatementKind } from './statements.ts'
import { openTopics, TOPICS } from './topics.ts'
import { effectOf, type Effect, type Facts } from './topic.ts'
import type { Expertise } from '../states.ts'

export interface BuiltSpec {
  readonly spec: Spec
  /** What was not stated and is assumed, one line each. */
  readonly assumed: readonly string[]
}

const MOST_CRITERIA = 12
const MOST_LINES = 30
const LONGEST_LINE = 300
const UNTITLED = 'Untitled request'
const FAULT_TEST = 'A test that shows the fault fails before the change and passes after it'

/** `created` is a date, `2026-11-16`. */
export function buildSpec(
  state: FormState,
  facts: Facts,
  { expertise, created }: { readonly expertise: Expertise; readonly created: string },
): BuiltSpec {
  const { effects, assumed } = answersIn(facts, expertise)
  const first =
    state.base === null
      ? fromStatements(state, facts, { effects, assumed, created })
      : ontoBase(state, state.base)
  return { spec: state.changes.reduce(applyChange, first), assumed: state.base === null ? assumed : [] }
}

/** Topics that were answered, and the defaults of those that were not. */
function answersIn(
  facts: Facts,
  expertise: Expertise,
): { readonly effects: readonly Effect[]; readonly assumed: readonly string[] } {
  const given = TOPICS.flatMap((topic) => {
    const answer = facts.given.get(topic.id)
    return answer === undefined
      ? []
      : [{ effect: effectOf(topic, answer, facts), isAssumed: answer.by === 'default' }]
  })
  const open = openTopics(facts, expertise).map((topic) => ({
    effect: effectOf(topic, { key: null, text: null, by: 'default' }, facts),
    isAssumed: true,
  }))
  const all = [...given, ...open]
  return {
    effects: all.map(({ effect }) => effect),
    assumed: all.flatMap(({ effect, isAssumed }) =>
      isAssumed && effect.summary !== '' ? [effect.summary] : [],
    ),
  }
}

interface Parts {
  readonly effects: readonly Effect[]
  readonly assumed: readonly string[]
  readonly created: string
}

function fromStatements(state: FormState, facts: Facts, { effects, assumed, created }: Parts): Spec {
  const goal = goalItem(state)
  const priority =
    effects.find((effect) => effect.priority !== undefined)?.priority ??
    statedPriority(facts.wording, goal?.statement.text ?? '')
  const items = requirementItems(state, goal)
  const requirements = items.map((item) => requirementOf(item, state, priority))
  const first = requirements[0] ?? nothingStated(priority)
  const extra = unique([
    ...textsOf(state, 'constraint').map((text) => criterionFrom(text)),
    ...effects.flatMap((effect) => effect.criteria ?? []),
  ])
  const all = [
    { ...first, criteria: unique([...first.criteria, ...extra]).slice(0, MOST_CRITERIA) },
    ...requirements.slice(1),
  ]
  return {
    version: '1.0',
    priority,
    created,
    title: goal === null ? UNTITLED : titleOf(goal.statement.text, facts.isDefect),
    vision: visionOf(state, goal, effects, assumed),
    inScope: unique(all.map(({ title }) => title)),
    outOfScope: outOf(state, effects, all),
    requirements: all,
  }
}

/** A heading above a list of wishes names the whole and is no wish itself. */
function requirementItems(state: FormState, goal: Item | null): readonly Item[] {
  const wishes = state.items.filter(({ id }) => id !== null)
  const isHeading = goal?.statement.isHeading === true && wishes.length > 1 && wishes[0] === goal
  if (isHeading) return wishes.slice(1)
  return wishes.length === 0 && goal !== null ? [{ ...goal, id: 'R-001' }] : wishes
}

function requirementOf(item: Item, state: FormState, priority: SpecPriority): Requirement {
  const { text } = item.statement
  const own = criteriaAfter(item, state)
  const isFault = describesDefect(text)
  // What is expected instead says that a fault is gone; a wish is to be met whatever else is.
  const criteria = isFault ? (own.length > 0 ? own : [faultGone(text)]) : [...criteriaFrom(text), ...own]
  return {
    id: item.id ?? 'R-001',
    title: titleOf(text, isFault),
    type: typeOf(text),
    priority:
      /\b(?:nice to have|optional(?:ly)?|ideally|if possible|bonus|maybe|could also|wenn möglich|vielleicht)\b/i.test(
        text,
      )
        ? 'could'
        : priority,
    dependsOn: dependenciesOf(item, state),
    description: `${capitalised(withoutStop(clipped(text, 600)))}.`,
    criteria: unique(isFault ? [...criteria, FAULT_TEST] : criteria).slice(0, MOST_CRITERIA),
    line: 0,
  }
}

const titleOf = (text: string, isFault: boolean): string =>
  isFault && !/^(?:fix|repair|resolve|behebe|repariere)\b/i.test(text)
    ? `Fix: ${titleFrom(text)}`
    : titleFrom(text)

const faultGone = (text: string): string =>
  /^(?:fix|repair|resolve)\b/i.test(text)
    ? criterionFrom(text)
    : `The fault no longer occurs: ${withoutStop(clipped(text, 240))}`

/** Criteria belong to the wish before them; those before any wish belong to the first. */
function criteriaAfter(item: Item, { items }: FormState): readonly string[] {
  const wishes = items.filter(({ id }) => id !== null)
  const owner = (at: number): Item | undefined =>
    items.slice(0, at + 1).findLast(({ id }) => id !== null) ?? wishes[0]
  return items.flatMap(({ statement, id }, at) => {
    const isOwn = statement.kind === 'criterion' && id === null && (owner(at)?.id ?? item.id) === item.id
    return isOwn ? [criterionFrom(statement.text)] : []
  })
}

/** "It should also …" builds on what was asked for first; a heading that is no wish itself is no part of the spec. */
function dependenciesOf(item: Item, state: FormState): readonly string[] {
  const [first] = requirementItems(state, goalItem(state))
  if (first === undefined || first === item || first.id === null || first.statement.kind !== 'action')
    return []
  return /^(?:it|this|that|they|these|also|and|plus|es|er|sie|auch|das)\b/i.test(item.statement.text)
    ? [first.id]
    : []
}

function typeOf(text: string): RequirementType {
  if (
    /^(?:document|describe|explain|write (?:the )?(?:docs|documentation|readme|guide))\b|\b(?:readme|documentation|changelog)\b/i.test(
      text,
    )
  )
    return 'documentation'
  if (/\b(?:ci|pipeline|docker\w*|deploy\w*|kubernetes|helm|terraform|github actions?)\b/i.test(text))
    return 'infrastructure'
  if (/\b(?:latency|throughput|faster|speed up|performance|memory use|accessib\w*|wcag)\b/i.test(text))
    return 'non_functional'
  return 'functional'
}

/** Where nothing was stated that can be built. */
const nothingStated = (priority: SpecPriority): Requirement => ({
  id: 'R-001',
  title: 'State what should be built',
  type: 'documentation',
  priority,
  dependsOn: [],
  description:
    'The interview ended before anything was asked for. Continue it, and say in one sentence what should be built.',
  criteria: ['docs/request.md says in one sentence what should be built and for whom'],
  line: 0,
})

function visionOf(
  state: FormState,
  goal: Item | null,
  effects: readonly Effect[],
  assumed: readonly string[],
): string {
  const background = textsOf(state, 'background').filter((text) => text !== goal?.statement.text)
  const sentences = [
    goal === null ? 'Nothing was asked for yet' : goal.statement.text,
    ...background.slice(0, 6),
    ...effects.flatMap((effect) => effect.vision ?? []),
  ]
  const stated = sentences
    .map((text) => `${capitalised(withoutStop(plainLine(text, LONGEST_LINE)))}.`)
    .join(' ')
  return assumed.length === 0
    ? stated
    : `${stated}\n\nAssumed, because it was not stated: ${assumed.map((text) => clipped(text, 160)).join('; ')}.`
}

function outOf(
  state: FormState,
  effects: readonly Effect[],
  requirements: readonly Requirement[],
): readonly string[] {
  const stated = textsOf(state, 'out_of_scope').map(outItem)
  const titles = new Set(requirements.map(({ title }) => title.toLowerCase()))
  return unique([...stated, ...effects.flatMap((effect) => effect.outOfScope ?? [])])
    .filter((item) => hasWords(item) && !titles.has(item.toLowerCase()))
    .slice(0, MOST_LINES)
}

/** "No need for X" is "X". */
function outItem(text: string): string {
  const thing = text
    .replace(
      /^(?:(?:we|i|you) )?(?:(?:not (?:needed|required|necessary|wanted|included)|out of scope|no need)\s*:|no need (?:for|to)|(?:do not|don't|dont|doesn't) (?:need|want|care about|touch|bother with|have to)(?: to)?|leave (?:out|alone)|no|without|not|never mind|kein\w*|ohne)\s+(?:the |any |a )?/i,
      '',
    )
    .replace(
      /\s+(?:is|are) (?:out of scope|not (?:needed|required|necessary|part of (?:it|this)|included|in scope))(?: (?:yet|now|for now))?$/i,
      '',
    )
  return capitalised(plainLine(hasWords(thing) ? thing : text, LONGEST_LINE))
}

const textsOf = ({ items }: FormState, kind: StatementKind): readonly string[] =>
  items.filter(({ statement }) => statement.kind === kind).map(({ statement }) => statement.text)

/** One wish that would be nice to have says nothing about the others. */
function statedPriority(wording: string, goal: string): SpecPriority {
  if (/\b(?:low priority|no rush|not urgent|whenever)\b/.test(wording) || /\bnice to have\b/i.test(goal))
    return 'could'
  return /\b(?:normal priority|medium priority)\b/.test(wording) ? 'should' : 'must'
}

/** A spec that the user wrote keeps its words; what was stated since is added. */
function ontoBase(state: FormState, base: Spec): Spec {
  const added = state.items
    .filter(({ id }) => id !== null)
    .map((item) => requirementOf(item, state, base.priority))
  const [first, ...others] = base.requirements
  if (first === undefined) return base
  const loose = state.items.filter(({ id }) => id === null)
  const own =
    added.length > 0
      ? []
      : loose
          .filter(({ statement }) => statement.kind === 'criterion')
          .map(({ statement }) => criterionFrom(statement.text))
  const rules = loose
    .filter(({ statement }) => statement.kind === 'constraint')
    .map(({ statement }) => criterionFrom(statement.text))
  return {
    ...base,
    inScope: unique([...base.inScope, ...added.map(({ title }) => title)]),
    outOfScope: unique([...base.outOfScope, ...textsOf(state, 'out_of_scope').map(outItem)]),
    requirements: [
      { ...first, criteria: unique([...first.criteria, ...own, ...rules]) },
      ...others,
      ...added,
    ],
  }
}
