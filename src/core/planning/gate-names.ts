/** The names of gates. A plan may add gates of its own; they have none of these names. */
import { GATE_KINDS } from './plan.ts'

/** The six mandatory gates, of which every one has to answer for every task. */
export const MANDATORY_GATES = [
  'plan_alignment',
  'tests_to_add',
  'tests_to_run',
  'lint_typecheck',
  'no_orphan_todo',
  'review_note',
] as const
/** What is looked at in every change besides, whatever the plan says; it answers that it does not apply where it does not. */
export const ALWAYS_GATES = ['integrity', 'secrets', 'dependencies'] as const
/** What the release gate runs, and a task's gates where its work has any of it. */
export const WHERE_PRESENT_GATES = ['migrations'] as const
/** What answers where the plan has checks that the worker never sees. */
export const HIDDEN_GATES = ['held_out'] as const

/** How a gate of the plan's author may be called. */
export const OWN_GATE_NAME = /^[A-Za-z][\w.-]{0,39}$/

const BUILT_IN: ReadonlySet<string> = new Set([
  ...MANDATORY_GATES,
  ...ALWAYS_GATES,
  ...HIDDEN_GATES,
  ...GATE_KINDS,
  ...WHERE_PRESENT_GATES,
])

export type BuiltInGate =
  | (typeof MANDATORY_GATES)[number]
  | (typeof ALWAYS_GATES)[number]
  | (typeof HIDDEN_GATES)[number]
  | (typeof GATE_KINDS)[number]
  | (typeof WHERE_PRESENT_GATES)[number]

export const isBuiltIn = (gate: string): gate is BuiltInGate => BUILT_IN.has(gate)
