/** Reads one requirement: its fields in any usual spelling, its description and its criteria. */
import { closest } from '../../lib/text/closest.ts'
import { oneLine } from '../../lib/text/one-line.ts'
import type { Problem } from '../planning/plan.ts'
import { errorAt } from '../planning/problems.ts'
import { keyByWord } from '../planning/readers/key-by-word.ts'
import { splitParens } from '../planning/readers/markdown/inline.ts'
import type { Line } from '../planning/readers/markdown/lines.ts'
import { readPriority } from './spec-front-matter.ts'
import {
  bulletAt,
  headingAt,
  isNone,
  labelAt,
  labelNamed,
  unescaped,
  withoutComments,
  type SpecLabel,
} from './spec-markdown.ts'
import type { RequirementSection } from './spec-sections.ts'
import { REQUIREMENT_TYPES, type Requirement, type RequirementType } from './spec.ts'

const TYPES = keyByWord<RequirementType>({
  functional: [
    'functional',
    'feature',
    'ui',
    'ux',
    'user_interface',
    'api',
    'data',
    'business',
    'behaviour',
    'behavior',
    'integration',
  ],
  non_functional: [
    'non_functional',
    'nonfunctional',
    'nfr',
    'quality',
    'performance',
    'security',
    'reliability',
    'usability',
    'accessibility',
    'compliance',
    'constraint',
    'technical',
  ],
  infrastructure: [
    'infrastructure',
    'infra',
    'devops',
    'operations',
    'ops',
    'bootstrap',
    'setup',
    'deployment',
    'ci',
    'tooling',
  ],
  documentation: ['documentation', 'docs', 'doc'],
})

interface Draft {
  readonly fields: Map<'type' | 'priority' | 'dependencies', { line: number; text: string }>
  readonly description: string[]
  readonly criteria: { line: number; text: string }[]
  /** The label that further lines belong to. */
  label: SpecLabel
  /** Whether the next line may continue the last criterion. */
  open: boolean
}

export interface ReadRequirement {
  readonly requirement: Requirement
  /** The line of its dependencies. */
  readonly dependsAt: number
  readonly problems: readonly Problem[]
}

export function readRequirement(source: string, section: RequirementSection): ReadRequirement {
  const draft: Draft = { fields: new Map(), description: [], criteria: [], label: 'description', open: false }
  const problems: Problem[] = []
  const report = (line: number, message: string, remedy: string): void => {
    problems.push(errorAt(source, line, message, remedy))
  }
  const id = (section.id ?? '').toUpperCase()
  const name = id === '' ? `"${section.title.slice(0, 60)}"` : id
  for (const line of section.lines) readLine(draft, line, (problem) => problems.push(problem), source)
  checkHeading(section, id, report)
  const description = block(draft.description)
  if (description === '') {
    report(
      section.line,
      `requirement ${name} has no description`,
      'write **Description:** and what is wanted',
    )
  }
  const criteria = draft.criteria.filter(({ text, line }) => {
    if (!isNone(text)) return true
    report(line, `an acceptance criterion of ${name} is empty`, 'write what can be observed when it is met')
    return false
  })
  if (draft.criteria.length === 0) {
    const remedy = 'write **Acceptance Criteria:** and at least one line "- [ ] what can be observed"'
    report(section.line, `requirement ${name} has no acceptance criterion`, remedy)
  }
  const dependencies = draft.fields.get('dependencies')
  const at = { line: section.line, name, report }
  return {
    requirement: {
      id,
      title: unescaped(section.title),
      type: typeOf(draft.fields.get('type'), at),
      priority: priorityOf(draft.fields.get('priority'), at),
      dependsOn: dependenciesOf(dependencies, at),
      description,
      criteria: criteria.map(({ text }) => unescaped(oneLine(text))),
      line: section.line,
    },
    dependsAt: dependencies?.line ?? section.line,
    problems,
  }
}

type Report = (line: number, message: string, remedy: string) => void

interface At {
  readonly line: number
  readonly name: string
  readonly report: Report
}

function checkHeading({ id: written, title, line }: RequirementSection, id: string, report: Report): void {
  if (written === null) {
    report(
      line,
      `the requirement "${title.slice(0, 60)}" has no id`,
      `write ### R-001: ${title.slice(0, 60)}`,
    )
    return
  }
  if (!/^R-\d{3,4}$/.test(id)) {
    const digits = id.replace(/\D/g, '')
    const remedy =
      digits.length > 4
        ? 'number requirements from R-001'
        : `write R-${digits.padStart(3, '0')}, also in dependencies`
    report(line, `the id ${written} does not have the form R-001`, remedy)
  }
  if (title === '') report(line, `requirement ${id} has no title`, `write ### ${id}: and a short title`)
}

function readLine(draft: Draft, line: Line, add: (problem: Problem) => void, source: string): void {
  if (line.role !== 'text') {
    // A block of code belongs to the description wherever it stands.
    draft.description.push(line.text)
    draft.open = false
    return
  }
  const text = withoutComments(line.text)
  const heading = headingAt(text)
  const named = heading === null ? labelAt(text) : headingLabel(heading.text)
  if (named !== null && isField(named.label)) {
    enterLabel(draft, { label: named.label, rest: named.rest, line: line.number }, add, source)
    return
  }
  const bullet = bulletAt(text)
  if (bullet?.box === true) {
    draft.criteria.push({ line: line.number, text: bullet.text })
    draft.open = true
    return
  }
  if (draft.label === 'criteria') return readCriterion(draft, line, text)
  if (draft.label === 'dependencies' && bullet !== null) {
    const known = draft.fields.get('dependencies')
    if (known !== undefined) known.text += `, ${bullet.text}`
    return
  }
  // A line right below a check box continues it, also where the label of the criteria is missing.
  if (draft.open && text.trim() !== '' && bullet === null) return continueCriterion(draft, text)
  draft.open = false
  if (text.trim() !== '' && draft.label !== 'description') draft.label = 'description'
  draft.description.push(unescaped(text.trimEnd()))
}

