/** Reads a Markdown plan: its front matter, its header and its tasks. */
import type { PlanDraft } from '../../draft.ts'
import type { Problem } from '../../plan.ts'
import { readTasks } from './task-sections.ts'
import { readLines, type Line } from './lines.ts'
import {
  isMapping,
  environmentOf,
  type PlanText,
  type TextParsers,
  type LocatedValue,
} from '../schema-problems.ts'
import { noTasks, warningsOf, errorAt, warningAt } from '../../problems.ts'
import { inCamelCase } from '../yaml-plan.ts'
import { blocksOf, type Block, type TextBlock } from './blocks.ts'
import { isPathLike } from './file-list.ts'
import { isPhase } from './marks.ts'
import { codeSpans, plainText, withoutParens } from './inline.ts'
import { isHeaderLabel, labelOf, labelOfHeading, type HeaderName } from './task-fields.ts'

export function readMarkdownPlan(input: PlanText, yaml: TextParsers['yaml']): PlanDraft {
  const { lines, notes } = readLines(input.text)
  const front = readFrontMatter(input.source, lines, yaml)
  const read = readTasks(front.rest)
  const header = readHeader(read.others, read.tasks[0]?.line ?? Number.POSITIVE_INFINITY)
  const problems: Problem[] = [...warningsOf(input.source, [...notes, ...read.notes]), ...front.problems]
  if (read.tasks.length === 0) problems.push(noTasks(input.source))
  return {
    format: read.format,
    source: input.source,
    environment: {},
    ...header,
    ...front.fields,
    tasks: read.tasks,
    integration: [],
    removedSteps: read.removed,
    problems,
  }
}

