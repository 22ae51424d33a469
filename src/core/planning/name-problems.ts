/** Names that two things would share, or that cannot be used as they are written. */
import type { PlanDraft } from './draft.ts'
import { cutPlanId, PLAN_ID_LENGTH } from './ids.ts'
import { isFolderPath, isPattern, normalPath } from '../languages/paths.ts'
import type { Problem } from './plan.ts'
import type { TaskFiles } from './task-files.ts'

/** An id that the author chose is not changed behind their back; one made of a file's name is cut, and that is said. */
export function planIdProblems(draft: PlanDraft): readonly Problem[] {
  const cut = cutPlanId(draft)
  if (cut === null) return []
  const at = { file: draft.source, line: cut.isSaid ? (draft.idLine ?? 1) : 1 }
  const long = `${cut.whole.length} characters, and a plan id has at most ${PLAN_ID_LENGTH}`
  if (cut.isSaid) {
    const message = `the plan id ${shown(cut.whole)} has ${long}`
    return [{ severity: 'error', ...at, message, remedy: `Write a shorter id after plan:, like ${cut.id}.` }]
  }
  return [
    {
      severity: 'warning',
      ...at,
      message: `the plan's name ${shown(cut.whole)} has ${long}: its id is ${cut.id}`,
      remedy: 'Give the plan a shorter id with `plan:` in its front matter, or rename its file.',
    },
  ]
}

const shown = (name: string): string => (name.length > 80 ? `${name.slice(0, 80)}…` : name)

/** The later task would find the file there, and what it says of creating it would not be so. */
export function createdTwice(draft: PlanDraft, filesOf: readonly TaskFiles[]): readonly Problem[] {
  const problems: Problem[] = []
  const creators = new Map<string, { readonly id: string; readonly line: number }>()
  for (const [place, task] of draft.tasks.entries()) {
    const files = filesOf[place]
    if (files === undefined || files.inferred) continue
    for (const path of new Set(files.files.create.map(normalPath))) {
      if (isPattern(path) || isFolderPath(path)) continue
      const first = creators.get(path)
      if (first === undefined) {
        creators.set(path, task)
        continue
      }
      problems.push({
        severity: 'warning',
        file: draft.source,
        line: task.line,
        message: `task ${task.id} (line ${task.line}) creates ${path}, which task ${first.id} (line ${first.line}) creates as well`,
        remedy: 'List it under Modify in the task that comes later, or give one of them another path.',
      })
    }
    for (const path of files.files.delete) creators.delete(normalPath(path))
  }
  return problems
}