const isField = (label: SpecLabel): boolean => label !== 'in_scope' && label !== 'out_of_scope'

function headingLabel(text: string): { label: SpecLabel; rest: string } | null {
  const label = labelNamed(text)
  return label === undefined ? labelAt(text) : { label, rest: '' }
}

function enterLabel(
  draft: Draft,
  { label, rest, line }: { readonly label: SpecLabel; readonly rest: string; readonly line: number },
  add: (problem: Problem) => void,
  source: string,
): void {
  draft.label = label
  draft.open = false
  if (label === 'description') {
    if (rest !== '') draft.description.push(unescaped(rest))
  } else if (label === 'criteria') {
    if (rest !== '' && !isNone(rest)) draft.criteria.push({ line, text: rest })
  } else if (label === 'type' || label === 'priority' || label === 'dependencies') {
    const known = draft.fields.get(label)
    if (known === undefined) draft.fields.set(label, { line, text: withoutComment(rest) })
    else
      add(
        errorAt(
          source,
          line,
          `${label} is given twice (first in line ${known.line})`,
          'remove one of the lines',
        ),
      )
  }
}

/** As in YAML; an id with a hash before it is none. */
const withoutComment = (text: string): string => text.replace(/(?:^|\s+)#(?!R-\d).*$/i, '')

/** Below the label, plain bullets are criteria too; a paragraph after a blank line is description again. */
function readCriterion(draft: Draft, line: Line, text: string): void {
  const bullet = bulletAt(text)
  if (bullet !== null) {
    if (draft.open && bullet.indent >= 2 && draft.criteria.length > 0)
      return continueCriterion(draft, bullet.text)
    draft.criteria.push({ line: line.number, text: bullet.text })
    draft.open = true
  } else if (text.trim() === '') {
    draft.open = false
  } else if (draft.open) {
    continueCriterion(draft, text)
  } else if (draft.criteria.length === 0) {
    draft.criteria.push({ line: line.number, text: text.trim() })
    draft.open = true
  } else {
    draft.label = 'description'
    draft.description.push('', unescaped(text.trimEnd()))
  }
  return undefined
}

function continueCriterion(draft: Draft, text: string): void {
  const last = draft.criteria.at(-1)
  if (last !== undefined) last.text = `${last.text} ${text.trim()}`
}

function typeOf(found: { line: number; text: string } | undefined, at: At): RequirementType {
  const remedy = `write **Type:** and one of ${REQUIREMENT_TYPES.join(', ')}`
  const word = plainWord(found?.text ?? '').replace(/[\s-]+/g, '_')
  const type = TYPES.get(word)
  if (type !== undefined) return type
  if (found === undefined || word === '')
    at.report(found?.line ?? at.line, `requirement ${at.name} has no type`, remedy)
  else {
    const near = closest(word, REQUIREMENT_TYPES)
    const hint = near === null ? remedy : `did you mean "${near}"?`
    at.report(
      found.line,
      `requirement ${at.name} has the unknown type "${found.text.slice(0, 60)}" (use ${REQUIREMENT_TYPES.join(', ')})`,
      hint,
    )
  }
  return 'functional'
}

function priorityOf(found: { line: number; text: string } | undefined, at: At): Requirement['priority'] {
  const remedy = 'write **Priority:** must, **Priority:** should or **Priority:** could'
  const word = plainWord(found?.text ?? '')
  const priority = readPriority(word)
  if (priority !== null) return priority
  if (found === undefined || word === '')
    at.report(found?.line ?? at.line, `requirement ${at.name} has no priority`, remedy)
  else {
    const isExcluded = /^won['’]?t|^will not/.test(word)
    const hint = isExcluded ? 'list it under Out of Scope instead' : remedy
    at.report(
      found.line,
      `requirement ${at.name} has the unknown priority "${found.text.slice(0, 60)}" (use must, should or could)`,
      hint,
    )
  }
  return 'should'
}

/** Without emphasis, quotes, brackets and a remark in parentheses. */
const plainWord = (text: string): string =>
  splitParens(text)
    .outside.replace(/[*`"'[\].]/g, ' ')
    .replace(/_{2,}/g, ' ')
    .trim()
    .toLowerCase()

/** `[R-001, "R-002"]`, `R-001 and R-002`, `None`, links and remarks in parentheses. */
function dependenciesOf(found: { line: number; text: string } | undefined, at: At): readonly string[] {
  if (found === undefined) return []
  if (isNone(found.text)) return []
  const plain = splitParens(found.text.replace(/\]\([^()\s]{0,200}\)/g, ']')).outside
  const words = plain
    .split(/[,;&[\]"'`*\s]+|(?<=\s)(?:and|or|[+/])(?=\s)/i)
    .map((word) => word.replace(/^[#(]+|[.)]+$/g, ''))
    .filter((word) => word !== '' && !/^(?:and|[+/#-])$/i.test(word))
  const ids = words.filter((word) => /^R-?\d{1,9}$/i.test(word)).map((id) => id.toUpperCase())
  const others = words.filter((word) => !/^R-?\d{1,9}$/i.test(word)).join(' ')
  if (others !== '' && !isNone(others)) {
    const message = `cannot read the dependency "${others.slice(0, 60)}" of ${at.name}`
    at.report(found.line, message, 'list ids, as in **Dependencies:** R-001, R-002, or write None')
  }
  return [...new Set(ids)]
}

/** The lines without blank ones around them, and with at most one between two paragraphs. */
export function block(lines: readonly string[]): string {
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
