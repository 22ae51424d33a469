/** What a repository lacks before tasks can be built and tested in it, from its file list and manifests. */
import { languageOf, type LanguageName } from '../languages/languages.ts'
import { detectCommands, type Listing } from './detect-commands.ts'

export const BOOTSTRAP_PARTS = ['git', 'manifest', 'test', 'lint', 'build', 'ignore_file'] as const
export type BootstrapPart = (typeof BOOTSTRAP_PARTS)[number]

export interface BootstrapFacts {
  /** There is neither a manifest nor a command that tests or builds anything: tasks cannot be proven here yet. */
  readonly needed: boolean
  readonly missing: readonly BootstrapPart[]
  /** The language of most source files; null where there are none. */
  readonly language: LanguageName | null
}

const MANIFESTS: ReadonlySet<string> = new Set([
  'package.json',
  'deno.json',
  'deno.jsonc',
  'Cargo.toml',
  'go.mod',
  'pyproject.toml',
  'setup.py',
  'setup.cfg',
  'requirements.txt',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'build.sbt',
  'CMakeLists.txt',
  'Makefile',
  'makefile',
  'GNUmakefile',
  'meson.build',
  'composer.json',
  'Gemfile',
  'mix.exs',
  'Package.swift',
  'pubspec.yaml',
  'build.zig',
  'dune-project',
])
const PROJECT_FILE = /\.(csproj|fsproj|sln|slnx|cabal|gemspec)$/
/** A manifest deeper than this belongs to an example or a dependency. */
const DEEPEST_MANIFEST = 3
/** Enough to tell the language; longer lists are not read to their end. */
const MOST_FILES = 20_000

export function bootstrapFacts(repo: Listing & { readonly hasGit: boolean }): BootstrapFacts {
  const { commands } = detectCommands(repo)
  const hasManifest = [...repo.files].some(isManifest)
  const isThere: Readonly<Record<BootstrapPart, boolean>> = {
    git: repo.hasGit,
    manifest: hasManifest,
    test: commands.test !== null,
    lint: commands.lint !== null,
    build: commands.build !== null,
    ignore_file: repo.files.has('.gitignore'),
  }
  return {
    needed: !repo.hasGit || (!hasManifest && commands.test === null && commands.build === null),
    missing: BOOTSTRAP_PARTS.filter((part) => !isThere[part]),
    language: mainLanguage(repo.files),
  }
}

function isManifest(path: string): boolean {
  const segments = path.split('/')
  const name = segments.at(-1) ?? ''
  return segments.length <= DEEPEST_MANIFEST && (MANIFESTS.has(name) || PROJECT_FILE.test(name))
}

/** Of languages that programs are written in: Markdown, JSON and settings do not count. */
const NOT_SOURCE: ReadonlySet<LanguageName> = new Set(['json', 'yaml', 'toml', 'markdown', 'sql'])

function mainLanguage(files: ReadonlySet<string>): LanguageName | null {
  const counts = new Map<LanguageName, number>()
  let read = 0
  for (const path of files) {
    if (++read > MOST_FILES) break
    const name = languageOf(path)?.name
    if (name !== undefined && !NOT_SOURCE.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const most = Math.max(0, ...counts.values())
  return [...counts].find(([, many]) => many === most)?.[0] ?? null
}
