/**
 * What an interview has come to, read from its conversation alone: nothing is kept between turns. The questions of a post
 * say what the reply after it can answer.
 */
import { readSpec } from '../../spec/read-spec.ts'
import type { Spec } from '../../spec/spec.ts'
import type { Expertise } from '../states.ts'
import type { BootstrapFacts, ChatMessage, ChatQuestion } from '../turn.ts'
import { changeIn, type Change } from './changes.ts'
import { feedbackChange, isFeedbackQuestion, settledByRules } from './feedback.ts'
import { keywords, normalised, overlap } from './plain-text.ts'
import { chosenLanguage, SURFACE_KEYS, surfaceIn } from './project-topics.ts'
import { readReply, type Given } from './read-reply.ts'
import { intentOf } from './short-replies.ts'
import { describesDefect, readText, type Statement } from './statements.ts'
import { languageNamedIn } from './toolchains.ts'
import { GOAL, topicHearing, topicOf, TOPICS } from './topics.ts'
import type { Facts } from './topic.ts'

/** A statement of the user that the spec is built from. */
export interface Item {
  readonly statement: Statement
  /** `R-001` where it is a requirement; it keeps its id when others go. */
  readonly id: string | null
}

export interface FormState {
  /** A spec that the user pasted or uploaded, which the rest only changes. */
  base: Spec | null
  items: Item[]
  given: Map<string, Given>
  changes: Change[]
  asked: Set<string>
  passedOver: Map<string, number>
  /** Posts that asked something. */
  posts: number
  isFinished: boolean
  /** Something of the user's text was too long to be read. */
  isCut: boolean
  /** Lines that address an assistant or its safeguards. */
  leftOut: string[]
  /** What the last message came to. */
  last: LastMessage
  /** Questions that the next message can answer. */
  pending: readonly ChatQuestion[]
  nextId: number
}

export interface LastMessage {
  readonly answered: readonly (readonly [string, Given])[]
  readonly added: readonly Statement[]
  readonly removed: readonly string[]
  readonly changes: readonly Change[]
  readonly questions: readonly string[]
  readonly leftOut: number
  readonly isFinished: boolean
}

const NOTHING: LastMessage = {
  answered: [],
  added: [],
  removed: [],
  changes: [],
  questions: [],
  leftOut: 0,
  isFinished: false,
}

export interface FormInput {
  readonly conversation: readonly ChatMessage[]
  readonly expertise: Expertise
  readonly bootstrap: BootstrapFacts
  /** Texts of files that the user referred to. */
  readonly files: readonly { readonly path: string; readonly text: string }[]
}

const MAX_REQUIREMENTS = 40

export function emptyForm(base: Spec | null = null): FormState {
  const ids = base?.requirements.map(({ id }) => Number(id.slice(2))) ?? []
  return {
    base,
    items: [],
    given: new Map(),
    changes: [],
    asked: new Set(),
    passedOver: new Map(),
    posts: 0,
    isFinished: false,
    isCut: false,
    leftOut: [],
    last: NOTHING,
    pending: [],
    nextId: Math.max(0, ...ids) + 1,
  }
}

/** Reads the next message. */
export function replayNext(state: FormState, message: ChatMessage, input: FormInput): void {
  switch (message.from) {
    case 'pm':
      if (message.questions.length === 0) return
      state.pending = message.questions
      state.posts++
      for (const { id } of message.questions) state.asked.add(id)
      return
    case 'system':
      state.changes.push(...settledByRules(message.text))
      state.pending = []
      return
    case 'user':
      readMessage(state, message.text, state.pending, input)
      state.pending = state.pending.filter(({ id }) => !state.given.has(id))
  }
}

