/** Divides a spec into front matter, title, vision, scope and requirements. */
import { itemOf, type Heading } from '../planning/readers/markdown/marks.ts'
import { withoutComments } from '../planning/readers/markdown/inline.ts'
import type { Line } from '../planning/readers/markdown/lines.ts'
import { headingAt, labelAt, labelNamed, type SpecLabel } from './spec-markdown.ts'
import { z } from 'zod'
import { closest } from '../../lib/text/closest.ts'
import type { Problem } from '../planning/plan.ts'
import { errorAt, warningAt } from '../planning/problems.ts'
import { SPEC_PRIORITIES, type SpecPriority } from './spec.ts'

export interface SpecSection {
  /** The line of its heading. */
  readonly line: number
  readonly lines: Line[]
}

export interface RequirementSection extends SpecSection {
  /** As written; null for a heading that has none although requirements are expected here. */
  readonly id: string | null
  readonly title: string
}

/** The sections with names of their own; the two lists of the scope may also stand alone. */
type NamedPart = keyof typeof NAMES
const NAMES = {
  vision: 'Vision',
  scope: 'Scope',
  in: 'In Scope',
  out: 'Out of Scope',
  requirements: 'Requirements',
} as const

export interface SpecSections {
  readonly title: { readonly line: number; readonly text: string; readonly isFeature: boolean } | null
  readonly named: ReadonlyMap<NamedPart, SpecSection>
  readonly requirements: readonly RequirementSection[]
  /** Sections of other names, on the level of the vision. */
  readonly notes: readonly (SpecSection & { readonly heading: string })[]
  /** Sections that are there twice. */
  readonly repeated: readonly { readonly name: string; readonly line: number }[]
}

