/** The context of a project from the list of its files and the texts of a few of them. */
import { counted } from '../../lib/text/counted.ts'
import { languageOf } from '../languages/languages.ts'
import { folderOf, kindOfPath, nameOf, segmentsOf } from '../languages/paths.ts'
import { detectCommands, READ_MANIFESTS, type CommandName } from '../repository-facts/detect-commands.ts'
import type { KeyPath, ProjectCommand, ProjectContext, Pattern } from './project-context.ts'
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
  const exists = (path: string) =>
    own.includes(path) ? 'file' : own.some((file) => file.startsWith(`${path}/`)) ? 'folder' : null
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
      ...filePatterns(own.filter(isCode)),
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

/** What holds settings, data and prose. */
const NOT_PROGRAMS: ReadonlySet<string> = new Set(['json', 'yaml', 'toml', 'markdown'])

function languagesOf(files: readonly string[]): ProjectContext['languages'] {
  const names = files.filter(isCode).flatMap((path) => languageOf(path)?.name ?? [])
  return byCount(names)
    .slice(0, 8)
    .map(([name, count]) => ({ name, files: count }))
}

/** Each with how often it occurs, the most frequent first. */
const byCount = (items: readonly string[]): readonly (readonly [string, number])[] =>
  [...Map.groupBy(items, (item) => item)]
    .map(([item, all]) => [item, all.length] as const)
    .toSorted(([a, na], [b, nb]) => nb - na || (a < b ? -1 : 1))

const isCode = (path: string): boolean => {
  const language = languageOf(path)
  return language !== null && !NOT_PROGRAMS.has(language.name)
}
const isSource = (path: string): boolean => kindOfPath(path) === 'source' && isCode(path)

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
  const sources = files.filter((path) => isSource(path) && !ASIDE.test(path))
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

/** The folders right below a folder, with how many of the files are in each; the largest first. */
function countFolders(files: readonly string[], base: string): readonly Layer[] {
  const folders = files.flatMap((path) => {
    const slash = path.startsWith(base) ? path.indexOf('/', base.length) : -1
    return slash === -1 ? [] : [path.slice(0, slash + 1)]
  })
  return byCount(folders).map(([folder, count]) => ({ name: nameOf(folder), folder, files: count }))
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

/** What the instructions name, then the largest layers, then the folders of the root that hold no sources. */
function keyPathsOf(
  files: readonly string[],
  stated: readonly KeyPath[],
  layers: readonly Layer[],
): readonly KeyPath[] {
  const sources = files.filter(isSource)
  const others = countFolders(files, '').filter(
    ({ folder }) => !sources.some((path) => path.startsWith(folder)),
  )
  const shown = [...layers, ...others].map(({ name, folder }) => ({ name, path: folder }))
  const seen = new Set<string>()
  return [...stated, ...shown]
    .filter(({ path }) => !seen.has(path) && seen.add(path))
    .slice(0, MOST_KEY_PATHS)
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

const MOST_ROLES = 5
const LEAST_FILES = 3

/** How files are named and where tests are, each with a file that shows it. */
function filePatterns(code: readonly string[]): readonly Pattern[] {
  const sources = code.filter((path) => kindOfPath(path) === 'source')
  const tests = code.filter((path) => kindOfPath(path) === 'test')
  return [...testPattern(tests, sources), ...rolePatterns(sources)]
}

/** The middle one: the first is often an index, the last an exception. */
const exampleOf = (paths: readonly string[]): string => {
  const sorted = paths.toSorted((a, b) => segmentsOf(a).length - segmentsOf(b).length || (a < b ? -1 : 1))
  return sorted[Math.floor(sorted.length / 2)] ?? ''
}

function testPattern(tests: readonly string[], sources: readonly string[]): readonly Pattern[] {
  if (tests.length < 2) return []
  const folders = new Set(sources.map(folderOf))
  const beside = tests.filter((path) => folders.has(folderOf(path)))
  const isBeside = beside.length > tests.length / 2
  const kept = isBeside ? beside : tests
  const ending = mostCommon(kept.map(testEnding))
  const example = exampleOf(kept.filter((path) => testEnding(path) === ending))
  const top = mostCommon(kept.map((path) => segmentsOf(path)[0] ?? ''))
  const where = isBeside ? 'beside the sources' : `in ${top}/`
  return [{ name: 'tests', text: `${counted(tests.length, 'test file')} ${where}, named ${ending}`, example }]
}

/** `slug.test.ts` → `*.test.ts`, `test_slug.py` → `test_*.py`, `SlugTest.java` → `*Test.java`. */
function testEnding(path: string): string {
  const name = nameOf(path)
  const extension = /\.[^.]+$/.exec(name)?.[0] ?? ''
  if (name.startsWith('test_')) return `test_*${extension}`
  const dotted = /[._-](test|spec|tests)(\.[^.]+)$/.exec(name)?.[0]
  if (dotted !== undefined) return `*${dotted}`
  const camel = /(Tests?|Spec)(\.[^.]+)$/.exec(name)?.[0]
  return `*${camel ?? extension}`
}

/** `user.service.ts`, `UserService.cs`, `user_service.rb`: a word that ends the names of several files is a kind of file. */
function rolePatterns(sources: readonly string[]): readonly Pattern[] {
  const byEnding = Map.groupBy(
    sources,
    (path) => /(?:[._-]|(?<=[a-z0-9])(?=[A-Z]))[A-Za-z]+\.[^.]+$/.exec(nameOf(path))?.[0] ?? '',
  )
  return [...byEnding]
    .filter(([ending, found]) => ending !== '' && found.length >= LEAST_FILES)
    .toSorted(([a, filesA], [b, filesB]) => filesB.length - filesA.length || (a < b ? -1 : 1))
    .slice(0, MOST_ROLES)
    .map(([ending, found]) => {
      const folder = mostCommon(found.map(folderOf))
      const place = folder === '' ? '' : `, most in ${folder}/`
      const name = ending.replace(/\.[^.]+$|[._-]/g, '').toLowerCase()
      return { name, text: `${found.length} files named *${ending}${place}`, example: exampleOf(found) }
    })
}

const mostCommon = (items: readonly string[]): string => byCount(items)[0]?.[0] ?? ''