function readMessage(
  state: FormState,
  text: string,
  pending: readonly ChatQuestion[],
  input: FormInput,
): void {
  const pasted = state.base === null && state.items.length === 0 ? readSpec(text).spec : null
  if (pasted !== null) {
    Object.assign(state, emptyForm(pasted), { asked: state.asked, posts: state.posts, isFinished: true })
    return
  }
  const open = pending.filter(({ id }) => id !== GOAL)
  const reply = readReply(text, open, topicHearing)
  const draft: Mutable = { answered: [], added: [], removed: [], changes: [], questions: [], leftOut: 0 }
  if (intentOf(text) === 'leave') draft.questions.push(text)
  for (const [id, given] of reply.given) answer(state, draft, pending, id, given)
  const { statements, isCut } = readText(reply.rest)
  state.isCut ||= isCut
  const earlier = [...state.items]
  const all = [...statements, ...fileStatements(text, input)]
  for (const statement of withGoal(state, all)) absorb(state, draft, statement, earlier)
  if (draft.answered.length === 0)
    for (const { id } of pending) state.passedOver.set(id, (state.passedOver.get(id) ?? 0) + 1)
  state.isFinished ||= reply.isFinished
  state.last = { ...draft, isFinished: reply.isFinished }
}

interface Mutable {
  answered: (readonly [string, Given])[]
  added: Statement[]
  removed: string[]
  changes: Change[]
  questions: string[]
  leftOut: number
}

function answer(
  state: FormState,
  last: Mutable,
  pending: readonly ChatQuestion[],
  id: string,
  given: Given,
): void {
  const question = pending.find((one) => one.id === id)
  // What the user chose is not undone by passing over the same question later.
  if (given.by === 'default' && state.given.get(id)?.by === 'user') return
  // Wishes in the user's own words are requirements of their own.
  const wishes = topicOf(id)?.takesWishes === true && given.text !== null ? given.text : null
  state.given.set(id, wishes === null ? given : { ...given, text: null })
  last.answered.push([id, given])
  if (wishes !== null)
    for (const statement of readText(wishes).statements) absorb(state, last, statement, [...state.items])
  if (question === undefined || !isFeedbackQuestion(question)) return
  const change = feedbackChange(question, given)
  if (change === null) return
  state.changes.push(change)
  last.changes.push(change)
}

/** The first statement is the subject, in whatever words. */
function withGoal(state: FormState, statements: readonly Statement[]): readonly Statement[] {
  if (state.base !== null || state.items.some(({ id }) => id !== null)) return statements
  const isWished = statements.some(isRequirement)
  const at = statements.findIndex(
    ({ kind }) => kind === 'criterion' || kind === 'background' || isRequirement({ kind }),
  )
  const first = statements[at]
  if (first === undefined || isRequirement(first) || (first.kind === 'background' && isWished))
    return statements
  return statements.with(at, { ...first, kind: 'action' })
}

/** A file counts where the message refers to it. */
function fileStatements(text: string, { files }: FormInput): readonly Statement[] {
  return files.filter(({ path }) => text.includes(path)).flatMap((file) => readText(file.text).statements)
}

function absorb(state: FormState, last: Mutable, statement: Statement, earlier: readonly Item[]): void {
  const { kind, text } = statement
  if (kind === 'instruction') {
    state.leftOut.push(text)
    last.leftOut++
    return
  }
  if (kind === 'question') return void last.questions.push(text)
  const change = changeIn(text)
  if (change !== null) {
    state.changes.push(change)
    last.changes.push(change)
    return
  }
  if (takeBack(state, last, text, earlier) || substitute(state, last, text, earlier)) return
  const topic = statement.isCorrection ? overridden(state, text) : null
  if (topic !== null) return answer(state, last, [], topic.id, topic.given)
  if (state.items.some((item) => normalised(item.statement.text) === normalised(text))) return
  if (state.items.length >= MAX_REQUIREMENTS * 2) return void (state.isCut = true)
  const id = isRequirement(statement) && requirementCount(state) < MAX_REQUIREMENTS ? newId(state) : null
  state.items.push({ statement, id })
  last.added.push(statement)
}

const requirementCount = ({ items }: FormState): number => items.filter(({ id }) => id !== null).length
const isRequirement = ({ kind }: Pick<Statement, 'kind'>): boolean => kind === 'action' || kind === 'subject'
const newId = (state: FormState): string => `R-${String(state.nextId++).padStart(3, '0')}`