const FEATURE = /^feature\s{0,8}[:–—-]\s{0,8}(.*)$/is
/** An id, with the brackets and quotes that people put around it. */
const REQUIREMENT = /^[[("'`]{0,3}(R-?\d{1,9})(?![\w-])[\])"'`]{0,3}\s{0,8}[:–—.-]?\s{0,8}(.*)$/is
/** `Mandatory prerequisite R-001: Title`, on the level of requirements. */
const AFTER_WORDS = /^[A-Za-z][A-Za-z ]{0,40}[ :](R-?\d{1,9}):\s{0,8}(.*)$/is
const PATTERNS: readonly (readonly [NamedPart, RegExp])[] = [
  ['vision', /^(?:product |project )?vision(?: statement)?$/i],
  ['scope', /^(?:project |feature )?scope$/i],
  [
    'requirements',
    /^(?:(?:functional|non-?functional|technical|detailed|feature|product)\s{1,8})?requirements?$/i,
  ],
]

type Part = NamedPart | 'title' | 'requirement' | 'note' | 'other'

class SpecDivision implements SpecSections {
  title: SpecSections['title'] = null
  readonly named = new Map<NamedPart, SpecSection>()
  readonly requirements: RequirementSection[] = []
  readonly notes: (SpecSection & { readonly heading: string })[] = []
  readonly repeated: { readonly name: string; readonly line: number }[] = []
  #part: Part = 'other'
  /** The level of the heading of the current part. */
  #level = 0
  #into: Line[] = []

  add(line: Line): void {
    const heading = line.role === 'text' ? headingAt(withoutComments(line.text)) : null
    if (heading !== null) this.#addHeading(heading, line)
    else if (line.role !== 'text' || !this.#addScopeLabel(line)) this.#into.push(line)
  }

  #addHeading({ level, text }: Heading, line: Line): void {
    const at = { line: line.number, lines: [] }
    const isAmongRequirements = this.#part === 'requirement' || this.#part === 'requirements'
    const isBelow = level > this.#level
    const requirement =
      level < 2 ? null : (REQUIREMENT.exec(text) ?? (level < 4 ? AFTER_WORDS.exec(text) : null))
    const feature = level > 2 ? null : FEATURE.exec(text)
    const named = this.#namedPart(text)
    if (requirement !== null) {
      const [, id = '', title = ''] = requirement
      this.requirements.push({ ...at, id, title: title.trim() })
      this.#enter('requirement', level, at)
    } else if (isBelow && this.#part === 'requirement') {
      // `#### Acceptance Criteria` is a label of its requirement; other headings are part of its text.
      this.#into.push(line)
    } else if (feature !== null) {
      if (this.title === null)
        this.title = { line: at.line, text: (feature[1] ?? '').trim(), isFeature: true }
      else this.repeated.push({ name: '# Feature', line: at.line })
      this.#enter('title', level, at)
    } else if (named !== undefined) {
      this.#enterNamed(named, level, at)
    } else if (level === 1 && this.title === null) {
      this.title = { line: at.line, text, isFeature: false }
      this.#enter('title', level, at)
    } else if (isAmongRequirements && level >= 3) {
      this.requirements.push({ ...at, id: null, title: text })
      this.#enter('requirement', level, at)
    } else if (isBelow && this.#part === 'note') {
      this.#into.push(line)
    } else if (level > 2) {
      this.#enter('other', level, at)
    } else {
      this.notes.push({ ...at, heading: text })
      this.#enter('note', level, at)
    }
  }

  /** `1. Vision:` is "Vision". */
  #namedPart(heading: string): NamedPart | undefined {
    const name = heading
      .replace(/^\d{1,3}(?:\.\d{1,3}){0,3}[.)]?\s{1,8}/, '')
      .replace(/[:\s]{1,8}$/, '')
      .trim()
    const part = scopePart(labelNamed(name))
    if (part !== undefined && (name.length > 3 || this.#isInScope())) return part
    return PATTERNS.find(([, pattern]) => pattern.test(name))?.[0]
  }

  #isInScope = (): boolean => ['scope', 'in', 'out'].includes(this.#part)

  #enter(part: Part, level: number, { lines }: SpecSection): void {
    this.#part = part
    this.#level = level
    this.#into = lines
  }

  #enterNamed(part: NamedPart, level: number, at: SpecSection): void {
    const known = this.named.get(part)
    if (known === undefined) this.named.set(part, at)
    else if (part !== 'requirements') this.repeated.push({ name: NAMES[part], line: at.line })
    this.#enter(part, level, known === undefined || part === 'requirements' ? at : known)
  }

  /** `**In Scope:**` as a line of the Scope section. */
  #addScopeLabel(line: Line): boolean {
    if (!this.#isInScope()) return false
    const labelled = itemOf(line.text) === null ? labelAt(withoutComments(line.text)) : null
    const part = scopePart(labelled?.name)
    if (labelled === null || part === undefined) return false
    this.#enterNamed(part, this.#level, { line: line.number, lines: [] })
    if (labelled.rest !== '') this.#into.push({ ...line, text: labelled.rest })
    return true
  }
}

function scopePart(label: SpecLabel | undefined): 'in' | 'out' | undefined {
  if (label === 'in_scope') return 'in'
  return label === 'out_of_scope' ? 'out' : undefined
}

export function divideSpec(lines: readonly Line[]): SpecSections {
  const division = new SpecDivision()
  for (const line of lines) if (line.role !== 'comment') division.add(line)
  return division
}

/** The `---` block at the top of a spec: version, priority and created, each a plain value. */
const frontMatter = z.lazy(() =>
  z.object({
    version: z.string().regex(/^[\w.+-]{1,40}$/),
    priority: z.string().transform(readPriority).pipe(z.enum(SPEC_PRIORITIES)),
    created: z.string().refine(isDate),
  }),
)
type Fields = z.infer<typeof frontMatter>

/** What each key may be, and what to write. */
const ADVICE: Readonly<Record<keyof Fields, { readonly use: string; readonly remedy: string }>> = {
  version: { use: 'use letters, digits, dots and dashes', remedy: 'write version: "1.0"' },
  priority: {
    use: 'use must, should or could',
    remedy: 'write priority: must, priority: should or priority: could',
  },
  created: { use: 'use a date like 2026-01-31', remedy: 'write the date as created: 2026-01-31' },
}
const KEYS = Object.keys(ADVICE) as (keyof Fields)[]

interface SpecFrontMatter {
  readonly fields: Fields | null
  readonly problems: readonly Problem[]
  /** The lines below it. */
  readonly rest: readonly Line[]
}

export function readSpecFrontMatter(source: string, lines: readonly Line[]): SpecFrontMatter {
  const start = lines.findIndex(({ text, role }) => text.trim() !== '' && role !== 'comment')
  const first = lines[start]
  if (first?.text.trim() !== '---') {
    const remedy = 'begin the file with --- / version: "1.0" / priority: must / created: 2026-01-31 / ---'
    return { fields: null, problems: [errorAt(source, 1, 'no front matter', remedy)], rest: lines }
  }
  const end = lines.findIndex(({ text }, index) => index > start && /^(---|\.\.\.)\s{0,8}$/.test(text))
  if (end === -1) {
    const remedy = 'end it with a line of three dashes'
    const problem = errorAt(source, first.number, 'the front matter is never closed', remedy)
    return { fields: null, problems: [problem], rest: [] }
  }
  const problems: Problem[] = []
  const entries = entriesOf(source, lines.slice(start + 1, end), problems)
  const values = Object.fromEntries(KEYS.map((key) => [key, entries.get(key)?.value ?? '']))
  const parsed = frontMatter.safeParse(values, { jitless: true })
  const wrong = new Set(parsed.error?.issues.map(({ path }) => path[0]))
  for (const key of KEYS.filter((one) => wrong.has(one))) {
    const { line = first.number, value = '' } = entries.get(key) ?? {}
    const { use, remedy } = ADVICE[key]
    const what =
      value === '' ? `the front matter has no ${key}` : `invalid ${key} "${value.slice(0, 60)}" (${use})`
    problems.push(errorAt(source, line, what, remedy))
  }
  return { fields: parsed.data ?? null, problems, rest: lines.slice(end + 1) }
}

function entriesOf(source: string, lines: readonly Line[], problems: Problem[]) {
  const entries = new Map<string, { readonly line: number; readonly value: string }>()
  for (const { number, text } of lines) {
    const plain = text.trim()
    if (plain === '' || plain.startsWith('#') || plain.startsWith('<!--')) continue
    const [, name, written = ''] = /^["']?([A-Za-z][\w-]{0,60})["']?\s{0,20}:(?:\s(.*))?$/s.exec(plain) ?? []
    const key = name?.toLowerCase() ?? ''
    if (name === undefined) {
      const message = `cannot read "${plain.slice(0, 60)}" in the front matter`
      problems.push(errorAt(source, number, message, 'write "key: value", one in a line'))
    } else if (!KEYS.some((known) => known === key)) {
      const near = closest(name, KEYS)
      const remedy = near === null ? `known keys are ${KEYS.join(', ')}` : `did you mean "${near}"?`
      problems.push(warningAt(source, number, `unknown key "${name}" in the front matter is ignored`, remedy))
    } else if (entries.has(key)) {
      const remedy = 'remove one of the two lines'
      problems.push(errorAt(source, number, `${key} is given twice in the front matter`, remedy))
    } else entries.set(key, { line: number, value: scalar(written.trim()) })
  }
  return entries
}

/** A YAML scalar of one line: quotes and a comment removed. */
function scalar(text: string): string {
  const quoted = /^(["'])(.*?)\1/.exec(text)?.[2]
  return (quoted ?? text.replace(/(?:^|\s)#.*$/, '')).trim()
}

/** `must`, `Must have`, `MUST`. */
export function readPriority(written: string): SpecPriority | null {
  const word = written
    .toLowerCase()
    .replace(/[\s_-]{0,4}have$/, '')
    .trim()
  return SPEC_PRIORITIES.find((priority) => priority === word) ?? null
}

const DATE = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s?(?:Z|[+-]\d{2}:?\d{2})?)?$/i

/** A day that exists, with or without a time. */
function isDate(text: string): boolean {
  const [, day = '', time = '00:00'] = DATE.exec(text) ?? []
  return z.iso.date().safeParse(day).success && z.iso.time().safeParse(time).success
}
