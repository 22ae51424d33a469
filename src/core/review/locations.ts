/** Parses the locations a reviewer names and checks that they exist. */
import type { ReviewIssue } from '../event-schemas/schemas.ts'
import { isOutside } from '../languages/paths.ts'

export interface Place {
  readonly file: string
  /** Null: the file as a whole. */
  readonly line: number | null
}

const LONGEST_PATH = 1000

/** `src/a.ts:12`, also with a column, a range, `#L12`, a leading `./` or backticks. Null for anything else. */
export function placeOf(location: string): Place | null {
  const text = location
    .trim()
    .replace(/^`+|`+$/g, '')
    .replace(/^(\.\/)+/, '')
  if (text === '' || text.length > LONGEST_PATH || /[\0\n]/.test(text)) return null
  const [, file = text, line] = /^(.+?)(?::|#L|\(|, line |\sline )(\d{1,9})(?:[-:,)L\d]*)$/.exec(text) ?? []
  if (file === '' || isOutside(file)) return null
  return { file, line: line === undefined ? null : Number(line) }
}

/** `linesOf`: the number of lines of a file, null if it does not exist, undefined if unknown. */
export function withPlacesChecked(
  issues: readonly ReviewIssue[],
  linesOf: (file: string) => number | null | undefined,
): readonly ReviewIssue[] {
  return issues.map((issue) => {
    if (issue.location.trim() === '') return issue
    const place = placeOf(issue.location)
    const lines = place === null ? null : linesOf(place.file)
    if (lines === undefined) return issue
    const isThere = lines !== null && (place?.line === null || isWithin(place?.line ?? 0, lines))
    return { ...issue, isFound: isThere }
  })
}

/** Line 1 of an empty file counts, so that an issue can be about it. */
const isWithin = (line: number, lines: number): boolean => line >= 1 && line <= Math.max(lines, 1)

export function formatPlace({ location, isFound }: ReviewIssue): string {
  if (location.trim() === '') return 'no location'
  return isFound === false ? `${location} (location not found)` : location
}
