/** What manifests ask for and what lock files fix, in one form for every package manager. */

export interface LockedPackage {
  readonly name: string
  readonly version: string
  /** Where it is taken from, as it is written; null where the lock file leaves that to the registry. */
  readonly source: string | null
  /** Hashes of what is taken; empty where none is kept. */
  readonly integrity: readonly string[]
  /** It runs a program when it is installed. */
  readonly hasScript: boolean
  /** What it really is, where nobody asked for that under this name. */
  readonly really?: string
  /** Part of this repository. */
  readonly isOwn: boolean
}

export interface Lock {
  readonly packages: readonly LockedPackage[]
  /**
   * What of a manifest is not fixed here: `name spec` each. `folder` is where the manifest lies, seen from the lock
   * file; empty for the same folder.
   */
  readonly missing: (wanted: Wanted, folder: string) => readonly string[]
  /** A package from a registry always has a hash in this form. */
  readonly hasHashes: boolean
  /** Registries that this form means when it names none. */
  readonly usualHosts: readonly string[]
}

/** Name → what is asked for, as it is written. */
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

/** JSON, or why it is none. */
export function jsonOf(source: string): Mapping | Unreadable {
  try {
    const value: unknown = JSON.parse(source)
    return isMapping(value) ? value : { unreadable: 'it is no object' }
  } catch {
    return { unreadable: 'it is no valid JSON' }
  }
}

/** The host of an address: `https://a.b/c` and `git+ssh://git@a.b/c` are of `a.b`. */
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
