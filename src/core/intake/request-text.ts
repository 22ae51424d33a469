/** The structure of a request: its first line, its lists and the headings above them. Linear in its length. */
import { plainLine } from '../../lib/text/quoted.ts'
import { labelOf, labelOfHeading, type LabelName } from '../planning/readers/markdown/task-fields.ts'
import { readLines } from '../planning/readers/markdown/lines.ts'
import { headingOf, itemOf } from '../planning/readers/markdown/marks.ts'

/** A longer request says what is wanted long before. */
export const MOST_READ = 200_000
const LONGEST_TITLE = 100
const LONGEST_LINE = 2000

export interface RequestText {
  /** One line; empty where the request has no words. */
  readonly title: string
  /** Without code, comments and front matter. */
  readonly prose: string
  /** The prose without what is out of scope. */
  readonly wanted: string
  /** Lines of the prose that are not empty. */
  readonly lines: number
  /** Paths and file names, as written, each once. */
  readonly paths: readonly string[]
  /** Those of the paths that only sound like migrations, by what the files hold; none where no file was read. */
  readonly notMigrations: readonly string[]
  /** Requirements of a spec or tasks of a plan; 0 in other texts. */
  readonly parts: number
  /** The points under headings such as "Acceptance criteria", word for word. */
  readonly criteria: readonly string[]
  /** The points under headings such as "Out of scope". */
  readonly outOfScope: readonly string[]
  /** The points of a list that stands under the title or under no heading. */
  readonly points: readonly string[]
}

export function readRequest(text: string): RequestText {
  const read = readLines(withoutControls(text.slice(0, MOST_READ).toWellFormed()), LONGEST_LINE)
  const lines = withoutFrontMatter(
    read.lines.filter(({ role }) => role === 'text').map((line) => line.text.trimEnd()),
  )
  const prose = lines
    .map((line) => headingOf(line)?.text ?? line)
    .join('\n')
    .trim()
  return {
    title: titleOf(lines),
    prose,
    lines: lines.filter((line) => line.trim() !== '').length,
    paths: pathsIn(prose),
    notMigrations: [],
    parts: Math.max(
      0,
      ...PARTS.map((part) => lines.filter((line) => part.test(line)).length).filter(firstSome),
    ),
    ...listsIn(lines),
  }
}

/** Requirements and tasks, by the way they are written; the first way that occurs counts. */
const PARTS: readonly RegExp[] = [
  /^###\s+R-\d{3,4}\b/,
  /^#{2,4}\s+\W{0,3}(?:task|step)\s+[\d.]{1,8}\s*[:.—–-]/i,
  /^\s{0,6}-\s+\{?\s*(?:id|"id"):/,
  /^\s{0,4}[-*] \[[ xX]\] \S/,
  /^\d{1,3}[.)]\s/,
]
const firstSome = (count: number, at: number, counts: readonly number[]): boolean =>
  count > 0 && counts.slice(0, at).every((before) => before === 0)

/** Of terminals: colours, cursor moves, titles. */
// oxlint-disable-next-line no-control-regex -- that is what is looked for
const CONTROL_SEQUENCE = /\u001B(?:\[[0-9;?]{0,20}[A-Za-z]|\][^\u0007\n]{0,200}\u0007?)/g
const withoutControls = (text: string): string => text.replace(CONTROL_SEQUENCE, '')

function withoutFrontMatter(lines: readonly string[]): readonly string[] {
  if (lines[0]?.trim() !== '---') return lines
  const end = lines.indexOf('---', 1)
  return end === -1 || end > 40 ? lines : lines.slice(end + 1)
}

/** The first line that has words, without the marks around it. */
function titleOf(lines: readonly string[]): string {
  for (const line of lines) {
    // The keys of a plan.
    if (line.startsWith('plan:')) continue
    const start = (headingOf(line)?.text ?? line).replace(
      /^feature:\s*|^title:\s*["']?|^\*\*title:\*\*\s*/i,
      '',
    )
    const plain = (itemOf(start)?.text ?? start)
      .replace(/^\s*(?:>\s?)+/, '')
      .replace(/\*\*|__|`/g, '')
      .trim()
    if (/[\p{L}\p{N}]/u.test(plain)) return plainLine(plain, LONGEST_TITLE).replace(/(?<=\p{L})\.$/u, '')
  }
  return ''
}

/** What a point belongs to, by the heading or the label above it. */
type Place = 'criteria' | 'outOfScope' | 'points' | 'elsewhere'
type Lists = Record<Exclude<Place, 'elsewhere'>, string[]>

function listsIn(lines: readonly string[]): Lists & Pick<RequestText, 'wanted'> {
  const lists: Lists = { criteria: [], outOfScope: [], points: [] }
  const wanted: string[] = []
  let place: Place = 'points'
  /** Of the heading: what a label begins ends with the next paragraph. */
  let around: Place = place
  let headings = 0
  let last: string[] | null = null
  for (const line of lines) {
    const heading = headingOf(line)
    const label = heading === null ? labelOf(line.trim()) : null
    const point = itemOf(line)?.text || null
    if (heading !== null) {
      headings += 1
      place = placeOf(labelOfHeading(heading.text)) ?? (headings === 1 ? 'points' : 'elsewhere')
      around = place
    } else if (label !== null && placeOf(label.name) !== null) {
      place = placeOf(label.name) ?? 'elsewhere'
      if (label.rest !== '' && place !== 'elsewhere') lists[place].push(label.rest)
    } else if (point !== null) {
      const own = labelOf(point)
      const target = (own === null ? null : placeOf(own.name)) ?? place
      last = target === 'elsewhere' ? null : lists[target]
      last?.push(target === place ? point : (own?.rest ?? point))
      if (target !== 'outOfScope') wanted.push(line)
      continue
    } else if (last !== null && /^\s{2,}\S/.test(line)) {
      // A point goes on in lines that are indented.
      last.push(`${last.pop() ?? ''} ${line.trim()}`)
      if (last !== lists.outOfScope) wanted.push(line)
      continue
    } else if (/^\S/.test(line)) place = around
    last = null
    if (place !== 'outOfScope') wanted.push(heading?.text ?? line)
  }
  return { ...lists, wanted: wanted.join('\n').trim() }
}

function placeOf(label: LabelName | undefined): 'criteria' | 'outOfScope' | null {
  if (label === 'acceptance_criteria') return 'criteria'
  return label === 'non_goals' ? 'outOfScope' : null
}

/** Not addresses of pages, and no "and/or". */
function pathsIn(text: string): readonly string[] {
  const words = text.split(/[\s"'`()<>[\],;]+/).map((word) => word.replace(/[.:]+$/, ''))
  const named = words.filter(
    (word) =>
      /^[\w@./-]{1,300}$/.test(word) &&
      /\.[a-z]\w{0,5}$|\/.*\/|^(src|tests?|docs|lib|app|packages)\//i.test(word),
  )
  return [...new Set(named)].slice(0, 100)
}
