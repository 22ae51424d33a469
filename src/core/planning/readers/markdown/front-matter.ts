/** The YAML between `---` lines at the top of a Markdown plan. */
import type { PlanDraft } from '../../draft.ts'
import type { Problem } from '../../plan.ts'
import { environmentOf } from '../environment.ts'
import type { Line } from './lines.ts'
import { isMapping, type LocatedValue } from '../located.ts'
import { errorAt, warningAt } from '../../problems.ts'

export type FrontMatterFields = Partial<
  Pick<
    PlanDraft,
    'id' | 'idLine' | 'title' | 'design' | 'environment' | 'goal' | 'architecture' | 'techStack'
  >
>

export interface FrontMatter {
  readonly fields: FrontMatterFields
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
): { readonly fields: FrontMatterFields; readonly problems: readonly Problem[] } {
  const problems: Problem[] = []
  const text = (key: Key): string | undefined => {
    const found = value[key]
    if (found === undefined || found === null) return undefined
    if (typeof found === 'string' || typeof found === 'number') return String(found)
    problems.push(errorAt(file, lineOf([key]), `${key} is not text`, `write ${key}: and a text`))
    return undefined
  }
  for (const key of Object.keys(value)) {
    if (key === 'description' || KNOWN.some((known) => known === key)) continue
    const remedy = `known keys are ${KNOWN.join(', ')}`
    problems.push(
      warningAt(file, lineOf([key]), `unknown key "${key}" in the front matter is ignored`, remedy),
    )
  }
  const design = text('design')
  const environment = environmentOf(file, value, lineOf)
  return {
    fields: {
      id: text('plan'),
      idLine: 'plan' in value ? lineOf(['plan']) : undefined,
      title: text('title'),
      design: design === undefined ? undefined : { path: design, line: lineOf(['design']) },
      environment: environment.value,
      goal: text('goal'),
      architecture: text('architecture'),
      techStack: text('tech_stack'),
    },
    problems: [...problems, ...environment.problems],
  }
}
