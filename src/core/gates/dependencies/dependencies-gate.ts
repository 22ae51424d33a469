/** The dependencies gate: lock files match their manifests, and packages keep their sources and hashes. */
import type { Finding } from '../../event-schemas/evidence.ts'
import type { Verdict } from '../../event-schemas/schemas.ts'
import { folderOf, inFolder, isLockPath, nameOf } from '../../languages/paths.ts'
import { beforeFiles, type Change, type TreeFiles } from '../change.ts'
import { jsonObject, mapping, type DocumentParser, type Mapping } from '../documents.ts'
import { blocking, note, verdict } from '../verdicts.ts'
import {
  compareLocks,
  isUnreadable,
  jsonOf,
  tomlOf,
  type Lock,
  type Unreadable,
  type Wanted,
} from './compare-locks.ts'
import {
  installScripts,
  npmWanted,
  readNpmLock,
  readPnpmLock,
  readYarnLock,
  cargoWanted,
  goWanted,
  pyprojectWanted,
  readCargoLock,
  readGoSum,
  readPythonLock,
  readRequirements,
} from './lock-readers.ts'

type Reader<T> = (source: string, parse: DocumentParser) => T | Unreadable

interface System {
  readonly manifest: string
  readonly wanted: Reader<Wanted>
  readonly locks: Readonly<Record<string, Reader<Lock>>>
}

/** Reads a document that is parsed first. */
const from =
  <T>(form: Reader<Mapping>, read: (root: Mapping) => T | Unreadable): Reader<T> =>
  (source, parse) => {
    const root = form(source, parse)
    return isUnreadable(root) ? root : read(root)
  }

const yamlOf: Reader<Mapping> = (source, parse) => {
  const { value, errors } = parse(source)
  const [error] = errors
  return error === undefined ? mapping(value) : { unreadable: `line ${error.line}: ${error.message}` }
}

const SYSTEMS: readonly System[] = [
  {
    manifest: 'package.json',
    wanted: from(jsonOf, npmWanted),
    locks: {
      'package-lock.json': from(jsonOf, readNpmLock),
      'npm-shrinkwrap.json': from(jsonOf, readNpmLock),
      'pnpm-lock.yaml': from(yamlOf, readPnpmLock),
      'yarn.lock': readYarnLock,
    },
  },
  {
    manifest: 'pyproject.toml',
    wanted: from(tomlOf, pyprojectWanted),
    locks: { 'uv.lock': from(tomlOf, readPythonLock), 'poetry.lock': from(tomlOf, readPythonLock) },
  },
  {
    manifest: 'Cargo.toml',
    wanted: from(tomlOf, cargoWanted),
    locks: { 'Cargo.lock': from(tomlOf, readCargoLock) },
  },
  { manifest: 'go.mod', wanted: goWanted, locks: { 'go.sum': readGoSum } },
]
const REQUIREMENTS = /^requirements[\w.-]*\.txt$/

export interface DependencyFacts {
  readonly change: Change
  readonly tree: TreeFiles
  readonly parseDocument: DocumentParser
}

interface Sides {
  readonly before: TreeFiles
  readonly after: TreeFiles
  readonly parse: DocumentParser
  /** Collects the files that cannot be read. */
  readonly unreadable: Finding[]
}

