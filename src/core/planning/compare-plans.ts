/** An edited plan beside the one that runs: what changed, and what that makes invalid. */
import type { TaskSpec } from './plan.ts'

export interface PlanChanges {
  /** Ids of tasks whose contract changed, with the fields that did. */
  readonly changed: readonly { readonly id: string; readonly fields: readonly string[] }[]
  /** Only said in other words, or moved: taken over, and nothing is done again. */
  readonly reworded: readonly string[]
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Changed tasks and all that depend on them, directly or not: what is invalid. */
  readonly affected: readonly string[]
  readonly untouched: readonly string[]
}

/** What a worker is told and what its work is held against. The rest says when and how carefully, or where it stands. */
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
] as const satisfies readonly (keyof TaskSpec)[]

/** What of it says what is to be there in the end. The rest says how that is shown, or what it builds on. */
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
    .filter(({ was, spec, fields }) => fields.length === 0 && told(was) !== told(spec))
    .map(({ spec }) => spec.id)
  const affected = withDependents(
    changed.map(({ id }) => id),
    after,
  )
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

export const isChanged = ({ changed, reworded, added, removed }: PlanChanges): boolean =>
  changed.length + reworded.length + added.length + removed.length > 0

/** Whether work that was done for the one contract is what the other one asks for. */
export const asksForTheSame = (was: TaskSpec, now: TaskSpec): boolean =>
  ASKED.every((field) => isSame(was, now, field))

function changedFields(was: TaskSpec, now: TaskSpec): readonly string[] {
  return CONTRACT.filter((field) => !isSame(was, now, field))
}

const isSame = (was: TaskSpec, now: TaskSpec, field: keyof TaskSpec): boolean =>
  plain(was[field]) === plain(now[field])

/** How something is spaced is not what it says. */
const plain = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, inner: unknown) =>
    typeof inner === 'string' ? inner.replaceAll(/\s+/g, ' ').trim() : inner,
  )

const told = ({ line: _line, ...spec }: TaskSpec): string => JSON.stringify(spec)

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
