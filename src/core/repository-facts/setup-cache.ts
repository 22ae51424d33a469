/** Whether the result of a set-up can be reused for another tree with the same lock file or manifests. */
import { isLockPath, nameOf } from '../languages/paths.ts'
import type { Command } from '../planning/plan.ts'

const OPTIONS = '( --?[a-z][\\w=:/.,@-]*)*$'
const INSTALLS = new RegExp(
  `^(npm (ci|install|i)|pnpm (install|i)|yarn( install)?|bun (install|i))${OPTIONS}`,
)
/** They install the project itself too, whose sources decide what comes of it. */
const INSTALLS_PROJECT = new RegExp(
  `^(uv sync|poetry install|pdm (install|sync)|bundle install|composer install)${OPTIONS}`,
)
/** A package's own scripts that an install runs; their results depend on the sources. */
const LIFECYCLE = [
  'preinstall',
  'install',
  'postinstall',
  'prepublish',
  'preprepare',
  'prepare',
  'postprepare',
]
const DEPENDENCIES = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']

/** For which other trees the result of a set-up counts. */
export type SetupReuse =
  /** For those with the same lock file or manifests. */
  | 'inputs'
  /** The packages for those; the package's own prepare script, which comes last, runs in each tree. */
  | 'packages'
  /** For none but the same tree: it may depend on the sources. */
  | 'tree'

/** Null for anything more than a package install, which may also depend on what lies outside of the tree. */
export function setupReuse(
  setup: Command,
  files: ReadonlySet<string>,
  read: (path: string) => string | null,
): SetupReuse | null {
  const text = (typeof setup === 'string' ? setup : setup.join(' ')).trim()
  if (INSTALLS_PROJECT.test(text)) return 'tree'
  if (!INSTALLS.test(text) || !files.has('package.json')) return null
  const root = read('package.json')
  if (!hasMembers(root, files))
    return isPlain(root) ? 'inputs' : isPlain(root, 'prepare') ? 'packages' : 'tree'
  const manifests = [...files].filter((path) => nameOf(path) === 'package.json').map(read)
  return manifests.every((manifest) => isPlain(manifest)) ? 'inputs' : 'tree'
}

/** What is left of such a set-up where the packages are there: `npm run prepare`. */
export function prepareCommand(setup: Command): Command {
  const [manager = 'npm'] = typeof setup === 'string' ? setup.trim().split(' ') : setup
  return [manager, 'run', 'prepare']
}

/** Without workspaces an install runs the scripts of the root alone. */
const hasMembers = (root: string | null, files: ReadonlySet<string>): boolean =>
  root === null ||
  /"workspaces"\s*:/.test(root) ||
  ['pnpm-workspace.yaml', 'lerna.json'].some((name) => files.has(name))

/** Without scripts of its own, but the one that may be there. An unreadable manifest counts as one with scripts. */
function isPlain(packageJson: string | null, but?: 'prepare'): boolean {
  try {
    const manifest: unknown = JSON.parse(packageJson ?? '')
    if (!isRecord(manifest)) return false
    const scripts = isRecord(manifest['scripts']) ? manifest['scripts'] : {}
    const runs = LIFECYCLE.some((name) => name !== but && Object.hasOwn(scripts, name))
    return !runs && !isMadeFromSources(manifest)
  } catch {
    return false
  }
}

/** Some managers copy a package that is referenced by its folder. */
const isMadeFromSources = (manifest: Record<string, unknown>): boolean =>
  DEPENDENCIES.some((name) => {
    const named = manifest[name]
    return isRecord(named) && Object.values(named).some((from) => /^(file|portal):/.test(String(from)))
  })

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Files that name dependencies, pinned or not. */
const MANIFESTS = new Set([
  'package.json',
  'pyproject.toml',
  'setup.py',
  'setup.cfg',
  'pipfile',
  'cargo.toml',
  'gemfile',
  'composer.json',
  'go.mod',
])
/** Files an install reads besides the lock file: manifests, settings and hooks. */
const INPUTS = new Set([
  ...MANIFESTS,
  '.npmrc',
  'pnpm-workspace.yaml',
  '.pnpmfile.cjs',
  '.pnpmfile.mjs',
  '.yarnrc',
  '.yarnrc.yml',
  'bunfig.toml',
])
const HOOK_FOLDER = /(^|\/)(\.yarn|patches)\//

export interface SetupInputs {
  /** The files whose content identifies an installation. */
  readonly paths: readonly string[]
  /** Without a lock file the same manifests may resolve to other versions later, so reuse ends with the plan. */
  readonly keyedBy: 'lock' | 'manifests'
  /** The key for people: "package-lock.json". */
  readonly keyFiles: string
}

/** Null where no file names a dependency. */
export function setupInputs(files: Iterable<string>): SetupInputs | null {
  const paths = [...files].filter(isInput).sort()
  const locks = paths.filter(isLockPath)
  if (locks.length > 0) return { paths, keyedBy: 'lock', keyFiles: named(locks) }
  const manifests = paths.filter(isManifest)
  return manifests.length === 0 ? null : { paths, keyedBy: 'manifests', keyFiles: named(manifests) }
}

/** The files nearest to the root first. */
function named(paths: readonly string[]): string {
  const depth = (path: string): number => path.split('/').length
  const [first = '', second, ...more] = paths.toSorted((one, other) => depth(one) - depth(other))
  if (second === undefined) return first
  return more.length === 0 ? `${first}, ${second}` : `${first}, ${second} and ${more.length} more`
}

const isManifest = (path: string): boolean => {
  const name = nameOf(path).toLowerCase()
  return MANIFESTS.has(name) || /^requirements.*\.txt$/.test(name)
}

function isInput(path: string): boolean {
  const name = nameOf(path).toLowerCase()
  return isLockPath(path) || INPUTS.has(name) || isManifest(path) || HOOK_FOLDER.test(path)
}
