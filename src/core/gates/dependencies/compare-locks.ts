/** Finds packages of a lock file that are new or different, and judges whether they can be trusted. */
import type { Finding } from '../../event-schemas/evidence.ts'
import { blocking, note } from '../verdicts.ts'
import { parse, TomlError } from 'smol-toml'
import { jsonObject, type Mapping } from '../documents.ts'

export interface LockChange {
  readonly path: string
  /** Null if there was none, or it was unreadable. */
  readonly before: Lock | null
  readonly after: Lock
  /** The current requirements of the manifest. */
  readonly wanted: Wanted
  /** Whether the requirements of the manifest changed. */
  readonly isAskedFor: boolean
}

const MOST_NOTES = 10

export function compareLocks({ path, before, after, wanted, isAskedFor }: LockChange): readonly Finding[] {
  const known = new Map((before?.packages ?? []).map((one) => [keyOf(one), one]))
  const hosts = new Set([
    ...after.usualHosts,
    ...(before?.packages ?? []).flatMap(({ source }) => (source === null ? [] : (hostOf(source) ?? []))),
  ])
  const findings: Finding[] = []
  const changed: LockedPackage[] = []
  for (const one of after.packages) {
    const old = known.get(keyOf(one))
    if (old !== undefined && isSame(old, one)) continue
    changed.push(one)
    const { hasHashes } = after
    findings.push(...problemsOf(one, { path, old, hosts, wanted, hasHashes, isAskedFor }))
  }
  const isNew = before !== null && !isAskedFor && changed.length > 0
  if (isNew && findings.length === 0) {
    const names = changed.slice(0, MOST_NOTES).map(({ name, version }) => `${name} ${version}`)
    const more = changed.length > MOST_NOTES ? ` and ${changed.length - MOST_NOTES} more` : ''
    findings.push(note(`installs ${names.join(', ')}${more}, although the manifest did not change`, path))
  }
  return findings
}

const keyOf = ({ name, version }: LockedPackage): string => `${name}\0${version}`

function isSame(old: LockedPackage, now: LockedPackage): boolean {
  const isKept = old.integrity.every((hash) => now.integrity.includes(hash))
  return old.source === now.source && old.really === now.really && isKept && (old.hasScript || !now.hasScript)
}

interface Around extends Pick<LockChange, 'path' | 'wanted' | 'isAskedFor'> {
  readonly old: LockedPackage | undefined
  readonly hosts: ReadonlySet<string>
  readonly hasHashes: boolean
}

function problemsOf(one: LockedPackage, around: Around): readonly Finding[] {
  const { path, old, hosts, wanted, hasHashes, isAskedFor } = around
  const name = `${one.name} ${one.version}`.trim()
  const found: Finding[] = []
  const blocks = (text: string): unknown => found.push(blocking(text, path))
  const notes = (text: string): unknown => found.push(note(text, path))
  const { source } = one
  const kind = kindOfSource(source)
  const isMoved = old === undefined || old.source !== source
  if (isMoved && source !== null && !one.isOwn) {
    const asked = [...wanted.values()].some((spec) => spec !== '' && sharesAddress(spec, source))
    const place = addressOf(source)
    const host = hostOf(source.replace(/^(?:registry|sparse)\+/, ''))
    if (kind === 'http') blocks(`installs ${name} from ${place} without TLS`)
    else if (kind === 'git' || kind === 'file') (asked ? notes : blocks)(`installs ${name} from ${place}`)
    else if (host !== null && !hosts.has(host))
      (asked ? notes : blocks)(`installs ${name} from ${host}, a host not used before`)
  }
  if (old !== undefined && old.integrity.length > 0) {
    if (one.integrity.length === 0) blocks(`no longer has a hash for ${name}`)
    else if (strengthOf(one) < strengthOf(old)) blocks(`has a weaker hash for ${name} than before`)
    else if (
      !old.integrity.some((hash) => one.integrity.includes(hash)) &&
      strengthOf(one) === strengthOf(old)
    ) {
      blocks(`has a different hash for ${name} than before`)
    }
  } else if (
    old === undefined &&
    hasHashes &&
    kind === 'registry' &&
    !one.isOwn &&
    one.integrity.length === 0
  ) {
    blocks(`has no hash for ${name}`)
  }
  if (one.really !== undefined) blocks(`has ${one.really} under the name ${name}, which no manifest requests`)
  const isRunning = one.hasScript && old?.hasScript !== true
  if (isRunning) (isAskedFor ? notes : blocks)(`${name} runs an install script`)
  return found
}

const STRENGTH: readonly string[] = ['md5', 'sha1', 'sha256', 'sha384', 'sha512']

/** A stronger hash differs without meaning another file. */
function strengthOf({ integrity }: LockedPackage): number {
  return Math.max(...integrity.map((hash) => STRENGTH.indexOf(/^[a-z0-9]+(?=[-:])/i.exec(hash)?.[0] ?? '')))
}

/** `github:a/b` in a manifest is `git+ssh://git@github.com/a/b.git#1234` in a lock file. */
function sharesAddress(spec: string, source: string): boolean {
  const plain = (address: string): string =>
    address
      .replace(/^(?:git\+)?(?:https?|ssh|git|file|link|path):(?:\/\/)?(?:[^@/]*@)?/i, '')
      .replace(/^github:/, 'github.com/')
      .replace(/^gitlab:/, 'gitlab.com/')
      .replace(/[#?].*$/, '')
      .replace(/\.git$/, '')
      .replace(/^codeload\.github\.com\/([^/]+\/[^/]+)\/.*$/, 'github.com/$1')
  const [one, other] = [plain(spec.replace(/["{}]/g, ' ').trim()), plain(source)]
  return one !== '' && (other === one || other.startsWith(one) || one.includes(other))
}

/** Without credentials. */
const addressOf = (source: string): string => source.replace(/\/\/[^@/]*@/, '//').slice(0, 120)

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
function hostOf(source: string): string | null {
  return /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/]*@)?([^/:?#]+)/i.exec(source)?.[1]?.toLowerCase() ?? null
}

type SourceKind = 'registry' | 'git' | 'http' | 'file' | 'other'

function kindOfSource(source: string | null): SourceKind {
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