export function dependenciesGate({ change, tree, parseDocument }: DependencyFacts): Verdict {
  const unreadable: Finding[] = []
  const sides: Sides = { before: beforeFiles(change, tree), after: tree, parse: parseDocument, unreadable }
  const touched = change.files.map(({ path }) => path).filter((path) => !/(^|\/)node_modules\//.test(path))
  const findings: Finding[] = []
  let looked = 0
  for (const path of touched) {
    const name = nameOf(path)
    findings.push(...sourceFindings(path, change, sides))
    const system = SYSTEMS.find((one) => one.manifest === name || Object.hasOwn(one.locks, name))
    if (system === undefined && isLockPath(name))
      findings.push(note('has an unsupported lock file format; review it', path))
    else if (REQUIREMENTS.test(name)) {
      looked++
      findings.push(...requirementsFindings(path, sides))
    } else if (system !== undefined) {
      looked++
      findings.push(
        ...(name === system.manifest
          ? manifestFindings(system, folderOf(path), sides, touched)
          : lockFindings(system, path, sides)),
      )
    }
  }
  if (looked === 0 && findings.length === 0) {
    return verdict('dependencies', 'not_applicable', 'no manifest or lock file changed')
  }
  const all = { findings: [...findings, ...unreadable] }
  const place = ({ file, text }: Finding): string => `${file ?? ''} ${text}`.trim()
  const first = findings.find(({ weight }) => weight === 'blocks')
  if (first !== undefined) return verdict('dependencies', 'failed', place(first), all)
  const [unread] = unreadable
  if (unread !== undefined) return verdict('dependencies', 'inconclusive', place(unread), all)
  const notes = findings.length === 0 ? '' : `; ${findings.length} for review`
  return verdict('dependencies', 'passed', `manifests and lock files agree${notes}`, all)
}

/** New package sources need a person's approval. */
function sourceFindings(path: string, change: Change, { before }: Sides): readonly Finding[] {
  const name = nameOf(path)
  if (!REQUIREMENTS.test(name) && !SYSTEMS.some(({ manifest }) => manifest === name)) return []
  const added = change.files.find((file) => file.path === path)?.added.map(({ text }) => text) ?? []
  return newHosts(name, { before: before.text(path), added }).map((host) =>
    blocking(`installs a package from ${host}, a host not used before`, path),
  )
}

/** The lock file of a folder: its own, or that of a workspace above it. */
function lockFor(system: System, folder: string, files: TreeFiles): string | null {
  for (let at = folder; ; at = folderOf(at)) {
    const found = Object.keys(system.locks).find((name) => files.has(inFolder(at, name)))
    if (found !== undefined) return inFolder(at, found)
    if (at === '') return null
  }
}

/** Checks that the lock file has every package that the manifest requires. */
function manifestFindings(
  system: System,
  folder: string,
  sides: Sides,
  touched: readonly string[],
): readonly Finding[] {
  const path = inFolder(folder, system.manifest)
  const wanted = readFile(path, system.wanted, sides)
  if (wanted === null) return []
  const lockPath = lockFor(system, folder, sides.after)
  const gone = lockPath === null ? lockFor(system, folder, sides.before) : null
  if (gone !== null) return [removedLock(gone)]
  const scripts = system.manifest === 'package.json' ? scriptFindings(path, sides) : []
  const lock = lockPath === null ? null : readFile(lockPath, lockReader(system, lockPath), sides)
  if (lockPath === null || lock === null) return scripts
  const lockFolder = folderOf(lockPath)
  const relative = lockFolder === '' ? folder : folder.slice(lockFolder.length + 1)
  const missing = [...wanted]
    .filter(([name, spec]) => !lock.has(name, spec, relative))
    .map((requirement) => requirement.join(' ').trim())
  if (missing.length === 0) return scripts
  const asks = missing.slice(0, 5).join(', ')
  const also = touched.includes(lockPath) ? '' : ' (which did not change)'
  const problem = `requires ${asks}${missing.length > 5 ? ` and ${missing.length - 5} more` : ''}, which ${lockPath} lacks${also}`
  return [...scripts, blocking(problem, path)]
}

const lockReader = ({ locks }: System, path: string): Reader<Lock> =>
  locks[nameOf(path)] ?? (() => ({ unreadable: 'unsupported format' }))

const removedLock = (path: string): Finding => blocking('was removed, but its manifest still exists', path)

/** A file of the work; null if it does not exist or cannot be read. */
function readFile<T extends object>(path: string, reader: Reader<T>, sides: Sides): T | null {
  const source = sides.after.text(path)
  if (source === null && !sides.after.has(path)) return null
  const read = source === null ? { unreadable: 'it is not text' } : reader(source, sides.parse)
  if (!isUnreadable(read)) return read
  sides.unreadable.push(blocking(`could not be read: ${read.unreadable}`, path))
  return null
}

/** New or changed install scripts. */
function scriptFindings(path: string, { before, after }: Sides): readonly Finding[] {
  const [old, now] = [before, after].map((side) => installScripts(jsonObject(side.text(path) ?? '') ?? {}))
  return [...(now ?? [])]
    .filter(([name, script]) => old?.get(name) !== script)
    .map(([name, script]) => note(`runs \`${script.slice(0, 120)}\` on ${name}; review it`, path))
}

/** Compares a lock file with its earlier version. */
function lockFindings(system: System, path: string, sides: Sides): readonly Finding[] {
  const manifest = inFolder(folderOf(path), system.manifest)
  const isNeeded = sides.after.has(manifest) && lockFor(system, folderOf(path), sides.after) === null
  if (!sides.after.has(path)) return isNeeded ? [removedLock(path)] : []
  const reader = lockReader(system, path)
  const after = readFile(path, reader, sides)
  if (after === null) return []
  /** Null on a side that has no readable file of this name. */
  const readOn = <T extends object>(files: TreeFiles, name: string, read: Reader<T>): T | null => {
    const source = files.text(name)
    const found = source === null ? null : read(source, sides.parse)
    return found === null || isUnreadable(found) ? null : found
  }
  const before = readOn(sides.before, path, reader)
  const wanted = readOn(sides.after, manifest, system.wanted) ?? new Map<string, string>()
  const wantedBefore = readOn(sides.before, manifest, system.wanted) ?? new Map<string, string>()
  return compareLocks({ path, before, after, wanted, isAskedFor: !sameWanted(wanted, wantedBefore) })
}

function sameWanted(one: Wanted, other: Wanted): boolean {
  return one.size === other.size && [...one].every(([name, spec]) => other.get(name) === spec)
}

function requirementsFindings(path: string, sides: Sides): readonly Finding[] {
  const [old, now] = [sides.before.text(path), sides.after.text(path)]
  if (now === null) return []
  const after = readRequirements(now)
  const wanted = new Map(after.packages.map(({ name, version }) => [name, version] as const))
  const before = old === null ? null : readRequirements(old)
  return compareLocks({ path, before, after, wanted, isAskedFor: true })
}

/** A scheme and a host, `git@host:`, or a short form such as `github:`. */
const ADDRESS =
  /(?:\b(?:git\+)?(?:https?|ssh|git|ftp):\/\/(?:[^\s/@"']*@)?([\w.-]+)|\bgit@([\w.-]+):|\b(github|gitlab|bitbucket|gist):[\w.-]+\/|\b(file):[^\s"']+)/gi
/** Lines with addresses that nothing is installed from. */
const METADATA =
  /^\s*"?(?:homepage|repository|bugs|url|documentation|funding|author|license|changelog|source)\b"?\s*[:=]|^\s*(?:#|\/\/)/i

/** Hosts in the added lines that the earlier text does not contain. */
export function newHosts(
  name: string,
  { before, added }: { readonly before: string | null; readonly added: readonly string[] },
): readonly string[] {
  const known = new Set(hostsIn(before ?? ''))
  const ignored = /^(package\.json|pyproject\.toml|Cargo\.toml)$/.test(name) ? METADATA : /^\s*#/
  const hosts = added.filter((line) => !ignored.test(line)).flatMap(hostsIn)
  return [...new Set(hosts)].filter((host) => !known.has(host))
}

function hostsIn(text: string): readonly string[] {
  return [...text.matchAll(ADDRESS)].map((found) =>
    (found[1] ?? found[2] ?? found[3] ?? found[4] ?? '').toLowerCase(),
  )
}
