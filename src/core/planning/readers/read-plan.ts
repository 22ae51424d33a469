/** Reads a plan in any known format. Bad input never throws: it becomes problems. */
import { EMPTY_DRAFT, type PlanDraft } from '../draft.ts'
import type { Problem } from '../plan.ts'
import type { DataForms, PlanText } from './located.ts'
import { readMarkdownPlan } from './markdown/markdown-plan.ts'
import { errorAt, noTasks } from '../problems.ts'

export type { DataForms, LocatedValue, PlanText, TextParsers } from './located.ts'

export function readPlan(input: PlanText, forms: DataForms): PlanDraft {
  const { source, text } = input
  if (text.includes('\0')) {
    const remedy = 'pass a plan in Markdown, YAML or JSON, encoded as UTF-8'
    return emptyDraft(source, errorAt(source, 1, 'this is not a text file', remedy))
  }
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text
  switch (formOf(source, plain)) {
    case 'empty':
      return emptyDraft(source, { ...noTasks(source), message: 'the plan is empty: no tasks found' })
    case 'yaml':
      return forms.yaml(source, plain)
    case 'json':
      return forms.json(source, plain)
    case 'markdown':
      return readMarkdownPlan({ source, text: plain }, forms)
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
  return looksLikeYaml(text) ? 'yaml' : 'markdown'
}

/** Whether the text has a `tasks:` key and no Markdown. */
function looksLikeYaml(text: string): boolean {
  if (!/^tasks:(?:\s|$)/m.test(text)) return false
  return !/^(?:#{2,6}\s|- \[[ xX]\]\s|```)/m.test(text)
}

function emptyDraft(source: string, problem: Problem): PlanDraft {
  return { ...EMPTY_DRAFT, format: 'markdown', source, problems: [problem] }
}
