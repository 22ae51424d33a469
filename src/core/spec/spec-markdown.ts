/**
 * Writes a spec as Markdown that reads back to the same spec: labels, and the escapes that let any text stand in it
 * without being read as structure. Every scan is linear.
 */
import { codeSpans, replaceCode, withoutComments } from '../planning/readers/markdown/inline.ts'
import {
  headingOf,
  itemOf,
  labelReader,
  type Heading,
  type LabelIn,
} from '../planning/readers/markdown/marks.ts'
import { oneLine } from '../../lib/text/counted.ts'
import { readLines } from '../planning/readers/markdown/lines.ts'
import { MAX_SPEC_BYTES, type Requirement, type Spec } from './spec.ts'

/** A heading of any level. The blank after the marks may be missing where a known word follows. */
export const headingAt = (line: string): Heading | null => headingOf(line.replace(UNSPACED, '$1 '))

const UNSPACED = /^( {0,3}#{1,6})(?=feature|vision|scope|requirements|in scope|out of scope|\[?R-\d)/i

export type SpecLabel = keyof typeof LABELS
const LABELS = {
  type: 'type|kind|category',
  priority: 'priority',
  dependencies: 'dependencies|dependency|depends on|depends_on|depends-on',
  description: 'description|details',
  criteria: 'acceptance criteria|acceptance criterion|acceptance|criteria|done when|success criteria',
  in_scope: 'in scope|in-scope|in|included|inside',
  out_of_scope: 'out of scope|out-of-scope|out|excluded|not in scope|non-goals|non goals',
} as const

/** `labelNamed`: the label that a heading or a bold line names. */
const { labelOf, labelOfHeading: labelNamed } = labelReader<SpecLabel>(LABELS)
export { labelNamed }

/** `**Type:** text`, `- Type: text`, `__Type__: text`; a label without a colon stands alone on its line, in bold. */
export function labelAt(line: string): LabelIn<SpecLabel> | null {
  const item = itemOf(line)
  return item?.isBox === true ? null : labelOf(item?.text ?? line.trim())
}

/** Words for "there is none". */
export const isNone = (text: string): boolean =>
  /^(none|n\/?a|nothing|nil|null|no|-{1,3}|–|—|\[\s{0,8}\]|)\.?$/i.test(text.replace(/[*_`"'()]/g, '').trim())

const ESCAPED = /\\([!-/:-@[-`{-~•])/g

/** The text that a line of prose stands for. */
export function unescaped(line: string): string {
  const text = withoutComments(line)
  if (!text.includes('\\')) return text
  // A fence at the start of a line is escaped as a whole, and what follows may be a code span.
  if (/^\\[`~]/.test(text)) return unescaped(text.slice(1))
  return replaceCode(
    text,
    (code) => code,
    (plain) => plain.replace(ESCAPED, '$1'),
  )
}

/** A line of prose that reads back as this text. */
export const escaped = (text: string): string => escapedStart(escapedInside(text))

const escapedInside = (text: string): string =>
  replaceCode(
    text,
    (code) => code,
    (piece) => piece.replaceAll(/\\(?=[!-/:-@[-`{-~•])/g, '\\\\').replaceAll('<!--', '\\<!--'),
  )

function escapedStart(text: string): string {
  const number = /^( {0,400}\d{1,6})([.)])/.exec(text)
  if (number !== null) return `${number[1]}\\${text.slice(number[1]?.length ?? 0)}`
  const [indent = ''] = /^ */.exec(text) ?? []
  const rest = text.slice(indent.length)
  if (/^(?:[#*+•_=|>[]|-|~|`{3})/.test(rest) && !startsWithCode(rest)) return `${indent}\\${rest}`
  const colon = rest.indexOf(':')
  if (colon !== -1 && labelAt(rest) !== null) return `${indent}${rest.slice(0, colon)}\\${rest.slice(colon)}`
  return text
}

/** A heading that reads back as this text. */
export function escapedHeading(text: string): string {
  const marked = replaceCode(
    escapedInside(text),
    (code) => code,
    (piece) => piece.replaceAll('**', '\\*\\*'),
  )
  return /(?:^|[^\\])#$/.test(marked) ? `${marked.slice(0, -1)}\\#` : marked
}

/** A line that begins with a code span of three or more backticks looks like a fence. */
const startsWithCode = (text: string): boolean => text.startsWith('`') && codeSpans(text)[0]?.start === 0

/** Writes a spec as Markdown that `readSpec` reads back to the same spec. */
export function specText(spec: Spec): string {
  const parts = [
    '---',
    `version: "${spec.version}"`,
    `priority: ${spec.priority}`,
    `created: ${spec.created}`,
    '---',
    '',
    `# Feature: ${heading(spec.title)}`,
    '',
    '## Vision',
    '',
    prose(spec.vision),
    '',
    '## Scope',
    '',
    '### In Scope',
    '',
    ...spec.inScope.map((item) => `- ${inline(item)}`),
    '',
    '### Out of Scope',
    '',
    ...(spec.outOfScope.length === 0 ? ['- None'] : spec.outOfScope.map((item) => `- ${inline(item)}`)),
    '',
    '## Requirements',
    '',
    ...spec.requirements.flatMap(requirementLines),
    ...spec.notes.flatMap((note) => [`## ${heading(note.heading)}`, '', prose(note.text), '']),
  ]
  return `${parts.join('\n').trimEnd()}\n`
}

function requirementLines(requirement: Requirement): readonly string[] {
  const { id, title, type, priority, dependsOn, description, criteria } = requirement
  return [
    `### ${id}: ${heading(title)}`,
    '',
    `**Type:** ${type}`,
    `**Priority:** ${priority}`,
    `**Dependencies:** ${dependsOn.length === 0 ? 'None' : dependsOn.join(', ')}`,
    '',
    '**Description:**',
    '',
    prose(description),
    '',
    '**Acceptance Criteria:**',
    '',
    ...criteria.map((criterion) => `- [ ] ${inline(criterion)}`),
    '',
  ]
}

const inline = (text: string): string => escaped(oneLine(text.replaceAll('\0', '')))
const heading = (text: string): string => escapedHeading(oneLine(text.replaceAll('\0', '')))

/** Code blocks stay as they are where each is closed; every other line is escaped. */
function prose(text: string): string {
  const { lines, notes } = readLines(text.replaceAll('\0', '').trim(), MAX_SPEC_BYTES)
  return lines
    .map(({ text: line, role }) => {
      const isCode = notes.length === 0 && (role === 'code' || role === 'fence')
      return isCode ? line : escaped(line.trimEnd())
    })
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
}
