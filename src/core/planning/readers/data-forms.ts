/** Readers of YAML and JSON plans and of front matter. A module of its own, because it loads the schemas. */
import type { PlanDraft } from '../draft.ts'
import { readFrontMatter } from './markdown/front-matter.ts'
import { isMapping, type DataForms, type LocatedValue, type TextParsers } from './located.ts'
import { readTaskMasterPlan } from './task-master.ts'
import { readYamlPlan } from './yaml-plan.ts'

export function dataForms(parsers: TextParsers): DataForms {
  return {
    frontMatter: (source, lines) => readFrontMatter(source, lines, parsers.yaml),
    yaml: (source, text) => readYamlPlan(source, parsers.yaml(text)),
    json: (source, text) => readJsonPlan(source, parsers.json(text)),
  }
}

/** JSON with the keys of a plan is read like YAML. */
function readJsonPlan(source: string, located: LocatedValue): PlanDraft {
  const { value } = located
  const ours = isMapping(value) && (typeof value['plan'] === 'string' || hasOwnKeys(value['tasks']))
  return ours ? readYamlPlan(source, located) : readTaskMasterPlan(source, located)
}

function hasOwnKeys(tasks: unknown): boolean {
  const first: unknown = Array.isArray(tasks) ? tasks[0] : undefined
  return isMapping(first) && ('depends_on' in first || 'acceptance_criteria' in first || 'files' in first)
}
