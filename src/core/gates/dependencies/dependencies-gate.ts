/** The dependencies gate: lock files match their manifests, and packages keep their sources and hashes. */
import type { Finding } from '../../event-schemas/evidence.ts'
import type { Verdict } from '../../event-schemas/schemas.ts'
import { folderOf, nameOf } from '../../languages/paths.ts'
import type { Change } from '../change.ts'
import type { DocumentParser } from '../contract/openapi.ts'
import { beforeFiles, type TreeFiles } from '../tree-files.ts'
import { blocking, note, verdict } from '../verdicts.ts'
import { compareLocks } from './compare-locks.ts'
import { isUnreadable, type Lock, type Unreadable, type Wanted } from './locked.ts'
import { newHosts } from './manifest-sources.ts'
import { installScripts, npmWanted, readNpmLock, readPnpmLock, readYarnLock } from './node-locks.ts'
import {
  cargoWanted,
  goWanted,
  pyprojectWanted,
  readCargoLock,
  readGoSum,
  readPythonLock,
  readRequirements,
} from './other-locks.ts'

interface System {
  readonly manifest: string
  readonly wanted: (source: string) => Wanted | Unreadable
  readonly locks: Readonly<Record<string, (source: string, parse: DocumentParser) => Lock | Unreadable>>
}

const SYSTEMS: readonly System[] = [
  {
    manifest: 'package.json',
    wanted: npmWanted,
    locks: {
      'package-lock.json': readNpmLock,
      'npm-shrinkwrap.json': readNpmLock,
      'pnpm-lock.yaml': readPnpmLock,
      'yarn.lock': readYarnLock,
    },
  },
  {
    manifest: 'pyproject.toml',
    wanted: pyprojectWanted,
    locks: { 'uv.lock': readPythonLock, 'poetry.lock': readPythonLock },
  },
  { manifest: 'Cargo.toml', wanted: cargoWanted, locks: { 'Cargo.lock': readCargoLock } },
  { manifest: 'go.mod', wanted: goWanted, locks: { 'go.sum': readGoSum } },
]
const REQUIREMENTS = /^requirements[\w.-]*\.txt$/
/** Lock files in unsupported formats. */
const UNREAD =
  /^(?:bun\.lockb?|deno\.lock|gemfile\.lock|composer\.lock|pipfile\.lock|pdm\.lock|mix\.lock|flake\.lock)$/i

export interface DependencyFacts {
  readonly change: Change
  readonly tree: TreeFiles
  readonly parseDocument: DocumentParser
}

interface Sides {
  readonly before: TreeFiles
  readonly after: TreeFiles
  readonly parse: DocumentParser
}

