/** What an edited spec changes. */
import { oneLine } from '../../lib/text/one-line.ts'
import type { Requirement, Spec } from './spec.ts'

export interface SpecChanges {
  readonly added: readonly string[]
  readonly changed: readonly { readonly id: string; readonly fields: readonly string[] }[]
  readonly removed: readonly string[]
  readonly unchanged: readonly string[]
  /** Of the spec itself: title, vision, scope, other sections. */
  readonly fields: readonly string[]
}

export const isSpecChanged = ({ added, changed, removed, fields }: SpecChanges): boolean =>
  added.length + changed.length + removed.length + fields.length > 0

const FIELDS = {
  title: ({ title }) => title,
  type: ({ type }) => type,
  priority: ({ priority }) => priority,
  dependencies: ({ dependsOn }) => dependsOn.toSorted().join(),
  description: ({ description }) => description,
  'acceptance criteria': ({ criteria }) => criteria.join('\n'),
} satisfies Record<string, (requirement: Requirement) => string>

/** Differences in white space do not count. */
export function compareSpecs(before: Spec, after: Spec): SpecChanges {
  const old = new Map(before.requirements.map((one) => [one.id, one]))
  const now = new Set(after.requirements.map(({ id }) => id))
  const both = after.requirements.flatMap((requirement) => {
    const was = old.get(requirement.id)
    return was === undefined ? [] : [{ id: requirement.id, fields: changedFields(was, requirement) }]
  })
  const ofSpec: readonly (readonly [string, string, string])[] = [
    ['title', before.title, after.title],
    ['vision', before.vision, after.vision],
    ['in scope', before.inScope.join('\n'), after.inScope.join('\n')],
    ['out of scope', before.outOfScope.join('\n'), after.outOfScope.join('\n')],
    ['other sections', notesText(before), notesText(after)],
  ]
  return {
    added: after.requirements.map(({ id }) => id).filter((id) => !old.has(id)),
    changed: both.filter(({ fields }) => fields.length > 0),
    removed: before.requirements.map(({ id }) => id).filter((id) => !now.has(id)),
    unchanged: both.filter(({ fields }) => fields.length === 0).map(({ id }) => id),
    fields: ofSpec.filter(([, was, is]) => oneLine(was) !== oneLine(is)).map(([name]) => name),
  }
}

const notesText = ({ notes }: Spec): string =>
  notes.flatMap(({ heading, text }) => [heading, text]).join('\n')

const changedFields = (was: Requirement, now: Requirement): readonly string[] =>
  Object.entries(FIELDS)
    .filter(([, of]) => oneLine(of(was)) !== oneLine(of(now)))
    .map(([name]) => name)
