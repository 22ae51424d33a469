/** package.json, and the lock files of npm, pnpm and yarn. */
import { isMapping, mapping, text, type Mapping } from '../documents.ts'
import { lockedPackage, type Lock, type LockedPackage, type Unreadable, type Wanted } from './locked.ts'

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
