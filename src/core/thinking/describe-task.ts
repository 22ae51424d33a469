/** A task as a prompt quotes it. */
import type { TaskSpec } from '../planning/plan.ts'

export function describeTask(spec: TaskSpec): string {
  const { create, modify, delete: deleted } = spec.files
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ['Acceptance criteria', spec.acceptanceCriteria],
    ['Non-goals', spec.nonGoals],
    ['Creates', create],
    ['Modifies', modify],
    ['Deletes', deleted],
    ['Tests to add', spec.testsToAdd],
  ]
  return [
    `Title: ${spec.title}`,
    `Tier: ${spec.tier}`,
    ...lists.flatMap(([name, items]) =>
      items.length === 0 ? [] : [`${name}:`, ...items.map((item) => `- ${item}`)],
    ),
    ...(spec.description === '' ? [] : ['Description:', spec.description]),
  ].join('\n')
}
