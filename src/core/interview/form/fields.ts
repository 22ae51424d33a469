/** The fields of the form: what is asked, and what a request or a spec already says in them, by headings and lists alone. */
import { itemOf, keyByWord } from '../../planning/readers/markdown/marks.ts'
import { clip } from '../../planning/readers/markdown/inline.ts'
import { readLines, type Line } from '../../planning/readers/markdown/lines.ts'
import { headingAt } from '../../spec/spec-markdown.ts'
import type { Requirement, Spec } from '../../spec/spec.ts'
import { oneLine } from '../../../lib/text/counted.ts'
import type { BegunWith } from '../events/schemas.ts'
import type { BootstrapFacts, ChatQuestion } from '../turn.ts'
import { TOOLCHAINS } from './bootstrap-spec.ts'

export const FIELD_IDS = ['goal', 'users', 'done', 'out', 'constraints', 'tests'] as const
export type FieldId = (typeof FIELD_IDS)[number]
/** What stands in each field; absent where nothing does. `language` is asked of an empty repository only. */
export type Fields = Readonly<Partial<Record<FieldId | 'language', string>>>

const TEXTS: Readonly<Record<FieldId, string>> = {
  goal: 'What should be built, changed or fixed, and why?',
  users: 'For whom is it?',
  done: 'What must be true when it is done? Each line becomes a requirement; indented lines below it are its criteria.',
  out: 'What is out of scope? One point in a line.',
  constraints: 'What must it keep to? One constraint in a line.',
  tests: 'How is it tested?',
}
/** Without these there is no spec. */
export const NEEDED = ['goal', 'done'] as const satisfies readonly FieldId[]

const DEFAULT_LANGUAGE = 'typescript'

/** A field's default is what stands in it: it counts without an answer. Null where an answer is needed. */
export function formQuestions(
  values: Fields,
  bootstrap: Pick<BootstrapFacts, 'needed' | 'language'>,
): readonly ChatQuestion[] {
  const questions = FIELD_IDS.map((id): ChatQuestion => {
    const usual = isFormQuestion({ id }) ? null : ''
    return { id, text: TEXTS[id], options: [], default: values[id] ?? usual }
  })
  return bootstrap.needed
    ? [...questions, languageQuestion(values.language ?? bootstrap.language)]
    : questions
}

const languageQuestion = (language: string | null): ChatQuestion => ({
  id: 'language',
  text: 'In which programming language is it set up?',
  options: TOOLCHAINS.map((tools) => ({
    key: tools.language,
    label: tools.label,
    consequence: `${tools.manifest}, ${tools.test.name}, ${tools.lint.name}`,
  })),
  default: TOOLCHAINS.some((tools) => tools.language === language) ? language : DEFAULT_LANGUAGE,
})

/** The questions that an answer is needed for and that have none, in their words. */
export const missingFields = (values: Fields): readonly string[] =>
  NEEDED.filter((id) => (values[id] ?? '').trim() === '').map((id) => TEXTS[id])

export const isFormQuestion = ({ id }: Pick<ChatQuestion, 'id'>): boolean => NEEDED.some((one) => one === id)

const HEADINGS = keyByWord<FieldId>({
  goal: 'goal|goals|what and why|vision|summary',
  users: 'users|user|audience|target users|for whom',
  done: 'acceptance criteria|acceptance|criteria|requirements|functional requirements|done when|definition of done|success criteria',
  out: 'out of scope|out-of-scope|non-goals|non goals|not in scope',
  constraints: 'constraints|non-functional requirements|technical constraints',
  tests: 'tests|testing|test plan|how it is tested|how to test',
})

/** Sections with a known heading fill their fields; the rest is the goal. Without a heading, the points of a list are what must be true. */
export function fieldsOfRequest(text: string): Fields {
  const { lines } = readLines(text)
  const parts = new Map<FieldId, string[]>()
  const into = (id: FieldId): string[] => {
    const part = parts.get(id) ?? []
    parts.set(id, part)
    return part
  }
  const hasHeadings = lines.some((line) => headingOf(line) !== null)
  let at: FieldId = 'goal'
  for (const line of lines) {
    const heading = headingOf(line)
    const known = heading === null ? undefined : HEADINGS.get(heading.toLowerCase())
    if (heading !== null) {
      at = known ?? 'goal'
      if (known === undefined) into('goal').push('', heading)
      continue
    }
    const isPoint = line.role === 'text' && itemOf(line.text) !== null
    if (at === 'goal') into(isPoint && !hasHeadings ? 'done' : 'goal').push(line.text)
    else into(at).push(line.text)
  }
  const filled = [...parts].map(([id, some]) => [id, id === 'goal' ? tidy(some) : listed(some)] as const)
  return Object.fromEntries(filled.filter(([, value]) => value !== ''))
}

