/** Which role, model and effort a task gets, by its scope and its kind of work. */
import type { TaskSpec } from '../planning/plan.ts'
import { kindOfWork, type ClassifiedTask, type WorkKind } from './kind-of-work.ts'

export const SCOPES = ['trivial', 'small', 'medium', 'large'] as const
export type Scope = (typeof SCOPES)[number]

export interface Choice {
  readonly role: 'developer' | 'fixer'
  readonly model: 'small' | 'large'
  readonly effort: 'low' | 'medium' | 'high'
}

const SMALL_LOW: Choice = { role: 'fixer', model: 'small', effort: 'low' }
const SMALL_MEDIUM: Choice = { role: 'fixer', model: 'small', effort: 'medium' }
const LARGE_LOW: Choice = { role: 'developer', model: 'large', effort: 'low' }
const LARGE_MEDIUM: Choice = { role: 'developer', model: 'large', effort: 'medium' }
const LARGE_HIGH: Choice = { role: 'developer', model: 'large', effort: 'high' }

/** Small work goes to a fixer on a small model, larger work to a developer on a large one. */
const CHOICES: Readonly<Record<Scope, Readonly<Record<WorkKind, Choice>>>> = {
  trivial: {
    workflow: SMALL_LOW,
    algorithm: SMALL_MEDIUM,
    infrastructure: SMALL_MEDIUM,
    compiled_core: SMALL_MEDIUM,
    interface: SMALL_LOW,
    docs: SMALL_LOW,
    general: SMALL_LOW,
  },
  small: {
    workflow: SMALL_MEDIUM,
    algorithm: SMALL_MEDIUM,
    infrastructure: SMALL_MEDIUM,
    compiled_core: SMALL_MEDIUM,
    interface: SMALL_MEDIUM,
    docs: SMALL_LOW,
    general: SMALL_MEDIUM,
  },
  medium: {
    workflow: LARGE_MEDIUM,
    algorithm: LARGE_HIGH,
    infrastructure: LARGE_MEDIUM,
    compiled_core: LARGE_HIGH,
    interface: LARGE_MEDIUM,
    docs: LARGE_LOW,
    general: LARGE_MEDIUM,
  },
  large: {
    workflow: LARGE_HIGH,
    algorithm: LARGE_HIGH,
    infrastructure: LARGE_HIGH,
    compiled_core: LARGE_HIGH,
    interface: LARGE_HIGH,
    docs: LARGE_MEDIUM,
    general: LARGE_HIGH,
  },
}

export const choiceFor = (scope: Scope, kind: WorkKind): Choice => CHOICES[scope][kind]

export type ChosenBy = ClassifiedTask & Pick<TaskSpec, 'tier' | 'inferred'>

export const choiceOf = (task: ChosenBy): Choice => choiceFor(scopeOf(task), kindOfWork(task))

const MANY_FILES = 6

/** By what the plan expects. A plan that names no files says nothing, and a new file can be of any size. */
export function scopeOf({ tier, files, inferred }: ChosenBy): Scope {
  const count = files.create.length + files.modify.length + files.delete.length
  if (tier === 'critical' || count >= MANY_FILES) return 'large'
  const isOneEdit = files.modify.length === 1 && count === 1
  return isOneEdit && tier === 'low' && !inferred.includes('files') ? 'small' : 'medium'
}
