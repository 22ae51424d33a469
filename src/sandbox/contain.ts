/**
 * Walls of Linux by `bwrap`: a file system of its own that is read-only but for a few folders, no capabilities, and the process
 * namespace that every command of Bosun has already. docs/sandbox.md says what they keep out.
 */
import { realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { orElse } from '../lib/or-else.ts'
import { PACKAGE_ROOT } from '../lib/system/package-root.ts'
import type { Sandbox, Walls } from '../ports/sandbox.ts'
import { cover, homeView, isLink, isWithin, withoutLinksAbove } from './home-view.ts'

export interface ContainPlace {
  /** Where `bwrap` is. */
  readonly program: string
  /** The state root, hidden but for what the walls name. */
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The paths of `sandbox.allow`, absolute; one that ends with `:rw` may be written. */
  readonly allow: readonly string[]
  /** Private places besides those that are always private. */
  readonly hidden: readonly string[]
  readonly nests: boolean
}

/** Folders that every command gets empty and to itself. */
const OWN = ['/tmp', '/var/tmp', '/run']
/** Sockets and jobs by which another program could be asked to act as the user, outside of `/run`. */
const SOCKETS = ['/var/run', '/var/spool/cron', '/var/spool/at', '/var/lib/docker', '/var/lib/containerd']
const words = (text: string): readonly string[] => text.split(' ')
/** Without any capability: with them, root could take the walls down. */
const OPTIONS = words('--die-with-parent --unshare-user-try --unshare-ipc --cap-drop ALL')
/** Everything, with devices of its own; root writes to these files of the kernel without any capability. */
const READ_ONLY = words(
  '--ro-bind / / --dev /dev --bind /proc /proc --ro-bind /proc/sys /proc/sys --ro-bind-try /proc/sysrq-trigger /proc/sysrq-trigger',
)
/** Bosun's own, which serve the tools of a worker: a checkout may lie in a temporary folder. */
const PROGRAMS = [PACKAGE_ROOT, dirname(process.execPath)]
/** In `/run`, but needed to look up names, or to find programs. */
const KEPT_IN_RUN = ['/run/current-system', '/run/opengl-driver']

export const contain = (place: ContainPlace): Sandbox => ({
  mode: 'contain',
  why: null,
  nests: place.nests,
  wall: (walls) => wall(place, walls),
})

function wall({ program, root, env, allow, hidden }: ContainPlace, walls: Walls): readonly string[] {
  const [home, hiddenRoot] = [realOrNull(env['HOME']), realOrNull(root)]
  const [written, read] = [allow.filter(isWritten).map(withoutMode), allow.filter((one) => !isWritten(one))]
  const own = [...OWN, env['TMPDIR'] ?? '/tmp'].flatMap((path) => realOrNull(path) ?? [])
  const covered = [...own, root]
  // A folder around the home or the state root is not shown, whatever it is: with it they would be. What is allowed stays so.
  const isHidden = (path: string): boolean =>
    ![home, root].some((one) => one !== null && isWithin(one, path)) &&
    (isWithin(path, root) ||
      ([...own, ...(home === null ? [] : [home])].some((one) => isWithin(path, one)) &&
        !written.some((one) => isWithin(path, one))))
  // A program may lie in a temporary folder, and be on the PATH.
  const onPath = (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => covered.some((one) => isWithin(folder, one)))
  const kept = [realOrNull('/etc/resolv.conf'), ...KEPT_IN_RUN].filter(
    (path) => path !== null && isWithin(path, '/run'),
  )
  const homes = [home, realOrNull(walls.home)].filter((one) => one !== null && one !== '/')
  const view = [...new Set(homes)].flatMap((one) =>
    homeView({ ...walls, home: one ?? '', allowed: [...read, ...written], hidden }),
  )
  return [
    program,
    ...OPTIONS,
    ...(walls.network === 'none' ? ['--unshare-net'] : []),
    ...READ_ONLY,
    ...[...new Set(own)].flatMap((path) => ['--tmpfs', path]),
    ...kept.flatMap((path) => shown(path ?? '')),
    ...SOCKETS.flatMap(cover),
    ...view,
    ...read.map(real).flatMap(device),
    ...written.map(real).flatMap(writable),
    // After what is allowed: nothing allows the state root.
    ...(hiddenRoot === null ? [] : ['--tmpfs', hiddenRoot]),
    ...[...onPath, ...[...PROGRAMS, ...walls.readable].filter(isHidden)]
      .map((path) => (own.some((one) => isWithin(path, one)) ? withoutLinksAbove(path) : real(path)))
      .flatMap(shown),
    // One around the state root would show it.
    ...walls.writable
      .map(real)
      .filter((path) => hiddenRoot === null || !isWithin(hiddenRoot, path))
      .flatMap(writable),
    // Last: it lies in what is writable.
    ...(walls.kept ?? [])
      .map(withoutLinksAbove)
      .filter((path) => !isLink(path))
      .flatMap(shown),
    // What would be left beside them could get lost unnoticed.
    ...(hiddenRoot === null ? [] : ['--remount-ro', hiddenRoot]),
    '--',
  ]
}

const isWritten = (allowed: string): boolean => allowed.endsWith(':rw')
const withoutMode = (allowed: string): string => allowed.replace(/:rw$/, '')

const shown = (path: string): readonly string[] => ['--ro-bind-try', path, path]
const writable = (path: string): readonly string[] => ['--bind-try', path, path]
/** Where it is, without links: `bwrap` mounts on none. */
const real = (path: string): string => realOrNull(path) ?? path

/** A device is one only where it is bound as such. */
const device = (path: string): readonly string[] =>
  isWithin(path, '/dev') ? ['--dev-bind-try', path, path] : shown(path)

const realOrNull = (path: string | undefined): string | null =>
  path === undefined || path === '' ? null : orElse(() => realpathSync(path), null)

/** A path of `sandbox.allow`, as it is written. */
export const allowedPath = (written: string, home: string | undefined): string =>
  home !== undefined && /^~(?:\/|$)/.test(written) ? join(home, written.slice(1)) : written
