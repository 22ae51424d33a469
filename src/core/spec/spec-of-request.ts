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
}

export function specOfRequest({ title, text, criteria, outOfScope }: RequestToPlan): Spec {
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
        description: clip(plain === '' ? name : plain, LONGEST_DESCRIPTION),
        criteria: written.length > 0 ? written : [name],
        line: 1,
      },
    ],
    notes: [],
  }
}
