/** package.json, and the lock files of npm, pnpm and yarn. */
import type { DocumentParser } from '../contract/openapi.ts'
import {
  isMapping,
  isUnreadable,
  jsonOf,
  mapping,
  text,
  type Lock,
  type LockedPackage,
  type Mapping,
  type Unreadable,
  type Wanted,
} from './locked.ts'

const SECTIONS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const
/** Default registries of npm and yarn. */
export const NPM_HOSTS = ['registry.npmjs.org', 'registry.yarnpkg.com'] as const

export function npmWanted(source: string): Wanted | Unreadable {
  const manifest = jsonOf(source)
  if (isUnreadable(manifest)) return manifest
  return wantedIn(manifest)
}

function wantedIn(manifest: Mapping): Wanted {
  return new Map(
    SECTIONS.flatMap((section) =>
      Object.entries(mapping(manifest[section])).map(([name, spec]) => [name, text(spec)] as const),
    ),
  )
}

/** Scripts that run when this package is installed. */
export function installScripts(source: string): ReadonlyMap<string, string> {
  const manifest = jsonOf(source)
  if (isUnreadable(manifest)) return new Map()
  const scripts = mapping(manifest['scripts'])
  return new Map(
    ['preinstall', 'install', 'postinstall', 'prepare', 'preprepare', 'postprepare'].flatMap((name) =>
      typeof scripts[name] === 'string' ? [[name, text(scripts[name])] as const] : [],
    ),
  )
}

/** package-lock.json: `packages` since version 2, a tree of `dependencies` in version 1. */
export function readNpmLock(source: string): Lock | Unreadable {
  const lock = jsonOf(source)
  if (isUnreadable(lock)) return lock
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
        {
          name: named,
          ...(isOther ? { really: real } : {}),
          version: text(own['version']),
          source: text(own['resolved']) === '' ? null : text(own['resolved']),
          integrity: text(own['integrity'])
            .split(/\s+/)
            .filter((one) => one !== ''),
          hasScript: own['hasInstallScript'] === true,
          isOwn: isOwn || own['inBundle'] === true,
        },
      ]
    }),
    missing: (wanted, folder) => {
      const root = packages[folder]
      const fixed = isMapping(root) ? wantedIn(root) : new Map<string, string>()
      return [...wanted].flatMap(([name, spec]) => (fixed.get(name) === spec ? [] : [`${name} ${spec}`]))
    },
    hasHashes: true,
    usualHosts: NPM_HOSTS,
  }
}

function readNpmTree(lock: Mapping): Lock | Unreadable {
  if (!isMapping(lock['dependencies']) && lock['lockfileVersion'] === undefined) {
    return { unreadable: 'it is not an npm lock file' }
  }
  const found: LockedPackage[] = []
  const visit = (tree: unknown, depth: number): void => {
    for (const [name, value] of Object.entries(mapping(tree))) {
      const own = mapping(value)
      const version = text(own['version'])
      const isPlain = /^\d/.test(version)
      found.push({
        name,
        version,
        source: isPlain ? text(own['resolved']) || null : version,
        integrity: text(own['integrity']) === '' ? [] : [text(own['integrity'])],
        hasScript: false,
        isOwn: own['bundled'] === true,
      })
      if (depth < 50) visit(own['dependencies'], depth + 1)
    }
  }
  visit(lock['dependencies'], 0)
  const names = new Set(found.map(({ name }) => name))
  return {
    packages: found,
    missing: (wanted) => [...wanted].flatMap(([name, spec]) => (names.has(name) ? [] : [`${name} ${spec}`])),
    hasHashes: true,
    usualHosts: NPM_HOSTS,
  }
}

