/** Compares an edited plan with the running one: what changed, and which tasks that invalidates. */
import type { TaskSpec } from './plan.ts'

export interface PlanChanges {
  /** Ids of tasks whose contract changed, with the fields that did. */
  readonly changed: readonly { readonly id: string; readonly fields: readonly string[] }[]
  /** Reworded or moved only: taken over without redoing anything. */
  readonly reworded: readonly string[]
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Invalid tasks of the running plan: the changed ones and their direct and indirect dependents. */
  readonly affected: readonly string[]
  readonly untouched: readonly string[]
}

/** The fields of a worker's contract. The others concern scheduling or the place in the file. */
const CONTRACT = [
  'description',
  'securityFlags',
  'ownership',
  'layer',
  'dependsOn',
  'acceptanceCriteria',
  'files',
  'nonGoals',
  'testsToAdd',
  'testsToRun',
  'heldOut',
  'gates',
  'ownGates',
  'interfaces',
  'breakingChange',
  'redOnBase',
] as const satisfies readonly (keyof TaskSpec)[]

/** The fields that define the result. The others define how it is proven, or what it builds on. */
const ASKED = [
  'description',
  'acceptanceCriteria',
  'files',
  'nonGoals',
  'testsToAdd',
  'interfaces',
  'breakingChange',
] as const satisfies readonly (typeof CONTRACT)[number][]

export function comparePlans(before: readonly TaskSpec[], after: readonly TaskSpec[]): PlanChanges {
  const old = new Map(before.map((spec) => [spec.id, spec]))
  const now = new Map(after.map((spec) => [spec.id, spec]))
  const both = after.flatMap((spec) => {
    const was = old.get(spec.id)
    return was === undefined ? [] : [{ was, spec, fields: changedFields(was, spec) }]
  })
  const changed = both
    .filter(({ fields }) => fields.length > 0)
    .map(({ spec, fields }) => ({ id: spec.id, fields }))
  const reworded = both
    .filter(({ was, spec, fields }) => fields.length === 0 && textOf(was) !== textOf(spec))
    .map(({ spec }) => spec.id)
  const affected = withDependents(
    changed.map(({ id }) => id),
    after,
  ).filter((id) => old.has(id))
  const isInvalid = new Set(affected)
  return {
    changed,
    reworded,
    added: after.filter(({ id }) => !old.has(id)).map(({ id }) => id),
    removed: before.filter(({ id }) => !now.has(id)).map(({ id }) => id),
    affected,
    untouched: both.map(({ spec }) => spec.id).filter((id) => !isInvalid.has(id)),
  }
}

/** Whether work done for one contract also fulfils the other. */
export const asksForTheSame = (was: TaskSpec, now: TaskSpec): boolean =>
  ASKED.every((field) => isSame(was, now, field))

function changedFields(was: TaskSpec, now: TaskSpec): readonly string[] {
  return CONTRACT.filter((field) => !isSame(was, now, field))
}

const isSame = (was: TaskSpec, now: TaskSpec, field: keyof TaskSpec): boolean =>
  plain(was[field]) === plain(now[field])

/** Ignores differences in whitespace. */
const plain = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, inner: unknown) =>
    typeof inner === 'string' ? inner.replaceAll(/\s+/g, ' ').trim() : inner,
  )

/** What is asked about a task follows from its text and the rules, which change between builds. */
const textOf = ({ line: _line, questions: _questions, ...spec }: TaskSpec): string => JSON.stringify(spec)

/** In plan order. */
function withDependents(ids: readonly string[], specs: readonly TaskSpec[]): readonly string[] {
  const needing = new Map<string, string[]>()
  for (const { id, dependsOn } of specs) {
    for (const needed of dependsOn) needing.set(needed, [...(needing.get(needed) ?? []), id])
  }
  const found = new Set(ids)
  for (const id of found) for (const dependent of needing.get(id) ?? []) found.add(dependent)
  return specs.filter(({ id }) => found.has(id)).map(({ id }) => id)
}
