/** A specification: what a person wants, as requirements that can be checked one by one. */

export const SPEC_PRIORITIES = ['must', 'should', 'could'] as const
export type SpecPriority = (typeof SPEC_PRIORITIES)[number]

export const REQUIREMENT_TYPES = ['functional', 'non_functional', 'infrastructure', 'documentation'] as const
export type RequirementType = (typeof REQUIREMENT_TYPES)[number]

export interface Requirement {
  /** `R-001`, in upper case. */
  readonly id: string
  readonly title: string
  readonly type: RequirementType
  readonly priority: SpecPriority
  /** Ids of requirements of the same spec. */
  readonly dependsOn: readonly string[]
  readonly description: string
  /** At least one in a valid spec. */
  readonly criteria: readonly string[]
  /** The line of its heading, from 1. */
  readonly line: number
}

/** A part of a spec that has no rules, such as `## Constraints`. */
export interface SpecNote {
  readonly heading: string
  readonly text: string
}

export interface Spec {
  readonly version: string
  readonly priority: SpecPriority
  /** A date, `2026-11-16`, with or without a time. */
  readonly created: string
  readonly title: string
  readonly vision: string
  /** At least one item in a valid spec. */
  readonly inScope: readonly string[]
  readonly outOfScope: readonly string[]
  /** In the author's order. */
  readonly requirements: readonly Requirement[]
  /** Other sections with their text, in the author's order. */
  readonly notes: readonly SpecNote[]
}

/** The most bytes a spec may have. */
export const MAX_SPEC_BYTES = 100 * 1024

/** A spec of one requirement, for a text that is none. */
export const specOfOne = (
  title: string,
  requirement: Pick<Requirement, 'type' | 'description' | 'criteria'>,
): Spec => ({
  version: '1',
  priority: 'must',
  created: '1970-01-01',
  title,
  vision: title,
  inScope: [title],
  outOfScope: [],
  requirements: [{ id: 'R-001', title, priority: 'must', dependsOn: [], line: 1, ...requirement }],
  notes: [],
})
