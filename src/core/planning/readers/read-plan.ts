/** Reads a plan in any known format. Bad input never throws: it becomes problems. */
import { EMPTY_DRAFT, type PlanDraft } from '../draft.ts'
import type { Problem } from '../plan.ts'
import { errorAt, noTasks } from '../problems.ts'
import { isMapping, type LocatedValue, type PlanText, type TextParsers } from './schema-problems.ts'
import { readMarkdownPlan } from './markdown/markdown-plan.ts'
import { readTaskMasterPlan } from './task-master.ts'
import { readYamlPlan } from './yaml-plan.ts'

export function readPlan({ source, text }: PlanText, { yaml, json }: TextParsers): PlanDraft {
  if (text.includes('\0')) {
    const remedy = 'pass a plan in Markdown, YAML or JSON, encoded as UTF-8'
    return emptyDraft(source, errorAt(source, 1, 'this is not a text file', remedy))
  }
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text
  switch (formOf(source, plain)) {
    case 'empty':
      return emptyDraft(source, { ...noTasks(source), message: 'the plan is empty: no tasks found' })
    case 'yaml':
      return readYamlPlan(source, yaml(plain))
    case 'json':
      return readJsonPlan(source, json(plain))
    case 'markdown':
      return readMarkdownPlan({ source, text: plain }, yaml)
  }
}

/** The file extension decides if it is known, else the text. */
function formOf(source: string, text: string): 'empty' | 'yaml' | 'json' | 'markdown' {
  if (text.trim() === '') return 'empty'
  const ending = /\.([A-Za-z]{1,10})$/.exec(source)?.[1]?.toLowerCase()
  if (ending === 'yaml' || ending === 'yml') return 'yaml'
  if (ending === 'json') return 'json'
  if (ending === 'md' || ending === 'markdown' || ending === 'mdx') return 'markdown'
  if (/^\s{0,100}(?:\{|\[\s{0,100}\{)/.test(text)) return 'json'
  // A `tasks:` key and no Markdown.
  const isYaml = /^tasks:(?:\s|$)/m.test(text) && !/^(?:#{2,6}\s|- \[[ xX]\]\s|```)/m.test(text)
  return isYaml ? 'yaml' : 'markdown'
}

/** JSON with the keys of a plan is read like YAML. */
function readJsonPlan(source: string, located: LocatedValue): PlanDraft {
  const { value } = located
  const tasks: unknown = isMapping(value) ? value['tasks'] : undefined
  const first: unknown = Array.isArray(tasks) ? tasks[0] : undefined
  const hasOwnKeys = ['depends_on', 'acceptance_criteria', 'files'].some(
    (key) => isMapping(first) && key in first,
  )
  const isOurs = isMapping(value) && (typeof value['plan'] === 'string' || hasOwnKeys)
  return isOurs ? readYamlPlan(source, located) : readTaskMasterPlan(source, located)
}

function emptyDraft(source: string, problem: Problem): PlanDraft {
  return { ...EMPTY_DRAFT, format: 'markdown', source, problems: [problem] }
}
