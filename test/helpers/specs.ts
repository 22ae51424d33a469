/** Specs for tests. */
import { NO_CONTEXT } from '../../src/core/intake/project-context.ts'
import type { ArchitectFacts, StoriesInput } from '../../src/core/spec/stories-by-rules.ts'
import type { Requirement, Spec } from '../../src/core/spec/spec.ts'

export const aRequirement = (id: string, given: Partial<Requirement> = {}): Requirement => ({
  id,
  title: `Title of ${id}`,
  type: 'functional',
  priority: 'must',
  dependsOn: [],
  description: `What ${id} is about.`,
  criteria: [`${id} returns 1`],
  line: 1,
  ...given,
})

export const aSpec = (requirements: readonly Requirement[], given: Partial<Spec> = {}): Spec => ({
  version: '1.0',
  priority: 'must',
  created: '2026-11-16',
  title: 'Export of reports',
  vision: 'People take their reports with them.',
  inScope: ['CSV'],
  outOfScope: ['PDF'],
  requirements,
  notes: [],
  ...given,
})

export const facts = (given: Partial<ArchitectFacts> = {}): ArchitectFacts => ({
  project: NO_CONTEXT,
  files: [],
  roles: ['developer', 'reviewer'],
  ...given,
})

export const storiesInput = (spec: Spec, given: Partial<StoriesInput> = {}): StoriesInput => ({
  ...facts(),
  spec,
  setUp: null,
  ...given,
})
