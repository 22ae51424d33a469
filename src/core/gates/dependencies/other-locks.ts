/** Manifests and lock files of Python, Rust and Go. */
import {
  isMapping,
  isUnreadable,
  list,
  mapping,
  text,
  type Lock,
  type LockedPackage,
  type Mapping,
  type Unreadable,
  type Wanted,
} from './locked.ts'
import { tomlOf } from './toml.ts'

const PYTHON_HOSTS = ['pypi.org', 'files.pythonhosted.org']

/** Python package names ignore case and the difference of `-`, `_` and `.`. */
const pythonName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-')

/** `requests[socks]>=2 ; python_version < "3.9"` */
function requirement(line: string): readonly [string, string] | null {
  const found = /^([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*(.*)$/.exec(line.trim())
  return found === null ? null : [pythonName(found[1] ?? ''), (found[2] ?? '').replace(/\s+/g, '')]
}

/** Requirements of pyproject.toml: standard fields, dependency groups and those of poetry. */
export function pyprojectWanted(source: string): Wanted | Unreadable {
  const root = tomlOf(source)
  if (isUnreadable(root)) return root
  const project = mapping(root['project'])
  const lines = [
    ...list(project['dependencies']),
    ...Object.values(mapping(project['optional-dependencies'])).flatMap(list),
    ...Object.values(mapping(root['dependency-groups'])).flatMap(list),
    ...list(mapping(mapping(root['tool'])['uv'])['dev-dependencies']),
  ]
  const wanted = new Map<string, string>()
  for (const line of lines) {
    const read = typeof line === 'string' ? requirement(line) : null
    if (read !== null) wanted.set(read[0], read[1])
  }
  const poetry = mapping(mapping(root['tool'])['poetry'])
  const groups = Object.values(mapping(poetry['group'])).map((group) =>
    mapping(mapping(group)['dependencies']),
  )
  for (const section of [mapping(poetry['dependencies']), mapping(poetry['dev-dependencies']), ...groups]) {
    for (const [name, spec] of Object.entries(section)) {
      if (name !== 'python')
        wanted.set(pythonName(name), typeof spec === 'string' ? spec : JSON.stringify(spec))
    }
  }
  return wanted
}

const byName = (packages: readonly LockedPackage[], normal: (name: string) => string): Lock['missing'] => {
  const names = new Set(packages.map(({ name }) => normal(name)))
  return (wanted) =>
    [...wanted].flatMap(([name, spec]) => (names.has(normal(name)) ? [] : [`${name} ${spec}`.trim()]))
}

/** uv.lock and poetry.lock: lists of packages. */
export function readPythonLock(source: string): Lock | Unreadable {
  const root = tomlOf(source)
  if (isUnreadable(root)) return root
  // Older versions of poetry stored hashes separately.
  const apart = mapping(mapping(root['metadata'])['files'])
  const packages = list(root['package']).map((value): LockedPackage => {
    const own = mapping(value)
    const name = text(own['name'])
    const files = [...list(own['files']), ...list(own['wheels']), own['sdist'], ...list(apart[name])].filter(
      isMapping,
    )
    const from = sourceText(mapping(own['source']), files)
    return {
      name,
      version: text(own['version']),
      source: from.source,
      integrity: [...new Set(files.map((file) => text(file['hash'])).filter((hash) => hash !== ''))].sort(),
      hasScript: false,
      isOwn: from.isOwn,
    }
  })
  return { packages, missing: byName(packages, pythonName), hasHashes: true, usualHosts: PYTHON_HOSTS }
}

function sourceText(
  source: Mapping,
  files: readonly Mapping[],
): { readonly source: string | null; readonly isOwn: boolean } {
  const kind = text(source['type'])
  const own = ['virtual', 'editable', 'directory', 'path'].find((key) => typeof source[key] === 'string')
  if (own !== undefined)
    return { source: `file:${text(source[own])}`, isOwn: !text(source[own]).startsWith('..') }
  const git = text(source['git']) || (kind === 'git' ? text(source['url']) : '')
  if (git !== '') return { source: `git+${git}`, isOwn: false }
  if (kind === 'directory' || kind === 'file') return { source: `file:${text(source['url'])}`, isOwn: false }
  // File URLs are more precise than the registry's name.
  const urls = files.map((file) => text(file['url'])).filter((url) => url !== '')
  const [first] = urls
  const odd = urls.find((url) => url.startsWith('http:')) ?? first
  const registry = text(source['registry']) || text(source['url'])
  return { source: odd ?? (registry === '' ? null : registry), isOwn: false }
}

/** A requirements file with versions is manifest and lock in one. */
export function readRequirements(source: string): Lock {
  const lines = source
    .replace(/\\\r?\n/g, ' ')
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
  const packages = lines.flatMap((line): readonly LockedPackage[] => {
    const index = /^(?:-i|--index-url|--extra-index-url|--find-links|-f)[ =]+(\S+)/.exec(line)?.[1]
    if (index !== undefined) return [requirementFrom(`(index ${index})`, '', index, [])]
    const url = /^(?:-e\s+)?((?:git\+|https?:|file:)\S+)/.exec(line)?.[1]
    if (url !== undefined) return [requirementFrom(url.replace(/^.*#egg=/, ''), '', url, [])]
    const hashes = [...line.matchAll(/--hash[= ](\S+)/g)].map((match) => match[1] ?? '').sort()
    const read = line.startsWith('-') ? null : requirement(line.replace(/--hash.*$/, ''))
    if (read === null) return []
    const direct = /@((?:git\+|https?:|file:)\S+)/.exec(read[1])?.[1] ?? null
    return [requirementFrom(read[0], read[1], direct, hashes)]
  })
  return { packages, missing: () => [], hasHashes: false, usualHosts: PYTHON_HOSTS }
}

function requirementFrom(
  name: string,
  version: string,
  source: string | null,
  integrity: readonly string[],
): LockedPackage {
  return { name, version, source, integrity, hasScript: false, isOwn: false }
}

export function cargoWanted(source: string): Wanted | Unreadable {
  const root = tomlOf(source)
  if (isUnreadable(root)) return root
  const wanted = new Map<string, string>()
  const targets = Object.values(mapping(root['target'])).map(mapping)
  for (const table of [root, ...targets, mapping(root['workspace'])]) {
    for (const section of ['dependencies', 'dev-dependencies', 'build-dependencies']) {
      for (const [name, spec] of Object.entries(mapping(table[section]))) {
        const renamed = isMapping(spec) ? text(spec['package']) : ''
        wanted.set(renamed === '' ? name : renamed, typeof spec === 'string' ? spec : JSON.stringify(spec))
      }
    }
  }
  return wanted
}

export function readCargoLock(source: string): Lock | Unreadable {
  const root = tomlOf(source)
  if (isUnreadable(root)) return root
  const packages = list(root['package']).map((value): LockedPackage => {
    const own = mapping(value)
    const from = text(own['source'])
    return {
      name: text(own['name']),
      version: text(own['version']),
      source: from === '' ? null : from,
      integrity: text(own['checksum']) === '' ? [] : [text(own['checksum'])],
      hasScript: false,
      isOwn: from === '',
    }
  })
  const missing = byName(packages, (name) => name.replaceAll('-', '_'))
  return { packages, missing, hasHashes: true, usualHosts: ['github.com', 'index.crates.io'] }
}

/** `require` and `replace` of go.mod: module → version. */
export function goWanted(source: string): Wanted {
  const wanted = new Map<string, string>()
  let block = ''
  for (const raw of source.split('\n')) {
    const line = raw.replace(/\/\/.*$/, '').trim()
    const opening = /^(\w+)\s*\($/.exec(line)?.[1]
    if (opening !== undefined) block = opening
    else if (line === ')') block = ''
    else {
      const words = (block === '' ? line : `${block} ${line}`).split(/\s+/)
      if (words[0] === 'require' && words[2] !== undefined) wanted.set(words[1] ?? '', words[2])
      if (words[0] === 'replace') {
        const arrow = words.indexOf('=>')
        wanted.set(`replace ${words[1] ?? ''}`, words.slice(arrow + 1).join(' '))
      }
    }
  }
  return wanted
}

/** go.sum: `module version[/go.mod] h1:hash`. */
export function readGoSum(source: string): Lock {
  const packages = source.split('\n').flatMap((line): readonly LockedPackage[] => {
    const [name, version, hash] = line.trim().split(/\s+/)
    if (name === undefined || version === undefined || hash === undefined) return []
    return [{ name, version, source: null, integrity: [hash], hasScript: false, isOwn: false }]
  })
  const known = new Set(packages.map(({ name, version }) => `${name} ${version.replace(/\/go\.mod$/, '')}`))
  return {
    packages,
    missing: (wanted) =>
      [...wanted].flatMap(([name, version]) => {
        // A module replaced by a local folder has no sum.
        if (name.startsWith('replace ')) return []
        const replaced = wanted.get(`replace ${name}`)
        if (replaced !== undefined) return replaced.startsWith('.') || known.has(replaced) ? [] : [replaced]
        return known.has(`${name} ${version}`) ? [] : [`${name} ${version}`]
      }),
    hasHashes: true,
    usualHosts: [],
  }
}
