/** A request without a spec as a spec of one requirement, so that it can be planned and traced like any other. */
import { oneLine } from '../../lib/text/one-line.ts'
import { clip } from '../planning/readers/markdown/inline.ts'
import { readLines } from '../planning/readers/markdown/lines.ts'
import { bulletAt, isNone } from './spec-markdown.ts'
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
}

/** The points of a list are its criteria; without one, the request itself is. */
export function specOfRequest({ title, text }: RequestToPlan): Spec {
  const plain = text.replaceAll('\0', '').trim()
  const written = oneLine(title.replaceAll('\0', ''))
  const name = clip(written === '' ? oneLine(plain) : written, LONGEST_TITLE) || 'Carry out the request'
  const points = readLines(plain.slice(0, LONGEST_DESCRIPTION))
    .lines.flatMap((line) => (line.role === 'text' ? (bulletAt(line.text)?.text ?? []) : []))
    .map((point) => clip(oneLine(point), LONGEST_CRITERION))
    .filter((point) => !isNone(point))
  return {
    version: '1',
    priority: 'must',
    created: '1970-01-01',
    title: name,
    vision: name,
    inScope: [name],
    outOfScope: [],
    requirements: [
      {
        id: 'R-001',
        title: name,
        type: 'functional',
        priority: 'must',
        dependsOn: [],
        description: clip(plain === '' ? name : plain, LONGEST_DESCRIPTION),
        criteria: points.length >= 2 ? points.slice(0, MOST_CRITERIA) : [name],
        line: 1,
      },
    ],
    notes: [],
  }
}
