/** Requirements of manifests and packages of lock files, in one form for all package managers. */
import { parse, TomlError } from 'smol-toml'
import { jsonObject, type Mapping } from '../documents.ts'

export interface LockedPackage {
  readonly name: string
  readonly version: string
  /** The source as written; null for the default registry. */
  readonly source: string | null
  /** Hashes of the package; may be empty. */
  readonly integrity: readonly string[]
  /** It has an install script. */
  readonly hasScript: boolean
  /** The actual package, if it is an alias that no manifest requests. */
  readonly really?: string
  /** Part of this repository. */
  readonly isOwn: boolean
}

export interface Lock {
  readonly packages: readonly LockedPackage[]
  /**
   * Whether it fixes this requirement of a manifest. `folder` is the folder of the manifest relative to the lock file;
   * empty for the same folder.
   */
  readonly has: (name: string, spec: string, folder: string) => boolean
  /** Whether registry packages always have a hash in this format. */
  readonly hasHashes: boolean
  /** Default registries of this format. */
  readonly usualHosts: readonly string[]
}

/** A package as most formats describe it; an empty source or hash is none. */
export function lockedPackage(
  given: Pick<LockedPackage, 'name' | 'version'> & Partial<LockedPackage>,
): LockedPackage {
  const { source = null, integrity = [] } = given
  return {
    hasScript: false,
    isOwn: false,
    ...given,
    source: source === '' ? null : source,
    integrity: integrity.filter((hash) => hash !== ''),
  }
}

/** Name → requirement, as written. */
export type Wanted = ReadonlyMap<string, string>

export interface Unreadable {
  readonly unreadable: string
}

export const isUnreadable = (value: object): value is Unreadable => 'unreadable' in value

/** The JSON object, or why it is invalid. */
export const jsonOf = (source: string): Mapping | Unreadable =>
  jsonObject(source) ?? { unreadable: 'it is not a JSON object' }

/** The host of an address: `a.b` for `https://a.b/c` and `git+ssh://git@a.b/c`. */
export function hostOf(source: string): string | null {
  return /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/]*@)?([^/:?#]+)/i.exec(source)?.[1]?.toLowerCase() ?? null
}

export type SourceKind = 'registry' | 'git' | 'http' | 'file' | 'other'

export function kindOfSource(source: string | null): SourceKind {
  if (source === null || source === '') return 'registry'
  if (/^(?:git\+|git:|git@|ssh:|github:|gitlab:|bitbucket:)|\.git(?:#|$)|codeload\.github\.com/i.test(source))
    return 'git'
  if (/^http:/i.test(source)) return 'http'
  if (/^(?:file|link|portal|workspace|path):|^\.{0,2}\//i.test(source)) return 'file'
  return /^(?:https|registry\+https|sparse\+https|registry):/i.test(source) ? 'registry' : 'other'
}

const MAX_DEPTH = 50

/** TOML as plain JSON values; dates and integers beyond the safe range become strings. */
export function tomlOf(source: string): Mapping | Unreadable {
  try {
    const parsed = parse(source, { maxDepth: MAX_DEPTH, integersAsBigInt: 'asNeeded' })
    return JSON.parse(JSON.stringify(parsed, withoutBigInt)) as Mapping
  } catch (error) {
    // Keys with thousands of dots nest deeper than the depth limit sees, and than JSON can go.
    return {
      unreadable:
        error instanceof TomlError ? `line ${error.line} is not valid TOML` : 'it is not valid TOML',
    }
  }
}

const withoutBigInt = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value
