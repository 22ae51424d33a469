/** Whether what a set-up leaves can be used again for another tree with the same lock file, or the same manifests. */
import { isLockPath, nameOf } from '../languages/paths.ts'
import type { Command } from '../planning/plan.ts'

const INSTALLS = /^(npm (ci|install|i)|pnpm (install|i)|yarn( install)?|bun (install|i))( --?[a-z][\w=-]*)*$/
/** Scripts of a package itself that an install runs: what they make depends on the sources. */
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

/**
 * Only plain installs of packages: anything else may depend on the sources, and stale results prove nothing.
 * `manifests` are all the package.json there are, the root's among them.
 */
export function isReusableSetup(setup: Command, manifests: readonly (string | null)[]): boolean {
  const text = (typeof setup === 'string' ? setup : setup.join(' ')).trim()
  return INSTALLS.test(text) && manifests.length > 0 && manifests.every(isPlain)
}

/** A manifest that cannot be read is installed as it is, and its result is used once. */
function isPlain(packageJson: string | null): boolean {
  try {
    const manifest: unknown = JSON.parse(packageJson ?? '')
    if (!isRecord(manifest)) return false
    const scripts = isRecord(manifest['scripts']) ? manifest['scripts'] : {}
    return !LIFECYCLE.some((name) => Object.hasOwn(scripts, name)) && !isMadeFromSources(manifest)
  } catch {
    return false
  }
}

/** Some managers copy a package that is named by its folder. */
const isMadeFromSources = (manifest: Record<string, unknown>): boolean =>
  DEPENDENCIES.some((name) => {
    const named = manifest[name]
    return isRecord(named) && Object.values(named).some((from) => /^(file|portal):/.test(String(from)))
  })

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What names dependencies, whether or not a lock file pins them. */
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
/** What an install reads besides its lock file: manifests, settings, and the code that hooks into it. */
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
  /** The files whose content tells one installation from another. */
  readonly paths: readonly string[]
  /** Without a lock file the same manifests may mean other versions tomorrow: then reuse ends with the plan. */
  readonly keyedBy: 'lock' | 'manifests'
  /** What it is keyed by, for people: "package-lock.json". */
  readonly words: string
}

/** Null where no file names any dependency. */
export function setupInputs(files: Iterable<string>): SetupInputs | null {
  const paths = [...files].filter(isInput).sort()
  const locks = paths.filter(isLockPath)
  if (locks.length > 0) return { paths, keyedBy: 'lock', words: named(locks) }
  const manifests = paths.filter(isManifest)
  return manifests.length === 0 ? null : { paths, keyedBy: 'manifests', words: named(manifests) }
}

/** The nearest to the root first: they say most. */
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
