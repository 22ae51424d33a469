/** The context of a project from the list of its files and the texts of a few of them. */
import { languageOf } from '../languages/languages.ts'
import { kindOfPath, nameOf, segmentsOf } from '../languages/paths.ts'
import { detectCommands, READ_MANIFESTS, type CommandName } from '../repository-facts/detect-commands.ts'
import type { KeyPath, ProjectCommand, ProjectContext } from './project-context.ts'
import { patternsOf } from './project-patterns.ts'
import {
  boundedInstructions,
  instructionFiles,
  statedArchitecture,
  statedConventions,
  statedKeyPaths,
} from './project-instructions.ts'

export interface ProjectFiles {
  /** Paths of the committed tree, sorted. */
  readonly files: readonly string[]
  /** Of those that `textsWanted` names; null for one that cannot be read as text. */
  readonly read: (path: string) => string | null
  /** How commands ended when they last ran on a commit of this repository. */
  readonly tried?: ReadonlyMap<CommandName, 'passed' | 'failed'>
}

const MORE_MANIFESTS = ['Cargo.toml', 'go.mod', 'composer.json', 'Gemfile']
const MOST_KEY_PATHS = 16
const MOST_LAYERS = 8

/** The files whose texts the analysis reads: few, whatever the size of the repository. */
export function textsWanted(files: readonly string[]): readonly string[] {
  const all = new Set(files)
  const manifests = [...READ_MANIFESTS, ...MORE_MANIFESTS].filter((path) => all.has(path))
  return [...instructionFiles(files), ...manifests]
}

export function analyseProject({ files, read, tried = new Map() }: ProjectFiles): ProjectContext {
  const own = files.filter((path) => !isForeign(path))
  const instructions = instructionFiles(own).flatMap((path) => {
    const text = read(path)
    return text === null || text.trim() === '' ? [] : [boundedInstructions(path, text)]
  })
  const root = instructions.find(({ path }) => !path.includes('/'))
  const exists = existence(own)
  const languages = languagesOf(own)
  const layers = layersOf(own)
  const stated = root === undefined ? [] : statedKeyPaths(root.text, exists)
  return {
    instructions,
    architecture:
      (root === undefined ? null : statedArchitecture(root.text)) ??
      shownArchitecture(own, languages, layers),
    keyPaths: keyPathsOf(own, stated, layers),
    patterns: [
      ...(root === undefined ? [] : statedConventions(root.text)).slice(0, 6).map((text) => ({
        name: 'convention',
        text,
        example: root?.path ?? '',
      })),
      ...patternsOf(own, read),
    ],
    commands: commandsOf(own, read, tried),
    languages,
  }
}

/** Code of others that was committed, and what programs generate. */
const isForeign = (path: string): boolean =>
  /(^|\/)(node_modules|vendor|third[-_]party|\.git|dist|build|out|target|__pycache__|\.venv|venv|\.next|coverage|bower_components|Pods)\//.test(
    path,
  ) || /\.min\.(js|css)$/.test(path)

function existence(files: readonly string[]): (path: string) => 'file' | 'folder' | null {
  const all = new Set(files)
  return (path) =>
    all.has(path) ? 'file' : files.some((file) => file.startsWith(`${path}/`)) ? 'folder' : null
}

const NOT_PROGRAMS: ReadonlySet<string> = new Set(['json', 'yaml', 'toml', 'markdown'])

function languagesOf(files: readonly string[]): ProjectContext['languages'] {
  const counts = new Map<string, number>()
  for (const path of files) {
    const language = languageOf(path)
    if (language === null || NOT_PROGRAMS.has(language.name)) continue
    counts.set(language.name, (counts.get(language.name) ?? 0) + 1)
  }
  return [...counts]
    .toSorted(([a, na], [b, nb]) => nb - na || (a < b ? -1 : 1))
    .slice(0, 8)
    .map(([name, count]) => ({ name, files: count }))
}

const isSource = (path: string): boolean => kindOfPath(path) === 'source' && languageOf(path) !== null

/** Beside the program itself. */
const ASIDE = /^(bench\w*|examples?|samples?|demos?|scripts?|tools|perf[\w-]*|runtime-tests|docs?|website)\//

interface Layer {
  readonly name: string
  /** Ends in a slash. */
  readonly folder: string
  readonly files: number
}

