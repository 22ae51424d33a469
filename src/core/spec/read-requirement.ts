/** Reads one requirement: its fields in any usual spelling, its description and its criteria. */
import { closest } from '../../lib/text/closest.ts'
import { oneLine } from '../../lib/text/counted.ts'
import type { Problem } from '../planning/plan.ts'
import { errorAt } from '../planning/problems.ts'
import { splitParens, withoutComments } from '../planning/readers/markdown/inline.ts'
import type { Line } from '../planning/readers/markdown/lines.ts'
import { itemOf, keyByWord } from '../planning/readers/markdown/marks.ts'
import { readPriority, type RequirementSection } from './spec-sections.ts'
import { headingAt, isNone, labelAt, labelNamed, unescaped, type SpecLabel } from './spec-markdown.ts'
import { REQUIREMENT_TYPES, type Requirement, type RequirementType } from './spec.ts'

const TYPES = keyByWord<RequirementType>({
  functional: 'functional|feature|ui|ux|user_interface|api|data|business|behaviour|behavior|integration',
  non_functional:
    'non_functional|nonfunctional|nfr|quality|performance|security|reliability|usability|accessibility|compliance|constraint|technical',
  infrastructure: 'infrastructure|infra|devops|operations|ops|bootstrap|setup|deployment|ci|tooling',
  documentation: 'documentation|docs|doc',
})

interface Written {
  readonly line: number
  text: string
}

interface Draft {
  readonly fields: Map<'type' | 'priority' | 'dependencies', Written>
  readonly description: string[]
  readonly criteria: Written[]
  /** The label that further lines belong to. */
  label: SpecLabel
  /** Whether the next line may continue the last criterion. */
  isOpen: boolean
}

type Report = (line: number, message: string, remedy: string) => void

export interface ReadRequirement {
  readonly requirement: Requirement
  /** The line of its dependencies. */
  readonly dependsAt: number
  readonly problems: readonly Problem[]
}

