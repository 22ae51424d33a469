/** The kind of work a task is, from its layer and its files: the specialist that its worker is asked to be. */
import { languageOf, type LanguageName } from '../languages/languages.ts'
import { kindOfPath, nameOf, segmentsOf, stemOf, wordsOf } from '../languages/paths.ts'
import type { TaskSpec } from '../planning/plan.ts'

export const WORK_KINDS = [
  'infrastructure',
  'interface',
  'workflow',
  'algorithm',
  'compiled_core',
  'docs',
  'general',
] as const
export type WorkKind = (typeof WORK_KINDS)[number]

/** The layers that plans name, in lower case. */
const LAYERS: ReadonlyMap<string, WorkKind> = new Map(
  Object.entries<WorkKind>({
    infra: 'infrastructure',
    infrastructure: 'infrastructure',
    deployment: 'infrastructure',
    ops: 'infrastructure',
    ui: 'interface',
    web: 'interface',
    frontend: 'interface',
    interface: 'interface',
    api: 'interface',
    cli: 'interface',
    workflow: 'workflow',
    workflows: 'workflow',
    integration: 'workflow',
    integrations: 'workflow',
    algorithm: 'algorithm',
    algorithms: 'algorithm',
    docs: 'docs',
    documentation: 'docs',
  }),
)

/** Words of folders and file names that tell the kind of a source file. */
const WORDS: readonly (readonly [WorkKind, ReadonlySet<string>])[] = [
  [
    'infrastructure',
    new Set('infra infrastructure deploy deployment terraform k8s kubernetes helm ansible docker'.split(' ')),
  ],
  [
    'interface',
    new Set(
      'ui web frontend components component pages views view screens routes api cli http handlers'.split(' '),
    ),
  ],
  [
    'workflow',
    new Set(
      'workflow workflows pipeline pipelines orchestrator jobs queue queues scheduler saga steps'.split(' '),
    ),
  ],
  [
    'algorithm',
    new Set('algorithm algorithms solver solvers math numeric numerics linalg optimizer kernels'.split(' ')),
  ],
]

const INFRASTRUCTURE_FILE = /^(dockerfile|containerfile|docker-compose|compose|jenkinsfile|vagrantfile)\b/
const INFRASTRUCTURE_FOLDER = /^(\.github\/workflows|\.circleci|\.buildkite|\.gitlab)\//
const INTERFACE_EXTENSION = /\.(tsx|jsx|vue|svelte|html?|css|scss|sass|less)$/
const INFRASTRUCTURE_EXTENSION = /\.(tf|tfvars|hcl|nix|bicep)$/
const COMPILED: ReadonlySet<LanguageName> = new Set<LanguageName>(['c', 'cpp', 'rust', 'go'])
const COMPILED_EXTENSION = /\.(zig|f|f90|f95|d|asm|s|ada|adb|hs|ml)$/

export type ClassifiedTask = Pick<TaskSpec, 'layer' | 'files' | 'testsToAdd'>

/** A layer that the plan names decides; otherwise most of the files do, and on a tie the kind that is listed first. */
export function kindOfWork({ layer, files, testsToAdd }: ClassifiedTask): WorkKind {
  const named = [...files.create, ...files.modify, ...files.delete]
  const paths = named.length === 0 ? testsToAdd : named
  if (paths.length > 0 && paths.every((path) => kindOfPath(path) === 'doc')) return 'docs'
  const ofLayer = LAYERS.get(layer?.trim().toLowerCase() ?? '')
  if (ofLayer !== undefined) return ofLayer
  const counts = new Map<WorkKind, number>()
  for (const path of paths) {
    const kind = kindOfFile(path)
    if (kind !== null) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  const most = Math.max(0, ...counts.values())
  return WORK_KINDS.find((kind) => most > 0 && counts.get(kind) === most) ?? 'general'
}

/** Null for files that say nothing about the work, for example documents beside it and lock files. */
function kindOfFile(path: string): WorkKind | null {
  const lower = path.toLowerCase()
  if (INFRASTRUCTURE_FOLDER.test(lower) || INFRASTRUCTURE_FILE.test(nameOf(lower))) return 'infrastructure'
  if (INFRASTRUCTURE_EXTENSION.test(lower)) return 'infrastructure'
  const kind = kindOfPath(path)
  if (kind === 'doc' || kind === 'lock' || kind === 'test') return null
  if (INTERFACE_EXTENSION.test(lower)) return 'interface'
  if (kind !== 'source') return null
  const words = [...segmentsOf(lower).slice(0, -1), ...wordsOf(stemOf(path))]
  const byWord = WORDS.find(([, of]) => words.some((word) => of.has(word)))
  if (byWord !== undefined) return byWord[0]
  const language = languageOf(path)
  const isCompiled = COMPILED_EXTENSION.test(lower) || (language !== null && COMPILED.has(language.name))
  return isCompiled ? 'compiled_core' : 'general'
}
