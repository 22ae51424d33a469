/** The names of built-in gates; custom gates of a plan cannot use them. */
import { GATE_KINDS } from './plan.ts'

/** The six mandatory gates, each with a verdict on every task. */
export const MANDATORY_GATES = [
  'plan_alignment',
  'tests_to_add',
  'tests_to_run',
  'lint_typecheck',
  'no_orphan_todo',
  'review_note',
] as const
/** Gates that run on every change in addition; their verdict may be not_applicable. */
export const ALWAYS_GATES = ['integrity', 'secrets', 'dependencies'] as const
/** Gates of the release, and of tasks whose work contains such files. */
export const WHERE_PRESENT_GATES = ['migrations'] as const
/** Gates of checks that the worker never sees. */
export const HIDDEN_GATES = ['held_out'] as const

/** The allowed names of custom gates. */
export const OWN_GATE_NAME = /^[A-Za-z][\w.-]{0,39}$/

const BUILT_IN = [
  ...MANDATORY_GATES,
  ...ALWAYS_GATES,
  ...HIDDEN_GATES,
  ...GATE_KINDS,
  ...WHERE_PRESENT_GATES,
] as const
export type BuiltInGate = (typeof BUILT_IN)[number]

export const isBuiltIn = (gate: string): gate is BuiltInGate => BUILT_IN.some((known) => known === gate)
