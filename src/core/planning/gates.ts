/** The gates of a task besides the six, by its layer and files; and its layer, inferred from its files. */
import { kindOfPath, segmentsOf } from '../languages/paths.ts'
import type { GateKind } from './plan.ts'

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
function isCompiled(paths: readonly string[]): boolean {
  if (paths.some((path) => COMPILED.test(path))) return true
  return !paths.some((path) => INTERPRETED.test(path))
}

/** The layer named by a folder in the path of all sources; null otherwise. */
export function layerOfFiles(paths: readonly string[]): string | null {
  const sources = paths.filter((path) => kindOfPath(path) === 'source')
  const layers = new Set(sources.map(layerOfFile))
  const [only] = layers
  return layers.size === 1 ? (only ?? null) : null
}

function layerOfFile(path: string): string | null {
  const folders = segmentsOf(path.toLowerCase()).slice(0, 3)
  const folder = folders.slice(0, -1).find((name) => LAYER_NAMES[name] !== undefined)
  return folder === undefined ? null : (LAYER_NAMES[folder] ?? null)
}
