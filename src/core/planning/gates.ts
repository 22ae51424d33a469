/** The names of the gates; the gates of a task besides the six, by its layer and files; its layer, from its files. */
import { kindOfPath, segmentsOf } from '../languages/paths.ts'
import { GATE_KINDS, type GateKind } from './plan.ts'

const COMPILED =
  /\.(c|cc|cpp|cxx|cu|h|hh|hpp|hxx|rs|go|java|kt|scala|swift|cs|fs|zig|f90|f|m|mm|ts|tsx|mts|cts|hs|ml)$/i
const INTERPRETED = /\.(js|mjs|cjs|jsx|py|rb|sh|bash|php|lua|pl|r|jl|ex|exs)$/i

const DEFAULT: readonly GateKind[] = ['unit', 'lint']

/** The layers by their usual names. */
const LAYER_NAMES: Readonly<Record<string, string>> = {
  core: 'core',
  workflow: 'workflow',
  workflows: 'workflow',
  infra: 'infrastructure',
  infrastructure: 'infrastructure',
  algorithm: 'algorithm',
  algorithms: 'algorithm',
  integration: 'integration',
  integrations: 'integration',
}

export function gatesFor(task: {
  readonly layer: string | null
  readonly paths: readonly string[]
  /** It exposes interfaces, or may break them. */
  readonly isPublic?: boolean
}): readonly GateKind[] {
  const gates = gatesOfLayer(task.layer, task.paths)
  return task.isPublic === true && !gates.includes('contract') ? [...gates, 'contract'] : gates
}

function gatesOfLayer(layer: string | null, paths: readonly string[]): readonly GateKind[] {
  const docsOnly = paths.length > 0 && paths.every((path) => kindOfPath(path) === 'doc')
  if (docsOnly) return ['lint']
  switch (LAYER_NAMES[layer?.toLowerCase() ?? ''] ?? '') {
    case 'core':
      return isCompiled(paths) ? ['build', 'unit', 'lint', 'contract'] : DEFAULT
    case 'integration':
      return ['unit', 'numeric']
    default:
      return DEFAULT
  }
}

/** Without known files a core task counts as compiled: a superfluous gate reports not_applicable, a missing one reports nothing. */
const isCompiled = (paths: readonly string[]): boolean =>
  paths.some((path) => COMPILED.test(path)) || !paths.some((path) => INTERPRETED.test(path))

/** The layer named by a folder in the path of all sources; null otherwise. */
export function layerOfFiles(paths: readonly string[]): string | null {
  const sources = paths.filter((path) => kindOfPath(path) === 'source')
  const [only = null, ...others] = new Set(sources.map(layerOfFile))
  return others.length === 0 ? only : null
}

function layerOfFile(path: string): string | null {
  const folders = segmentsOf(path.toLowerCase()).slice(0, 3)
  const folder = folders.slice(0, -1).find((name) => LAYER_NAMES[name] !== undefined)
  return folder === undefined ? null : (LAYER_NAMES[folder] ?? null)
}

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
/** What a release is held to, in the order of its report. */
export const RELEASE_GATES = ['unit', 'lint', 'typecheck', 'build', 'migrations', 'no_orphan_todo'] as const
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
