/** Manifests and lock files of JavaScript, Python, Rust and Go. */
import { isMapping, mapping, text, list, type Mapping } from '../documents.ts'
import {
  lockedPackage,
  type Lock,
  type LockedPackage,
  type Unreadable,
  type Wanted,
} from './compare-locks.ts'

/** package.json, and the lock files of npm, pnpm and yarn. */

const SECTIONS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const
/** Default registries of npm and yarn. */
export const NPM_HOSTS = ['registry.npmjs.org', 'registry.yarnpkg.com'] as const

export const npmWanted = (manifest: Mapping): Wanted =>
  new Map(
    SECTIONS.flatMap((section) =>
      Object.entries(mapping(manifest[section])).map(([name, spec]) => [name, text(spec)] as const),
    ),
  )

/** Scripts that run when this package is installed. */
export function installScripts(manifest: Mapping): ReadonlyMap<string, string> {
  const scripts = mapping(manifest['scripts'])
  return new Map(
    ['preinstall', 'install', 'postinstall', 'prepare', 'preprepare', 'postprepare'].flatMap((name) =>
      typeof scripts[name] === 'string' ? [[name, text(scripts[name])] as const] : [],
    ),
  )
}

/** package-lock.json: `packages` since version 2, a tree of `dependencies` in version 1. */
export function readNpmLock(lock: Mapping): Lock | Unreadable {
  const packages = lock['packages']
  if (!isMapping(packages)) return readNpmTree(lock)
  const entries = Object.entries(packages).map(([path, own]) => [path, mapping(own)] as const)
  // The manifest or another package may require `b` as `npm:a@1`.
  const asked = new Set(
    entries.flatMap(([, own]) =>
      [...SECTIONS, 'peerDependencies'].flatMap((section) =>
        Object.entries(mapping(own[section])).map(
          ([name, spec]) => `${name} ${text(spec).replace(/^(npm:@?[^@]+)@.*$/, '$1')}`,
        ),
      ),
    ),
  )
  return {
    packages: entries.flatMap(([path, own]): readonly LockedPackage[] => {
      if (path === '') return []
      const at = path.lastIndexOf('node_modules/')
      const named = at === -1 ? path : path.slice(at + 'node_modules/'.length)
      const isOwn = at === -1 || own['link'] === true
      const real = text(own['name'])
      const isOther = real !== '' && real !== named && !isOwn && !asked.has(`${named} npm:${real}`)
      return [
        lockedPackage({
          name: named,
          ...(isOther ? { really: real } : {}),
          version: text(own['version']),
          source: text(own['resolved']),
          integrity: text(own['integrity']).split(/\s+/),
          hasScript: own['hasInstallScript'] === true,
          isOwn: isOwn || own['inBundle'] === true,
        }),
      ]
    }),
    has: (name, spec, folder) =>
      SECTIONS.some((section) => mapping(mapping(packages[folder])[section])[name] === spec),
    hasHashes: true,
    usualHosts: NPM_HOSTS,
  }
}

function readNpmTree(lock: Mapping): Lock | Unreadable {
  if (!isMapping(lock['dependencies']) && lock['lockfileVersion'] === undefined) {
    return { unreadable: 'it is not an npm lock file' }
  }
  const packages: LockedPackage[] = []
  const visit = (tree: unknown, depth: number): void => {
    for (const [name, value] of Object.entries(mapping(tree))) {
      const own = mapping(value)
      const version = text(own['version'])
      const source = /^\d/.test(version) ? text(own['resolved']) : version
      const integrity = [text(own['integrity'])]
      packages.push(lockedPackage({ name, version, source, integrity, isOwn: own['bundled'] === true }))
      if (depth < 50) visit(own['dependencies'], depth + 1)
    }
  }
  visit(lock['dependencies'], 0)
  const names = new Set(packages.map(({ name }) => name))
  return { packages, has: (name) => names.has(name), hasHashes: true, usualHosts: NPM_HOSTS }
}