/** The folders below the one that holds most of the sources; those of the root where there is no such folder. */
function layersOf(files: readonly string[]): readonly Layer[] {
  const sources = files.filter(
    (path) => isSource(path) && !NOT_PROGRAMS.has(languageOf(path)?.name ?? '') && !ASIDE.test(path),
  )
  let base = ''
  // Goes down while one folder holds nearly everything: `src`, `packages/app/src`.
  for (let depth = 0; depth < 4; depth++) {
    const [largest] = countFolders(sources, base)
    if (largest === undefined || largest.files < sources.length * 0.8) break
    if (countFolders(sources, largest.folder).length === 0) break
    base = largest.folder
  }
  return countFolders(sources, base)
    .filter((layer) => layer.files >= 2)
    .slice(0, MOST_LAYERS)
}

function countFolders(sources: readonly string[], base: string): readonly Layer[] {
  const counts = new Map<string, number>()
  for (const path of sources) {
    if (!path.startsWith(base)) continue
    const rest = path.slice(base.length)
    const slash = rest.indexOf('/')
    if (slash === -1) continue
    const folder = `${base}${rest.slice(0, slash)}/`
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .map(([folder, count]) => ({ name: nameOf(folder), folder, files: count }))
    .toSorted((a, b) => b.files - a.files || (a.folder < b.folder ? -1 : 1))
}

function shownArchitecture(
  files: readonly string[],
  languages: ProjectContext['languages'],
  layers: readonly Layer[],
): string | null {
  const [first, second] = languages
  if (first === undefined) return null
  const isMixed = second !== undefined && second.files > first.files * 0.2
  const names = isMixed ? `${first.name} and ${second.name}` : first.name
  const sources = files.filter(isSource).length
  const parts = layers.length === 0 ? '' : `: ${layers.map(({ name }) => name).join(', ')}`
  return `${names}, ${sources === 1 ? '1 source file' : `${sources} source files`}${parts}`
}

const KNOWN_PLACES: readonly (readonly [string, RegExp])[] = [
  ['services', /(^|\/)services?\/$/i],
  ['routes', /(^|\/)(routes?|controllers?|handlers?|endpoints?|api)\/$/i],
  ['components', /(^|\/)components?\/$/i],
  ['pages', /(^|\/)(pages?|views?|screens?|templates)\/$/i],
  ['models', /(^|\/)(models?|entities|schemas?|domain)\/$/i],
  ['migrations', /(^|\/)(migrations?|db\/migrate)\/$/i],
  ['commands', /(^|\/)(commands?|cmd|cli|bin)\/$/i],
  ['core', /(^|\/)(core|lib|internal)\/$/i],
  ['tests', /^(tests?|spec|__tests__|e2e)\/$|(^|\/)(__tests__|tests?)\/$/i],
  ['documents', /^docs?\/$/i],
  ['settings', /(^|\/)(config|settings)\/$/i],
  ['pipelines', /^\.github\/workflows\/$/],
]

/** What the instructions name, then the places with the usual names, then the largest layers. */
function keyPathsOf(
  files: readonly string[],
  stated: readonly KeyPath[],
  layers: readonly Layer[],
): readonly KeyPath[] {
  const folders = foldersOf(files, 4)
  const known = KNOWN_PLACES.flatMap(([name, pattern]): KeyPath[] => {
    const path = folders.find((folder) => pattern.test(folder))
    return path === undefined ? [] : [{ name, path }]
  })
  const largest = layers.map(({ name, folder }) => ({ name, path: folder }))
  const seen = new Set<string>()
  return [...stated, ...known, ...largest]
    .filter(({ path }) => !seen.has(path) && seen.add(path))
    .slice(0, MOST_KEY_PATHS)
}

/** The shortest paths first, and of those the ones with the most files. */
function foldersOf(files: readonly string[], deepest: number): readonly string[] {
  const counts = new Map<string, number>()
  for (const path of files) {
    const segments = segmentsOf(path).slice(0, -1)
    for (let depth = 1; depth <= Math.min(segments.length, deepest); depth++) {
      const folder = `${segments.slice(0, depth).join('/')}/`
      counts.set(folder, (counts.get(folder) ?? 0) + 1)
    }
  }
  const depthOf = (folder: string): number => segmentsOf(folder).length
  return [...counts]
    .toSorted(([a, na], [b, nb]) => depthOf(a) - depthOf(b) || nb - na || (a < b ? -1 : 1))
    .map(([folder]) => folder)
}

function commandsOf(
  files: readonly string[],
  read: ProjectFiles['read'],
  tried: ReadonlyMap<CommandName, 'passed' | 'failed'>,
): readonly ProjectCommand[] {
  const { commands } = detectCommands({ files: new Set(files), read })
  return (['setup', 'test', 'lint', 'typecheck', 'build'] as const).flatMap((name) => {
    const command = commands[name]
    if (command === null) return []
    const text = typeof command === 'string' ? command : command.join(' ')
    return [{ name, command: text, tried: tried.get(name) ?? ('untried' as const) }]
  })
}
