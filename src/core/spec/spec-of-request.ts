/** A request without a spec as a spec of one requirement; the open points of a spec that nobody judges. */
import { oneLine } from '../../lib/text/counted.ts'
import { clip } from '../planning/readers/markdown/inline.ts'
import { specOfOne, type Spec } from './spec.ts'
import { openPointsIn } from '../planning/find-questions.ts'

const LONGEST_TITLE = 120
const LONGEST_DESCRIPTION = 5000
const LONGEST_CRITERION = 500
const MOST_CRITERIA = 20

export interface RequestToPlan {
  /** One line. */
  readonly title: string
  /** As the user wrote it. */
  readonly text: string
  readonly criteria: readonly string[]
  readonly out_of_scope: readonly string[]
  /** How it is to be done; every task gets them. */
  readonly constraints: readonly string[]
  /** What the user answered before it began. */
  readonly answers: readonly { readonly question: string; readonly answer: string }[]
}

export function specOfRequest(request: RequestToPlan): Spec {
  const { title, text, criteria, constraints } = request
  const plain = text.replaceAll('\0', '').trim()
  const given = oneLine(title.replaceAll('\0', ''))
  const name = clip(given === '' ? oneLine(plain) : given, LONGEST_TITLE) || 'Carry out the request'
  const written = criteria.map((one) => clip(oneLine(one), LONGEST_CRITERION)).slice(0, MOST_CRITERIA)
  return {
    ...specOfOne(name, {
      type: 'functional',
      description: descriptionOf(request, plain === '' ? name : plain),
      criteria: written.length > 0 ? written : [name],
    }),
    outOfScope: request.out_of_scope.map(oneLine),
    notes:
      constraints.length === 0 ? [] : [{ heading: 'Constraints', text: constraints.map(bullet).join('\n') }],
  }
}

const bullet = (text: string): string => `- ${oneLine(text)}`

/** Of a long request the end is left out, never an answer. */
function descriptionOf({ answers }: RequestToPlan, text: string): string {
  if (answers.length === 0) return clip(text, LONGEST_DESCRIPTION)
  const said = clip(
    `What the user answered when asked:\n${answers.map(({ question, answer }) => `${question}\n→ ${answer}`).join('\n')}`,
    LONGEST_DESCRIPTION / 2,
  )
  return `${clip(text, LONGEST_DESCRIPTION - said.length)}\n\n${said}`.replaceAll('\0', '')
}

const LONGEST_QUOTE = 160

/** The open points, numbered, as one text; empty without any. */
export function openPointsOf({ requirements, vision, outOfScope, notes }: Spec): string {
  const places: readonly (readonly [string, readonly string[]])[] = [
    ['Vision', [vision]],
    ...requirements.map(
      ({ id, title, description, criteria }) => [id, [title, ...criteria, description]] as const,
    ),
    ['Out of Scope', outOfScope],
    ...notes.map(({ heading, text }) => [heading, [text]] as const),
  ]
  return places
    .flatMap(([place, texts]) => openPointsIn(texts).map((point) => ({ place, ...point })))
    .map(({ place, kind, words, choices }, at) => {
      const quote = `"${clip(words, LONGEST_QUOTE)}"`
      const among = choices.length === 0 ? '' : `: ${choices.join(' or ')}`
      const what =
        kind === 'undecided'
          ? `${quote} is undecided. Decide it.`
          : `${quote} leaves a choice open. Choose one${among}.`
      return `${at + 1}. ${place}: ${what}`
    })
    .join('\n')
}