/** pnpm-lock.yaml, from version 5 on. */
export function readPnpmLock(lock: Mapping): Lock {
  const importers = isMapping(lock['importers']) ? lock['importers'] : { '.': lock }
  return {
    packages: Object.entries(mapping(lock['packages'])).map(([key, value]) => {
      const own = mapping(value)
      const resolution = mapping(own['resolution'])
      const [, name = key, version = ''] = /^\/?((?:@[^/@]+\/)?[^/@]+)[@/]([^()]*)/.exec(key) ?? []
      const repository = text(resolution['repo'])
      const tarball = text(resolution['tarball']) || (repository === '' ? '' : `git+${repository}`)
      const directory = text(resolution['directory'])
      return lockedPackage({
        name,
        version,
        source: directory === '' ? tarball : `file:${directory}`,
        integrity: [text(resolution['integrity'])],
        hasScript: own['requiresBuild'] === true,
        isOwn: directory !== '' && !directory.startsWith('..'),
      })
    }),
    has: (name, spec, folder) => {
      const importer = mapping(importers[folder === '' ? '.' : folder])
      return SECTIONS.some((section) => {
        const value = mapping(importer[section])[name]
        // Up to version 5, the specifiers are in a section of their own.
        const specifier = isMapping(value) ? value['specifier'] : mapping(importer['specifiers'])[name]
        return value !== undefined && text(specifier) === spec
      })
    },
    hasHashes: true,
    usualHosts: NPM_HOSTS,
  }
}

/** yarn.lock of version 1 and later: blocks under `"name@spec", "name@other"`. */
export function readYarnLock(source: string): Lock | Unreadable {
  const isBerry = /^__metadata:/m.test(source)
  const isYarn = isBerry || /^# yarn lockfile v1/m.test(source) || /^\S.*:\s*$/m.test(source)
  if (!isYarn && source.trim() !== '') return { unreadable: 'it is not a yarn lock file' }
  const packages: LockedPackage[] = []
  const wants = new Set<string>()
  for (const block of source.split(/\n(?=\S)/)) {
    const [head = '', ...body] = block
      .split('\n')
      .filter((line) => !line.startsWith('#') && line.trim() !== '')
    if (!head.endsWith(':') || head.startsWith('__metadata')) continue
    const keys = head
      .slice(0, -1)
      .split(/,\s*/)
      .map((key) => key.trim().replace(/^"|"$/g, ''))
    for (const key of keys) wants.add(key.replace('@npm:', '@'))
    const field = (name: string): string => {
      const line = body.find((one) => new RegExp(`^ {2}"?${name}"?:? `).test(one)) ?? ''
      return line
        .trim()
        .replace(/^\S+\s+/, '')
        .replace(/^"|"$/g, '')
    }
    const resolution = field('resolution')
    const spec = resolution.slice(resolution.indexOf('@', 1) + 1)
    const isOwn = resolution.includes('@workspace:')
    packages.push(
      lockedPackage({
        name: /^(@?[^@]+)@/.exec(keys[0] ?? '')?.[1] ?? '',
        version: field('version'),
        source: isBerry ? (spec.startsWith('npm:') || isOwn ? null : spec) : field('resolved'),
        integrity: [field(isBerry ? 'checksum' : 'integrity')],
        isOwn,
      }),
    )
  }
  return {
    packages,
    has: (name, spec) =>
      wants.has(`${name}@${spec}`) ||
      wants.has(`${name}@${spec.replace(/^npm:/, '')}`) ||
      [...wants].some((want) => want.startsWith(`${name}@workspace:`)) ||
      /^(?:workspace|link|portal|file):/.test(spec),
    // Yarn 1 stored no hashes for some registries.
    hasHashes: isBerry,
    usualHosts: NPM_HOSTS,
  }
}

/** Manifests and lock files of Python, Rust and Go. */

const PYTHON_HOSTS = ['pypi.org', 'files.pythonhosted.org']

/** Python package names ignore case and the difference of `-`, `_` and `.`. */
const pythonName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-')