export function dependenciesGate({ change, tree, parseDocument }: DependencyFacts): Verdict {
  const sides: Sides = { before: beforeFiles(change, tree), after: tree, parse: parseDocument }
  const touched = change.files.map(({ path }) => path).filter((path) => !/(^|\/)node_modules\//.test(path))
  const findings: Finding[] = []
  const unreadable: Finding[] = []
  let looked = 0
  for (const path of touched) {
    const name = nameOf(path)
    const folder = folderOf(path)
    findings.push(...sourceFindings(path, change, sides))
    const system = SYSTEMS.find((one) => one.manifest === name || Object.hasOwn(one.locks, name))
    if (UNREAD.test(name)) findings.push(note('has an unsupported lock file format; review it', path))
    else if (REQUIREMENTS.test(name)) {
      looked++
      findings.push(...requirementsFindings(path, sides))
    } else if (system !== undefined) {
      looked++
      const found =
        name === system.manifest
          ? manifestFindings(system, folder, sides, touched)
          : lockFindings(system, path, sides)
      findings.push(...found.findings)
      unreadable.push(...found.unreadable)
    }
  }
  if (looked === 0 && findings.length === 0) {
    return verdict('dependencies', 'not_applicable', 'no manifest or lock file changed')
  }
  const all = [...findings, ...unreadable]
  const [first] = findings.filter(({ weight }) => weight === 'blocks')
  if (first !== undefined)
    return verdict('dependencies', 'failed', `${first.file ?? ''} ${first.text}`.trim(), { findings: all })
  const [unread] = unreadable
  if (unread !== undefined) {
    return verdict('dependencies', 'inconclusive', `${unread.file ?? ''} ${unread.text}`.trim(), {
      findings: all,
    })
  }
  const notes = findings.length === 0 ? '' : `; ${findings.length} for review`
  return verdict('dependencies', 'passed', `manifests and lock files agree${notes}`, { findings: all })
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

interface Found {
  readonly findings: readonly Finding[]
  readonly unreadable: readonly Finding[]
}

const NOTHING: Found = { findings: [], unreadable: [] }
const unread = (path: string, why: string): Found => ({
  findings: [],
  unreadable: [blocking(`could not be read: ${why}`, path)],
})

const within = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)

/** The lock file of a folder: its own, or that of a workspace above it. */
function lockFor(system: System, folder: string, files: TreeFiles): string | null {
  for (let at = folder; ; at = folderOf(at)) {
    const found = Object.keys(system.locks).find((name) => files.has(within(at, name)))
    if (found !== undefined) return within(at, found)
    if (at === '') return null
  }
}

/** Checks that the lock file has every package that the manifest requires. */
function manifestFindings(system: System, folder: string, sides: Sides, touched: readonly string[]): Found {
  const path = within(folder, system.manifest)
  const source = sides.after.text(path)
  if (source === null) return sides.after.has(path) ? unread(path, 'it is not text') : NOTHING
  const wanted = system.wanted(source)
  if (isUnreadable(wanted)) return unread(path, wanted.unreadable)
  const lockPath = lockFor(system, folder, sides.after)
  const gone = lockPath === null ? lockFor(system, folder, sides.before) : null
  if (gone !== null) {
    return { findings: [blocking('was removed, but its manifest still exists', gone)], unreadable: [] }
  }
  const scripts = system.manifest === 'package.json' ? scriptFindings(path, source, sides) : []
  if (lockPath === null) return { findings: scripts, unreadable: [] }
  const text = sides.after.text(lockPath)
  const read = text === null ? { unreadable: 'it is not text' } : lockOf(system, lockPath, text, sides.parse)
  if (isUnreadable(read)) return { ...unread(lockPath, read.unreadable), findings: scripts }
  const lockFolder = folderOf(lockPath)
  const relative = lockFolder === '' ? folder : folder.slice(lockFolder.length + 1)
  const missing = read.missing(wanted, folder === lockFolder ? '' : relative)
  if (missing.length === 0) return { findings: scripts, unreadable: [] }
  const asks = missing.slice(0, 5).join(', ')
  const also = touched.includes(lockPath) ? '' : ' (which did not change)'
  const problem = `requires ${asks}${missing.length > 5 ? ` and ${missing.length - 5} more` : ''}, which ${lockPath} lacks${also}`
  return { findings: [...scripts, blocking(problem, path)], unreadable: [] }
}

const lockOf = (system: System, path: string, text: string, parse: DocumentParser): Lock | Unreadable =>
  system.locks[nameOf(path)]?.(text, parse) ?? { unreadable: 'unsupported format' }

/** New or changed install scripts. */
function scriptFindings(path: string, source: string, sides: Sides): readonly Finding[] {
  const before = installScripts(sides.before.text(path) ?? '{}')
  return [...installScripts(source)]
    .filter(([name, script]) => before.get(name) !== script)
    .map(([name, script]) => note(`runs \`${script.slice(0, 120)}\` on ${name}; review it`, path))
}

/** Compares a lock file with its earlier version. */
function lockFindings(system: System, path: string, sides: Sides): Found {
  const [old, now] = [sides.before.text(path), sides.after.text(path)]
  const manifest = within(folderOf(path), system.manifest)
  if (now === null) {
    if (sides.after.has(path)) return unread(path, 'it is not text')
    return sides.after.has(manifest) && lockFor(system, folderOf(path), sides.after) === null
      ? { findings: [blocking('was removed, but its manifest still exists', path)], unreadable: [] }
      : NOTHING
  }
  const after = lockOf(system, path, now, sides.parse)
  if (isUnreadable(after)) return unread(path, after.unreadable)
  const before = old === null ? null : lockOf(system, path, old, sides.parse)
  const wanted = wantedAround(system, path, sides.after)
  const wantedBefore = wantedAround(system, path, sides.before)
  const isAskedFor = !sameWanted(wanted, wantedBefore)
  const known = before === null || isUnreadable(before) ? null : before
  return { findings: compareLocks({ path, before: known, after, wanted, isAskedFor }), unreadable: [] }
}

/** The requirements of the manifest beside a lock file, without workspaces. */
function wantedAround(system: System, lockPath: string, files: TreeFiles): Wanted {
  const source = files.text(within(folderOf(lockPath), system.manifest))
  const wanted = source === null ? new Map<string, string>() : system.wanted(source)
  return isUnreadable(wanted) ? new Map<string, string>() : wanted
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
