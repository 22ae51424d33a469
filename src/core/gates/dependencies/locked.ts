/** Requirements of manifests and packages of lock files, in one form for all package managers. */

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
   * Requirements of a manifest that the lock file lacks, as `name spec`. `folder` is the folder of the manifest relative
   * to the lock file; empty for the same folder.
   */
  readonly missing: (wanted: Wanted, folder: string) => readonly string[]
  /** Whether registry packages always have a hash in this format. */
  readonly hasHashes: boolean
  /** Default registries of this format. */
  readonly usualHosts: readonly string[]
}

/** Name → requirement, as written. */
export type Wanted = ReadonlyMap<string, string>

export interface Unreadable {
  readonly unreadable: string
}

export const isUnreadable = (value: object): value is Unreadable => 'unreadable' in value

export type Mapping = Readonly<Record<string, unknown>>
export const isMapping = (value: unknown): value is Mapping =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const mapping = (value: unknown): Mapping => (isMapping(value) ? value : {})
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The JSON object, or why it is invalid. */
export function jsonOf(source: string): Mapping | Unreadable {
  try {
    const value: unknown = JSON.parse(source)
    return isMapping(value) ? value : { unreadable: 'it is not an object' }
  } catch {
    return { unreadable: 'it is not valid JSON' }
  }
}

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