/** `requests[socks]>=2 ; python_version < "3.9"` */
function requirement(line: string): readonly [string, string] | null {
  const found = /^([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*(.*)$/.exec(line.trim())
  return found === null ? null : [pythonName(found[1] ?? ''), (found[2] ?? '').replace(/\s+/g, '')]
}

/** Requirements of pyproject.toml: standard fields, dependency groups and those of poetry. */
export function pyprojectWanted(root: Mapping): Wanted {
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

const hasName = (packages: readonly LockedPackage[], normal: (name: string) => string): Lock['has'] => {
  const names = new Set(packages.map(({ name }) => normal(name)))
  return (name) => names.has(normal(name))
}

/** uv.lock and poetry.lock: lists of packages. */
export function readPythonLock(root: Mapping): Lock {
  // Older versions of poetry stored hashes separately.
  const apart = mapping(mapping(root['metadata'])['files'])
  const packages = list(root['package']).map((value): LockedPackage => {
    const own = mapping(value)
    const name = text(own['name'])
    const files = [...list(own['files']), ...list(own['wheels']), own['sdist'], ...list(apart[name])].filter(
      isMapping,
    )
    const integrity = [...new Set(files.map((file) => text(file['hash'])))].sort()
    return lockedPackage({
      name,
      version: text(own['version']),
      ...sourceText(mapping(own['source']), files),
      integrity,
    })
  })
  return { packages, has: hasName(packages, pythonName), hasHashes: true, usualHosts: PYTHON_HOSTS }
}

function sourceText(source: Mapping, files: readonly Mapping[]): Pick<LockedPackage, 'source' | 'isOwn'> {
  const kind = text(source['type'])
  const own = ['virtual', 'editable', 'directory', 'path'].find((key) => typeof source[key] === 'string')
  if (own !== undefined)
    return { source: `file:${text(source[own])}`, isOwn: !text(source[own]).startsWith('..') }
  const git = text(source['git']) || (kind === 'git' ? text(source['url']) : '')
  if (git !== '') return { source: `git+${git}`, isOwn: false }
  if (kind === 'directory' || kind === 'file') return { source: `file:${text(source['url'])}`, isOwn: false }
  // File URLs are more precise than the registry's name.
  const urls = files.map((file) => text(file['url'])).filter((url) => url !== '')
  const odd = urls.find((url) => url.startsWith('http:')) ?? urls[0]
  return { source: odd ?? (text(source['registry']) || text(source['url'])), isOwn: false }
}

/** A requirements file with versions is manifest and lock in one. */
export function readRequirements(source: string): Lock {
  const lines = source
    .replace(/\\\r?\n/g, ' ')
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
  const packages = lines.flatMap((line): readonly LockedPackage[] => {
    const index = /^(?:-i|--index-url|--extra-index-url|--find-links|-f)[ =]+(\S+)/.exec(line)?.[1]
    if (index !== undefined) return [lockedPackage({ name: `(index ${index})`, version: '', source: index })]
    const url = /^(?:-e\s+)?((?:git\+|https?:|file:)\S+)/.exec(line)?.[1]
    if (url !== undefined)
      return [lockedPackage({ name: url.replace(/^.*#egg=/, ''), version: '', source: url })]
    const integrity = [...line.matchAll(/--hash[= ](\S+)/g)].map(([, hash = '']) => hash).sort()
    const read = line.startsWith('-') ? null : requirement(line.replace(/--hash.*$/, ''))
    if (read === null) return []
    const [name, version] = read
    const direct = /@((?:git\+|https?:|file:)\S+)/.exec(version)?.[1] ?? null
    return [lockedPackage({ name, version, source: direct, integrity })]
  })
  return { packages, has: () => true, hasHashes: false, usualHosts: PYTHON_HOSTS }
}

export function cargoWanted(root: Mapping): Wanted {
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

export function readCargoLock(root: Mapping): Lock {
  const packages = list(root['package']).map((value): LockedPackage => {
    const own = mapping(value)
    const source = text(own['source'])
    const integrity = [text(own['checksum'])]
    const isOwn = source === ''
    return lockedPackage({ name: text(own['name']), version: text(own['version']), source, integrity, isOwn })
  })
  const has = hasName(packages, (name) => name.replaceAll('-', '_'))
  return { packages, has, hasHashes: true, usualHosts: ['github.com', 'index.crates.io'] }
}

/** `require` of go.mod, after `replace`: module → version. A module in a local folder has no sum and is left out. */
export function goWanted(source: string): Wanted {
  const wanted = new Map<string, string>()
  const replaced: (readonly string[])[] = []
  let block = ''
  for (const raw of source.split('\n')) {
    const line = raw.replace(/\/\/.*$/, '').trim()
    const opening = /^(\w+)\s*\($/.exec(line)?.[1]
    if (opening !== undefined) block = opening
    else if (line === ')') block = ''
    else {
      const [word, ...words] = (block === '' ? line : `${block} ${line}`).split(/\s+/)
      if (word === 'require' && words[1] !== undefined) wanted.set(words[0] ?? '', words[1])
      if (word === 'replace') replaced.push(words)
    }
  }
  for (const words of replaced) {
    const [name = '', version = ''] = words.slice(words.indexOf('=>') + 1)
    if (wanted.delete(words[0] ?? '') && !name.startsWith('.')) wanted.set(name, version)
  }
  return wanted
}

/** go.sum: `module version[/go.mod] h1:hash`. */
export function readGoSum(source: string): Lock {
  const packages = source.split('\n').flatMap((line): readonly LockedPackage[] => {
    const [name, version, hash] = line.trim().split(/\s+/)
    if (name === undefined || version === undefined || hash === undefined) return []
    return [lockedPackage({ name, version, integrity: [hash] })]
  })
  const known = new Set(packages.map(({ name, version }) => `${name} ${version.replace(/\/go\.mod$/, '')}`))
  return { packages, has: (name, spec) => known.has(`${name} ${spec}`), hasHashes: true, usualHosts: [] }
}
