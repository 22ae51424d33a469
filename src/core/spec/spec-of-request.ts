/** A request without a spec as a spec of one requirement, so that it can be planned and traced like any other. */
import { oneLine } from '../../lib/text/one-line.ts'
import { clip } from '../planning/readers/markdown/inline.ts'
import type { Spec } from './spec.ts'

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
  readonly outOfScope: readonly string[]
  /** How it is to be done; every task gets them. */
  readonly constraints: readonly string[]
  /** What the user answered before it began. */
  readonly answers: readonly { readonly question: string; readonly answer: string }[]
}

export function specOfRequest(request: RequestToPlan): Spec {
  const { title, text, criteria, outOfScope, constraints } = request
  const plain = text.replaceAll('\0', '').trim()
  const given = oneLine(title.replaceAll('\0', ''))
  const name = clip(given === '' ? oneLine(plain) : given, LONGEST_TITLE) || 'Carry out the request'
  const written = criteria.map((one) => clip(oneLine(one), LONGEST_CRITERION)).slice(0, MOST_CRITERIA)
  return {
    version: '1',
    priority: 'must',
    created: '1970-01-01',
    title: name,
    vision: name,
    inScope: [name],
    outOfScope: outOfScope.map(oneLine),
    requirements: [
      {
        id: 'R-001',
        title: name,
        type: 'functional',
        priority: 'must',
        dependsOn: [],
        description: descriptionOf(request, plain === '' ? name : plain),
        criteria: written.length > 0 ? written : [name],
        line: 1,
      },
    ],
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
