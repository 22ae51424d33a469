/** Problems with plan ids that are too long and files created twice. */
import type { PlanDraft } from './draft.ts'
import { cutPlanId, PLAN_ID_LENGTH } from './ids.ts'
import { isFolderPath, isPattern, normalPath } from '../languages/paths.ts'
import type { Problem } from './plan.ts'
import { errorAt, warningAt } from './problems.ts'
import type { DraftedTask } from './task-files.ts'

/** A given id that is too long is an error; one derived from the file name is cut, with a warning. */
export function planIdProblems(draft: PlanDraft): readonly Problem[] {
  const cut = cutPlanId(draft)
  if (cut === null) return []
  const long = `${cut.whole.length} characters; the limit is ${PLAN_ID_LENGTH}`
  if (cut.isGiven) {
    const message = `the plan id ${shown(cut.whole)} has ${long}`
    const remedy = `Write a shorter id after plan:, for example ${cut.id}.`
    return [errorAt(draft.source, draft.idLine ?? 1, message, remedy)]
  }
  const message = `the plan's name ${shown(cut.whole)} has ${long}, so its id is ${cut.id}`
  const remedy = 'Give the plan a shorter id with `plan:` in its front matter, or rename its file.'
  return [warningAt(draft.source, 1, message, remedy)]
}

const shown = (name: string): string => (name.length > 80 ? `${name.slice(0, 80)}…` : name)

/** Warns where two tasks create the same file. */
export function createdTwice(drafted: readonly DraftedTask[], source: string): readonly Problem[] {
  const problems: Problem[] = []
  const creators = new Map<string, { readonly id: string; readonly line: number }>()
  for (const { task, files } of drafted) {
    if (files.inferred) continue
    for (const path of new Set(files.files.create.map(normalPath))) {
      if (isPattern(path) || isFolderPath(path)) continue
      const first = creators.get(path)
      if (first === undefined) {
        creators.set(path, task)
        continue
      }
      const message = `task ${task.id} (line ${task.line}) creates ${path}, which task ${first.id} (line ${first.line}) also creates`
      const remedy = 'List it under Modify in the later task, or change one of the paths.'
      problems.push(warningAt(source, task.line, message, remedy))
    }
    for (const path of files.files.delete) creators.delete(normalPath(path))
  }
  return problems
}