const TAKE_BACK =
  /^(?:please |also |and |then )?(?:drop|remove|delete|forget(?: about)?|scratch|leave out|skip|cut|cancel|no longer|we (?:do not|don't) need|i (?:do not|don't) (?:want|need)|never mind|not|no|without|kein\w*|ohne|streiche?|entferne|vergiss)\s+(?:the |any |my |our |that |den |die |das )?(.{2,80}?)(?: any ?more| after all| please| again| bitte)?$/i

/** "Drop the export" takes an earlier wish back; what no earlier message asked for is a wish of its own. */
function takeBack(state: FormState, last: Mutable, text: string, earlier: readonly Item[]): boolean {
  const thing = TAKE_BACK.exec(text)?.[1]
  if (thing === undefined || keywords(thing).size === 0) return false
  const [best] = earlier
    .filter((item) => state.items.includes(item) && overlap(thing, item.statement.text) >= 0.6)
    .sort((a, b) => overlap(b.statement.text, thing) - overlap(a.statement.text, thing))
  // The goal itself stays: without it there is nothing to build.
  if (best === undefined || (best === state.items[0] && requirementCount(state) <= 1)) return false
  state.items = state.items.filter((item) => item !== best)
  state.items.push({
    statement: { ...best.statement, kind: 'out_of_scope', isCorrection: true },
    id: null,
  })
  last.removed.push(best.statement.text)
  return true
}

/** "X instead of Y": Y becomes X in the statements before it. */
function substitute(state: FormState, last: Mutable, text: string, earlier: readonly Item[]): boolean {
  const found =
    /^(?:make it |use |take |have |do )?(.{1,80}?),? (?:instead of|rather than|not|statt|anstatt) (?:the |a )?(.{1,80})$/i.exec(
      text,
    )
  const [, wanted, old] = found ?? []
  if (wanted === undefined || old === undefined) return false
  const pattern = new RegExp(old.trim().replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`), 'i')
  const at = state.items.findIndex((item) => earlier.includes(item) && pattern.test(item.statement.text))
  const item = state.items[at]
  if (item === undefined) return false
  const changed = item.statement.text.replace(pattern, () =>
    wanted.trim().replace(/^(?:an?|the|einen?)\s+/i, ''),
  )
  state.items[at] = { ...item, statement: { ...item.statement, text: changed } }
  last.added.push({ ...item.statement, text: changed })
  return true
}

/** A correction of an answer: "actually, only for admins". */
function overridden(state: FormState, text: string): { readonly id: string; readonly given: Given } | null {
  for (const topic of TOPICS) {
    const isAbout = topic.about.test(text)
    const meant = topic.choices.filter(({ says }) => says.test(text))
    const [only] = meant
    const isGiven = state.given.has(topic.id)
    if (only !== undefined && meant.length === 1 && (isGiven || isAbout))
      return { id: topic.id, given: { key: only.key, text: null, by: 'user' } }
    if (isGiven && isAbout) return { id: topic.id, given: { key: null, text, by: 'user' } }
  }
  return null
}

/** What is known, for choosing questions and building the spec. */
export function factsOf(state: FormState, input: FormInput): Facts {
  const statements = state.items.map(({ statement }) => statement)
  const wording = statements.map(({ text }) => normalised(text)).join(' . ')
  const goal = goalItem(state)?.statement.text ?? state.base?.title ?? null
  const chosen = SURFACE_KEYS[state.given.get('surface')?.key ?? ''] ?? null
  return {
    goal,
    wording,
    statements,
    isDefect: goal !== null && !input.bootstrap.needed && describesDefect(goal),
    isNewProject: input.bootstrap.needed,
    language: input.bootstrap.language ?? languageNamedIn(wording) ?? chosenLanguage(state),
    surface: chosen ?? surfaceIn(wording),
    given: state.given,
  }
}

/** What the interview is about: the first wish, else the first statement. */
export function goalItem({ items }: FormState): Item | null {
  const wish = items.find(({ id }) => id !== null)
  return (
    wish ??
    items.find(({ statement }) => statement.kind === 'background') ??
    items.find(({ statement }) => statement.kind === 'criterion') ??
    null
  )
}