/** pnpm-lock.yaml, from version 5 on. */
export function readPnpmLock(source: string, parse: DocumentParser): Lock | Unreadable {
  const parsed = parse(source)
  const [error] = parsed.errors
  if (error !== undefined) return { unreadable: `line ${error.line}: ${error.message}` }
  const lock = mapping(parsed.value)
  const importers = isMapping(lock['importers']) ? lock['importers'] : { '.': lock }
  const entries = Object.entries(mapping(lock['packages']))
  return {
    packages: entries.map(([key, value]): LockedPackage => {
      const own = mapping(value)
      const resolution = mapping(own['resolution'])
      const [, name = key, version = ''] = /^\/?((?:@[^/@]+\/)?[^/@]+)[@/]([^()]*)/.exec(key) ?? []
      const repository = text(resolution['repo'])
      const tarball = text(resolution['tarball']) || (repository === '' ? '' : `git+${repository}`)
      const directory = text(resolution['directory'])
      return {
        name,
        version,
        source: directory === '' ? tarball || null : `file:${directory}`,
        integrity: text(resolution['integrity']) === '' ? [] : [text(resolution['integrity'])],
        hasScript: own['requiresBuild'] === true,
        isOwn: directory !== '' && !directory.startsWith('..'),
      }
    }),
    missing: (wanted, folder) => {
      const importer = mapping(importers[folder === '' ? '.' : folder])
      const specifiers = mapping(importer['specifiers'])
      const fixed = new Map<string, string>()
      for (const section of SECTIONS) {
        for (const [name, value] of Object.entries(mapping(importer[section]))) {
          fixed.set(name, isMapping(value) ? text(value['specifier']) : text(specifiers[name]))
        }
      }
      return [...wanted].flatMap(([name, spec]) => (fixed.get(name) === spec ? [] : [`${name} ${spec}`]))
    },
    hasHashes: true,
    usualHosts: NPM_HOSTS,
  }
}

/** yarn.lock of version 1 and later: blocks under `"name@spec", "name@other"`. */
export function readYarnLock(source: string): Lock | Unreadable {
  const isBerry = /^__metadata:/m.test(source)
  if (
    !isBerry &&
    source.trim() !== '' &&
    !/^# yarn lockfile v1/m.test(source) &&
    !/^\S.*:\s*$/m.test(source)
  ) {
    return { unreadable: 'it is not a yarn lock file' }
  }
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
    for (const key of keys) for (const one of key.split(', ')) wants.add(one.replace('@npm:', '@'))
    const field = (name: string): string => {
      const line = body.find((one) => new RegExp(`^ {2}"?${name}"?:? `).test(one)) ?? ''
      return line
        .trim()
        .replace(/^\S+\s+/, '')
        .replace(/^"|"$/g, '')
    }
    const name = /^(@?[^@]+)@/.exec(keys[0] ?? '')?.[1] ?? ''
    const resolution = field('resolution')
    const version = field('version')
    const spec = resolution.slice(resolution.indexOf('@', 1) + 1)
    const isWorkspace = resolution.includes('@workspace:')
    const source_ = isBerry ? (spec.startsWith('npm:') || isWorkspace ? null : spec) : field('resolved')
    packages.push({
      name,
      version,
      source: source_ === '' ? null : source_,
      integrity: [isBerry ? field('checksum') : field('integrity')].filter((one) => one !== ''),
      hasScript: false,
      isOwn: isWorkspace,
    })
  }
  return {
    packages,
    missing: (wanted) =>
      [...wanted].flatMap(([name, spec]) => {
        const plain = spec.replace(/^npm:/, '')
        const isThere =
          wants.has(`${name}@${spec}`) || wants.has(`${name}@${plain}`) || isOfWorkspace(wants, name)
        return isThere || /^(?:workspace|link|portal|file):/.test(spec) ? [] : [`${name} ${spec}`]
      }),
    // Yarn 1 stored no hashes for some registries.
    hasHashes: isBerry,
    usualHosts: NPM_HOSTS,
  }
}

const isOfWorkspace = (wants: ReadonlySet<string>, name: string): boolean =>
  [...wants].some((want) => want.startsWith(`${name}@workspace:`))
