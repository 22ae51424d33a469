/** Which role, model and effort a task gets, by its scope and its kind of work. */
import type { PlanSettings } from '../event-schemas/plan-settings.ts'
import type { Role } from '../event-schemas/schemas.ts'
import type { TaskSpec } from '../planning/plan.ts'
import { kindOfWork, WORK_KINDS, type ClassifiedTask, type WorkKind } from './kind-of-work.ts'

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
    ...forAll(SMALL_LOW),
    algorithm: SMALL_MEDIUM,
    infrastructure: SMALL_MEDIUM,
    compiled_core: SMALL_MEDIUM,
  },
  small: { ...forAll(SMALL_MEDIUM), docs: SMALL_LOW },
  medium: { ...forAll(LARGE_MEDIUM), algorithm: LARGE_HIGH, compiled_core: LARGE_HIGH, docs: LARGE_LOW },
  large: { ...forAll(LARGE_HIGH), docs: LARGE_MEDIUM },
}

function forAll(choice: Choice): Readonly<Record<WorkKind, Choice>> {
  const kinds = WORK_KINDS.map((kind) => [kind, choice])
  return Object.fromEntries(kinds) as Record<WorkKind, Choice>
}

export const choiceFor = (scope: Scope, kind: WorkKind): Choice => CHOICES[scope][kind]

type SpecialRole = 'architect' | 'designer' | 'tester'
type Depth = Pick<Choice, 'model' | 'effort'>

/** Structure and design are decided once and built upon; tests follow the size of what they test. */
const OF_ROLE: Readonly<Record<SpecialRole, Readonly<Record<Scope, Depth>>>> = {
  architect: { trivial: LARGE_MEDIUM, small: LARGE_MEDIUM, medium: LARGE_HIGH, large: LARGE_HIGH },
  designer: { trivial: LARGE_LOW, small: LARGE_MEDIUM, medium: LARGE_MEDIUM, large: LARGE_HIGH },
  tester: { trivial: SMALL_LOW, small: SMALL_MEDIUM, medium: LARGE_MEDIUM, large: LARGE_HIGH },
}

const isSpecial = (role: Role): role is SpecialRole => Object.hasOwn(OF_ROLE, role)

/** The row of the role, else that of the kind of work. */
export function choiceForRole(role: Role, scope: Scope, kind: WorkKind): Choice {
  const choice = choiceFor(scope, kind)
  return isSpecial(role) ? { ...choice, ...OF_ROLE[role][scope], role: choice.role } : choice
}

/** The settings of a role count; a role without settings is the developer's work. */
function chosenRole(role: Role, choice: Choice, roles: CrewSettings['roles']): Role {
  if (role === 'developer') return roles.fixer === undefined ? role : choice.role
  return isSpecial(role) && roles[role] === undefined ? 'developer' : role
}

export type ChosenBy = ClassifiedTask & Pick<TaskSpec, 'tier' | 'inferred' | 'scope'>

export const choiceOf = (task: ChosenBy): Choice => choiceFor(scopeOf(task), kindOfWork(task))

const MANY_FILES = 6

/** What the plan says, else by what it expects. A plan that names no files says nothing, and a new file can be of any size. */
export function scopeOf({ tier, files, inferred, scope }: ChosenBy): Scope {
  const count = files.create.length + files.modify.length + files.delete.length
  if (tier === 'critical' || count >= MANY_FILES) return 'large'
  if (scope !== undefined) return scope
  const isOneEdit = files.modify.length === 1 && count === 1
  return isOneEdit && tier === 'low' && !inferred.includes('files') ? 'small' : 'medium'
}

/** How a worker is to be chosen, beside the agents that there are. */
export interface WorkerChoice {
  /** The role whose settings count: a small edit is the fixer's, where the settings name one. */
  readonly role: Role
  /** For the agent of the role; null: the agent's own. */
  readonly model: string | null
  /** Without a model of the settings, a small one is taken where the agent offers one that is known. */
  readonly size: Choice['model']
  readonly effort: Effort | null
  readonly why: string
}

export interface Effort {
  readonly level: string
  /** What the table chooses is set only where the agent offers it. */
  readonly by: 'settings' | 'table'
}

type CrewSettings = NonNullable<PlanSettings['crew']>

const NO_SETTINGS: CrewSettings = { roles: {}, models: { small: null, large: null } }

/**
 * The settings of the role come before the table; models have the names that the settings give to their sizes. `grown`
 * is the scope of the work so far, where it is larger than planned.
 */
export function workerChoice(
  { role, spec, grown }: { readonly role: Role; readonly spec: ChosenBy; readonly grown?: Scope | null },
  { roles, models }: CrewSettings = NO_SETTINGS,
): WorkerChoice {
  const [scope, kind] = [grown ?? scopeOf(spec), kindOfWork(spec)]
  const choice = choiceForRole(role, scope, kind)
  const chosen = chosenRole(role, choice, roles)
  const set = roles[chosen]
  const model = set?.model ?? models[choice.model]
  // A judgement is not made cheaper than the agent's own.
  const size = role === 'reviewer' ? 'large' : choice.model
  const effort: Effort = set?.effort
    ? { level: set.effort, by: 'settings' }
    : { level: choice.effort, by: 'table' }
  const why = [
    `${scope} ${kind.replaceAll('_', ' ')} task`,
    ...(chosen === role
      ? []
      : [isSpecial(role) ? `no agent is named for the ${role}` : `with the ${chosen}'s agent`]),
    ...(model === null
      ? size === 'small'
        ? ['a small model where its agent offers one']
        : []
      : [`model ${model} by ${set?.model ? `roles.${chosen}` : `models.${choice.model}`}`]),
    `effort ${effort.level}${effort.by === 'table' ? '' : ` by roles.${chosen}`}`,
  ]
  return { role: chosen, model, size, effort, why: why.join(', ') }
}