const MAX_CONSTRAINTS = 200
const DESIGN_INLINE = /\bdesign (?:doc|spec|document)\*{0,2}:\*{0,2}\s{0,4}(?=[`[\w./])/i

/** The title, the goal, the stack, the design and the constraints. */
export function readHeader(others: readonly Line[], firstTaskLine: number) {
  const blocks = blocksOf(others)
  const found: { readonly name: HeaderName; readonly block: TextBlock }[] = []
  let title: string | undefined
  let section: HeaderName | null = null
  let listFor: HeaderName | null = null
  let inHeader = true
  for (const block of blocks) {
    if (block.kind === 'heading') {
      if (block.heading.level === 1) title ??= block.heading.text
      if (isPhase(block.heading) || block.line >= firstTaskLine) inHeader = false
      const label = labelOfHeading(withoutParens(block.heading.text))
      section = label !== undefined && isHeaderLabel(label) ? label : null
      listFor = null
    } else if (block.kind !== 'code' && !block.text.startsWith('>')) {
      const label = labelOf(block.text)
      if (label !== null && isHeaderLabel(label.name) && inHeader) {
        listFor = label.name
        found.push({ name: label.name, block: { ...block, text: label.rest } })
        continue
      }
      if (block.kind !== 'item') listFor = null
      const name: HeaderName | null = listFor ?? section
      if (name !== null) found.push({ name, block })
    }
  }
  const under = (name: HeaderName): TextBlock[] =>
    found.filter((one) => one.name === name && one.block.text !== '').map(({ block }) => block)
  const first = (name: HeaderName): string | undefined => {
    const [block] = under(name)
    return block === undefined ? undefined : plainText(block.text)
  }
  return {
    title,
    design: designOf(under('design'), blocks, firstTaskLine),
    goal: first('goal'),
    architecture: first('architecture'),
    techStack: first('tech_stack'),
    constraints: under('constraints')
      .map(({ text }) => text)
      .slice(0, MAX_CONSTRAINTS),
  }
}

/** The link to the design document: its own line, or a remark in another header line. */
function designOf(
  named: readonly TextBlock[],
  blocks: readonly Block[],
  firstTaskLine: number,
): PlanDraft['design'] {
  const remarks = blocks.flatMap((block) => {
    const text = 'text' in block && block.line < firstTaskLine ? block.text : ''
    const match = DESIGN_INLINE.exec(text)
    return match === null ? [] : [{ line: block.line, text: text.slice(match.index + match[0].length) }]
  })
  for (const { line, text } of [...named, ...remarks]) {
    const path = linkedPath(text)
    if (path !== undefined) return { path, line }
  }
  return undefined
}

function linkedPath(text: string): string | undefined {
  const link = /\[[^[\]]{0,300}\]\(([^()\s]{1,500})\)/.exec(text)?.[1] ?? ''
  const [word = ''] = text.trim().split(/\s/, 1)
  return [link, ...codeSpans(text).map(({ code }) => code), word.replace(/[.,;]$/, '')].find(isPathLike)
}

/** The YAML between `---` lines at the top of a Markdown plan. */
interface FrontMatter {
  /** Those that are given. */
  readonly fields: Partial<PlanDraft>
  readonly problems: readonly Problem[]
  /** The lines below it. */
  readonly rest: readonly Line[]
}

const KNOWN = ['plan', 'title', 'design', 'environment', 'goal', 'architecture', 'tech_stack'] as const
type Key = (typeof KNOWN)[number]

/** Reads front matter if present; a single `---` is a rule, not front matter. */
export function readFrontMatter(
  file: string,
  lines: readonly Line[],
  yaml: (text: string) => LocatedValue,
): FrontMatter {
  const end = closingLine(lines)
  if (end === null) return { fields: {}, problems: [], rest: lines }
  const rest = lines.slice(end + 1)
  const parsed = yaml(
    lines
      .slice(1, end)
      .map((line) => line.text)
      .join('\n'),
  )
  const lineOf = (path: readonly (string | number)[]) => parsed.lineOf(path) + 1
  if (parsed.errors.length > 0) {
    const problems = parsed.errors.map(({ line, message }) =>
      errorAt(file, line + 1, `front matter: ${message}`, 'fix the YAML between the two --- lines'),
    )
    return { fields: {}, problems, rest }
  }
  const { value } = parsed
  if (value === null || value === undefined) return { fields: {}, problems: [], rest }
  if (!isMapping(value)) {
    const problem = warningAt(file, 1, 'front matter is not a mapping', 'write it as "key: value" lines')
    return { fields: {}, problems: [problem], rest }
  }
  return { ...fieldsOf(file, value, lineOf), rest }
}

function closingLine(lines: readonly Line[]): number | null {
  if (lines[0]?.text.trim() !== '---') return null
  const end = lines.findIndex((line, index) => index > 0 && /^(---|\.\.\.)\s{0,8}$/.test(line.text))
  return end === -1 ? null : end
}

function fieldsOf(
  file: string,
  value: Readonly<Record<string, unknown>>,
  lineOf: LocatedValue['lineOf'],
): Pick<FrontMatter, 'fields' | 'problems'> {
  const problems: Problem[] = []
  const texts: Partial<Record<Key, string>> = {}
  for (const [name, found] of Object.entries(value)) {
    const key = KNOWN.find((known) => known === name)
    if (name === 'description' || key === 'environment') continue
    if (key === undefined) {
      const message = `unknown key "${name}" in the front matter is ignored`
      problems.push(warningAt(file, lineOf([name]), message, `known keys are ${KNOWN.join(', ')}`))
    } else if (typeof found === 'string' || typeof found === 'number') {
      texts[key] = String(found)
    } else if (found !== null) {
      problems.push(errorAt(file, lineOf([key]), `${key} is not text`, `write ${key}: and a text`))
    }
  }
  const environment = environmentOf(file, value, lineOf)
  const { plan: id, design, ...header } = inCamelCase(texts)
  return {
    fields: {
      ...header,
      ...(id === undefined ? {} : { id, idLine: lineOf(['plan']) }),
      ...(design === undefined ? {} : { design: { path: design, line: lineOf(['design']) } }),
      environment: environment.value,
    },
    problems: [...problems, ...environment.problems],
  }
}