/** What the user saw and corrected before the interview, where the request does not say it itself. */
export function fieldsBegunWith(fields: Fields, request: BegunWith | null): Fields {
  if (request === null) return fields
  const { title, understood } = request
  const goal = [titled(fields.goal ?? '', title), ...(understood?.answers ?? []).map(inWords)]
    .filter((text) => text !== '')
    .join('\n\n')
  const known: Fields = goal === '' ? fields : { ...fields, goal }
  // Without a model they are the request's own words, which are in the fields already.
  if (understood === null || understood.judged_by === null) return known
  const { criteria, constraints, out_of_scope: out } = understood
  const judged = { done: criteria, constraints, out }
  const filled = Object.entries(judged).map(([id, lines]) => [id, lines.join('\n')] as const)
  return { ...Object.fromEntries(filled.filter(([, text]) => text !== '')), ...known }
}

const titled = (goal: string, title: string | null): string =>
  title === null || oneLine(goal).includes(oneLine(title)) ? goal : `${title}\n\n${goal}`.trim()

const inWords = ({ question, answer }: { readonly question: string; readonly answer: string }): string =>
  `${question} ${answer}`

/** `## Heading`, or `**Heading:**` and `Heading:` of a known field alone on their line. */
function headingOf({ text, role }: Line): string | null {
  if (role !== 'text') return null
  const heading = headingAt(text)
  if (heading !== null) return withoutColon(heading.text)
  const [, label] = /^\s{0,3}(?:\*\*|__)?([A-Za-z][A-Za-z -]{2,40}?)\s?:?(?:\*\*|__)?:?\s*$/.exec(text) ?? []
  return label !== undefined && /[:*_]\s*$/.test(text) && HEADINGS.has(label.toLowerCase()) ? label : null
}

const withoutColon = (text: string): string => text.replace(/[:\s]+$/, '')
const tidy = (lines: readonly string[]): string =>
  lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

/** One point in a line, without its bullet; a point below another stays indented, a line that goes on joins its point. */
function listed(lines: readonly string[]): string {
  const points: string[] = []
  let isOpen = false
  for (const text of lines) {
    const bullet = itemOf(text)
    if (text.trim() === '') isOpen = false
    else if (bullet !== null)
      points.push(`${bullet.indent >= 2 && points.length > 0 ? '  ' : ''}${bullet.text}`)
    else if (isOpen) points.push(`${points.pop() ?? ''} ${text.trim()}`)
    else points.push(text.trim())
    if (text.trim() !== '') isOpen = bullet !== null
  }
  return points.filter((point) => point.trim() !== '').join('\n')
}

const LONGEST_TITLE = 120

/** The first line of a text, as a title. */
export const titleOf = (text: string): string =>
  clip(oneLine(text.trim().split('\n')[0] ?? '').replace(/^#+\s*/, ''), LONGEST_TITLE)

/** One line where its criterion says it all, else the title with its criteria indented. */
export const linesOf = ({ title, criteria }: Pick<Requirement, 'title' | 'criteria'>): string => {
  const [only = ''] = criteria
  return criteria.length === 1 && titleOf(only) === title
    ? only
    : [title, ...criteria.map((criterion) => `  ${criterion}`)].join('\n')
}

export const NOTE_OF = { users: 'Users', constraints: 'Constraints', tests: 'Testing' } as const
const noteOf = ({ notes }: Spec, heading: string): string =>
  notes.find((note) => note.heading === heading)?.text ?? ''

/** A spec in the form, to be changed there. */
export const fieldsOfSpec = (spec: Spec): Fields => ({
  goal: spec.vision,
  users: noteOf(spec, NOTE_OF.users),
  done: spec.requirements.map(linesOf).join('\n'),
  out: spec.outOfScope.join('\n'),
  constraints: noteOf(spec, NOTE_OF.constraints),
  tests: noteOf(spec, NOTE_OF.tests),
})
