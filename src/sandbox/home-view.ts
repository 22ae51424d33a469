/**
 * What a process behind walls sees of the user's home: its files and folders, read-only, in a folder that it may write to and
 * that is gone with it. Sign-ins, keys and histories are not there.
 */
import { lstatSync, type Stats, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { orElse } from '../lib/or-else.ts'
import type { Walls } from '../ports/sandbox.ts'

/** Keys, sign-ins and what programs remember of the user, below the home. */
const PRIVATE: readonly string[] = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.docker',
  '.netrc',
  '.git-credentials',
  '.config/git/credentials',
  '.config/gh',
  '.config/glab-cli',
  '.config/hub',
  '.config/tea',
  '.config/gcloud',
  '.config/doctl',
  '.config/op',
  '.config/rclone',
  '.config/containers',
  '.config/sops',
  '.config/age',
  '.config/systemd',
  '.config/autostart',
  '.config/google-chrome',
  '.config/chromium',
  '.mozilla',
  '.password-store',
  '.local/share/keyrings',
  '.local/share/kwalletd',
  '.local/share/python_keyring',
  '.pypirc',
  '.config/pypoetry/auth.toml',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.bundle/config',
  '.composer/auth.json',
  '.config/composer/auth.json',
  '.m2/settings.xml',
  '.m2/settings-security.xml',
  '.gradle/gradle.properties',
  '.nuget/NuGet/NuGet.Config',
  '.terraform.d/credentials.tfrc.json',
  '.vault-token',
  '.pgpass',
  '.my.cnf',
  '.s3cfg',
  '.boto',
  '.bash_history',
  '.zsh_history',
  '.python_history',
  '.node_repl_history',
  '.psql_history',
  '.lesshst',
  '.viminfo',
]
/** Settings of package managers, which are hidden only where they hold a key. */
const WITH_KEYS: readonly (readonly [file: string, key: RegExp])[] = [
  ['.npmrc', /_auth|_password/i],
  ['.yarnrc.yml', /npmAuth/i],
  ['.config/pip/pip.conf', /:\/\/[^/\s]*@/],
  ['.config/uv/uv.toml', /:\/\/[^/\s]*@/],
]

/** Folders in which programs make folders of their own: what they hold is shown, and more may be added. */
const SHARED = new Set([
  '.cache',
  '.config',
  '.local',
  '.local/share',
  '.local/state',
  '.cargo',
  '.gradle',
  '.m2',
  'go',
])
/** Where package managers and compilers keep what they fetched or built. */
const CACHES: readonly string[] = [
  '.npm',
  '.yarn/berry/cache',
  '.cache/yarn',
  '.cache/pnpm',
  '.local/share/pnpm/store',
  '.bun/install/cache',
  '.cache/deno',
  '.cache/node-gyp',
  '.cache/pip',
  '.cache/uv',
  '.cache/pypoetry',
  '.cargo/registry',
  '.cargo/git',
  'go/pkg',
  '.cache/go-build',
  '.gradle/caches',
  '.m2/repository',
  '.nuget/packages',
  '.cache/ccache',
  '.ccache',
  '.cache/sccache',
  '.cache/composer',
]

export interface HomeView extends Pick<Walls, 'caches' | 'links'> {
  readonly home: string
  /** Shown as they are, although they are private. */
  readonly allowed: readonly string[]
  /** Further private places, absolute: the sign-ins of other agents. */
  readonly hidden: readonly string[]
}

/** The words for `bwrap`. */
export function homeView({ home, allowed, hidden, caches, links: all = [] }: HomeView): readonly string[] {
  const links = all.filter(({ at }) => dirname(at) === home)
  const within = (name: string): string => join(home, name)
  const isAllowed = (path: string): boolean =>
    allowed.some((one) => isWithin(path, one) || isWithin(one, path))
  const held = WITH_KEYS.filter(([file, key]) =>
    key.test(orElse(() => readFileSync(within(file), 'utf8'), '')),
  )
  const named = [...PRIVATE, ...held.map(([file]) => file)].map(within).concat(hidden)
  // Also where a link leads to.
  const gone = new Set(
    named
      .flatMap((path) => [withoutLinksAbove(path), orElse(() => realpathSync(path), path)])
      .filter((path) => !isAllowed(path)),
  )
  // A link may stay: where it leads to is covered.
  const left = new Set([...[...gone].filter((path) => !isLink(path)), ...links.map(({ at }) => at)])
  const own = caches === null || caches === undefined ? [] : CACHES.filter((name) => isOpen(home, name))
  return [
    ...folder({ path: home, name: '', left }),
    ...[...gone].filter((path) => !isMade(home, dirname(path))).flatMap(cover),
    ...own.flatMap((name) => ['--bind-try', join(caches ?? '', name), within(name)]),
    ...links.flatMap(({ at, to }) => ['--symlink', to, at]),
  ]
}

/** The folders of caches below `caches`, which are made before they are used. */
export const cacheFolders = (caches: string): readonly string[] => CACHES.map((name) => join(caches, name))

/** Whether the view makes a folder of its own there, from which entries are left out. */
const isMade = (home: string, path: string): boolean => {
  const name = relative(home, path)
  if (name === '') return true
  const isFolder = found(path)?.isDirectory() === true
  return SHARED.has(name) && isFolder && isMade(home, dirname(path))
}

/** Whether a mount point can be made there: it exists, or it would lie in a folder that the view makes anew. */
function isOpen(home: string, name: string): boolean {
  const [there, above] = [found(join(home, name)), dirname(name)]
  if (there !== undefined) return there.isDirectory() && (above === '.' || isOpen(home, above))
  if (above === '.') return true
  return isOpen(home, above) && (SHARED.has(above) || found(join(home, above)) === undefined)
}

/** A link as itself; undefined where there is nothing that this user may look at. */
const found = (path: string): Stats | undefined =>
  orElse(() => lstatSync(path, { throwIfNoEntry: false }), undefined)

export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)

/** A folder of its own in which everything stands that the user's has, but for what is left out. */
function folder(of: {
  readonly path: string
  readonly name: string
  readonly left: ReadonlySet<string>
}): readonly string[] {
  const names = orElse(() => readdirSync(of.path), [])
  const entries = names.filter((name) => !of.left.has(join(of.path, name)))
  return [
    '--tmpfs',
    of.path,
    ...entries.flatMap((entry) => {
      const [path, name] = [join(of.path, entry), of.name === '' ? entry : `${of.name}/${entry}`]
      const there = found(path)
      if (there?.isSymbolicLink() === true) return ['--symlink', readlinkSync(path), path]
      if (there?.isDirectory() === true && SHARED.has(name)) return folder({ path, name, left: of.left })
      return there?.isDirectory() === true || there?.isFile() === true ? ['--ro-bind-try', path, path] : []
    }),
  ]
}

export const isLink = (path: string): boolean => found(path)?.isSymbolicLink() === true

/** Where to mount what is at a path: `bwrap` follows no link above it. */
export const withoutLinksAbove = (path: string): string =>
  orElse(() => join(realpathSync(dirname(path)), basename(path)), path)

/** Covers what stands there with nothing: an empty folder, or a file that cannot be read. */
export function cover(path: string): readonly string[] {
  const there = found(path)
  if (there === undefined) return []
  if (there.isDirectory()) return ['--perms', '0555', '--tmpfs', path]
  // A link is covered where it leads to, by its own place.
  return there.isSymbolicLink() ? [] : ['--ro-bind', '/dev/null', path]
}