export function readRequirement(source: string, section: RequirementSection): ReadRequirement {
  const draft: Draft = {
    fields: new Map(),
    description: [],
    criteria: [],
    label: 'description',
    isOpen: false,
  }
  const problems: Problem[] = []
  const report: Report = (line, message, remedy) => {
    problems.push(errorAt(source, line, message, remedy))
  }
  const id = (section.id ?? '').toUpperCase()
  const name = id === '' ? `"${section.title.slice(0, 60)}"` : id
  for (const line of section.lines) readLine(draft, line, report)
  checkHeading(section, id, report)
  const description = block(draft.description)
  if (description === '') {
    const remedy = 'write **Description:** and what is wanted'
    report(section.line, `requirement ${name} has no description`, remedy)
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

function checkHeading({ id: written, title, line }: RequirementSection, id: string, report: Report): void {
  const shown = title.slice(0, 60)
  if (written === null)
    return report(line, `the requirement "${shown}" has no id`, `write ### R-001: ${shown}`)
  if (!/^R-\d{3,4}$/.test(id)) {
    const digits = id.replace(/\D/g, '')
    const remedy =
      digits.length > 4
        ? 'number requirements from R-001'
        : `write R-${digits.padStart(3, '0')}, also in dependencies`
    report(line, `the id ${written} does not have the form R-001`, remedy)
  }
  if (title === '') report(line, `requirement ${id} has no title`, `write ### ${id}: and a short title`)
  return undefined
}

function readLine(draft: Draft, line: Line, report: Report): void {
  if (line.role !== 'text') {
    // A block of code belongs to the description wherever it stands.
    draft.description.push(line.text)
    draft.isOpen = false
    return
  }
  const text = withoutComments(line.text)
  const item = itemOf(text)
  const heading = headingAt(text)?.text
  const ofHeading = heading === undefined ? undefined : labelNamed(heading)
  const label = ofHeading === undefined ? labelAt(heading ?? text) : { name: ofHeading, rest: '' }
  const known = draft.fields.get('dependencies')
  if (label !== null && label.name !== 'in_scope' && label.name !== 'out_of_scope') {
    enterLabel(draft, label.name, { line: line.number, text: label.rest }, report)
  } else if (item?.isBox === true) {
    draft.criteria.push({ line: line.number, text: item.text })
    draft.isOpen = true
  } else if (draft.label === 'criteria') {
    readCriterion(draft, line.number, text)
  } else if (draft.label === 'dependencies' && item !== null) {
    if (known !== undefined) known.text += `, ${item.text}`
  } else if (draft.isOpen && text.trim() !== '' && item === null) {
    // A line right below a check box continues it, also where the label of the criteria is missing.
    continueCriterion(draft, text)
  } else {
    draft.isOpen = false
    if (text.trim() !== '') draft.label = 'description'
    draft.description.push(unescaped(text.trimEnd()))
  }
}

function enterLabel(
  draft: Draft,
  label: Exclude<SpecLabel, 'in_scope' | 'out_of_scope'>,
  { line, text }: Written,
  report: Report,
): void {
  draft.label = label
  draft.isOpen = false
  if (label === 'description') {
    if (text !== '') draft.description.push(unescaped(text))
  } else if (label === 'criteria') {
    if (text !== '' && !isNone(text)) draft.criteria.push({ line, text })
  } else {
    const known = draft.fields.get(label)
    // Comments are as in YAML; an id with a hash before it is none.
    if (known === undefined)
      draft.fields.set(label, { line, text: text.replace(/(?:^|\s+)#(?!R-\d).*$/i, '') })
    else report(line, `${label} is given twice (first in line ${known.line})`, 'remove one of the lines')
  }
}

/** Below the label, plain bullets are criteria too; a paragraph after a blank line is description again. */
function readCriterion(draft: Draft, line: number, text: string): void {
  const item = itemOf(text)
  const isFirst = draft.criteria.length === 0
  if (text.trim() === '') {
    draft.isOpen = false
  } else if (draft.isOpen && !isFirst && (item === null || item.indent >= 2)) {
    continueCriterion(draft, item?.text ?? text)
  } else if (item !== null || isFirst) {
    draft.criteria.push({ line, text: item?.text ?? text.trim() })
    draft.isOpen = true
  } else {
    draft.label = 'description'
    draft.description.push('', unescaped(text.trimEnd()))
  }
}

function continueCriterion(draft: Draft, text: string): void {
  const last = draft.criteria.at(-1)
  if (last !== undefined) last.text = `${last.text} ${text.trim()}`
}

interface At {
  readonly line: number
  readonly name: string
  readonly report: Report
}

function typeOf(found: Written | undefined, at: At): RequirementType {
  const word = plainWord(found).replace(/[\s-]+/g, '_')
  const near = closest(word, REQUIREMENT_TYPES)
  const names = REQUIREMENT_TYPES.join(', ')
  const known = TYPES.get(word)
  if (known === undefined) {
    const remedy = `write **Type:** and one of ${names}`
    const hint = near === null || word === '' ? remedy : `did you mean "${near}"?`
    reportUnread(found, word, { ...at, key: 'type', use: names, remedy: hint })
  }
  return known ?? 'functional'
}

function priorityOf(found: Written | undefined, at: At): Requirement['priority'] {
  const word = plainWord(found)
  const known = readPriority(word)
  if (known === null) {
    const remedy = /^won['’]?t|^will not/.test(word)
      ? 'list it under Out of Scope instead'
      : 'write **Priority:** must, **Priority:** should or **Priority:** could'
    reportUnread(found, word, { ...at, key: 'priority', use: 'must, should or could', remedy })
  }
  return known ?? 'should'
}

function reportUnread(
  found: Written | undefined,
  word: string,
  { line, name, report, key, use, remedy }: At & Record<'key' | 'use' | 'remedy', string>,
): void {
  const what =
    found === undefined || word === ''
      ? `requirement ${name} has no ${key}`
      : `requirement ${name} has the unknown ${key} "${found.text.slice(0, 60)}" (use ${use})`
  report(found?.line ?? line, what, remedy)
}

/** Without emphasis, quotes, brackets and a remark in parentheses. */
const plainWord = (found: Written | undefined): string =>
  splitParens(found?.text ?? '')
    .outside.replace(/[*`"'[\].]/g, ' ')
    .replace(/_{2,}/g, ' ')
    .trim()
    .toLowerCase()

/** `[R-001, "R-002"]`, `R-001 and R-002`, `None`, links and remarks in parentheses. */
function dependenciesOf(found: Written | undefined, { name, report }: At): readonly string[] {
  if (found === undefined || isNone(found.text)) return []
  const plain = splitParens(found.text.replace(/\]\([^()\s]{0,200}\)/g, ']')).outside
  const words = plain
    .split(/[,;&[\]"'`*\s]+|(?<=\s)(?:and|or|[+/])(?=\s)/i)
    .map((word) => word.replace(/^[#(]+|[.)]+$/g, ''))
    .filter((word) => word !== '' && !/^(?:and|[+/#-])$/i.test(word))
  const isId = (word: string): boolean => /^R-?\d{1,9}$/i.test(word)
  const others = words.filter((word) => !isId(word)).join(' ')
  if (others !== '' && !isNone(others)) {
    const message = `cannot read the dependency "${others.slice(0, 60)}" of ${name}`
    report(found.line, message, 'list ids, as in **Dependencies:** R-001, R-002, or write None')
  }
  return [...new Set(words.filter(isId).map((word) => word.toUpperCase()))]
}

/** The lines without blank ones around them, and with at most one between two paragraphs. */
export const block = (lines: readonly string[]): string =>
  lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
