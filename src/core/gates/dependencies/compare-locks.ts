/** Finds packages of a lock file that are new or different, and judges whether they can be trusted. */
import type { Finding } from '../../event-schemas/evidence.ts'
import { blocking, note } from '../verdicts.ts'
import { hostOf, kindOfSource, type Lock, type LockedPackage, type Wanted } from './locked.ts'

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
