/** Temporary folders and homes for gates, with the caches of compilers that a home may get. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  writeFileSync,
  chmodSync,
  rmSync,
  mkdtempSync,
  readlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../lib/process/built-environment.ts'
import { removeFolder } from '../lib/files/remove-folder.ts'
import { FolderCache } from '../lib/folders/folder-cache.ts'
import { isUnchanged, sightOf, type FolderSight } from '../lib/folders/folder-sight.ts'
import { runTool } from '../lib/process/run-capped.ts'
import { fingerprint } from '../lib/system/fingerprint.ts'
import { identify } from '../lib/process/processes.ts'
import { rm, readdir } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { tmpdir, userInfo } from 'node:os'
import { orElse } from '../lib/or-else.ts'

/**
 * Gives gates an empty home folder: a worker could have written caches or settings to the user's own home. What the baseline
 * compiled is copied into it. Only the setup command runs with the user's home, because private packages may
 * need their keys.
 */

/** Folders in the user's home that hold tools; an empty home lacks them. */
const TOOLS: readonly (readonly [name: string, folder: string])[] = [
  ['CARGO_HOME', '.cargo'],
  ['RUSTUP_HOME', '.rustup'],
  ['GOPATH', 'go'],
  ['PYENV_ROOT', '.pyenv'],
  ['PYTHONUSERBASE', '.local'],
  ['WORKON_HOME', '.local/share/virtualenvs'],
  ['POETRY_VIRTUALENVS_PATH', '.cache/pypoetry/virtualenvs'],
  ['UV_PYTHON_INSTALL_DIR', '.local/share/uv/python'],
  ['NVM_DIR', '.nvm'],
  ['VOLTA_HOME', '.volta'],
  ['ASDF_DATA_DIR', '.asdf'],
  ['MISE_DATA_DIR', '.local/share/mise'],
  ['RBENV_ROOT', '.rbenv'],
  ['COREPACK_HOME', '.cache/node/corepack'],
  ['PLAYWRIGHT_BROWSERS_PATH', '.cache/ms-playwright'],
  ['DENO_DIR', '.cache/deno'],
  ['NUGET_PACKAGES', '.nuget/packages'],
  ['DOTNET_ROOT', '.dotnet'],
]
const HOME = 'home'
const SETTINGS_FILE = '.gitconfig'
/** Tests that commit need an author. */
const GIT_SETTINGS = '[user]\n\tname = Gate\n\temail = gate@localhost\n[init]\n\tdefaultBranch = main\n'

const OWNER_ONLY = 0o700
const OWNER_WRITES = 0o600

/** A temporary folder for one gate run, with a home folder in it. */
export interface GateHome {
  readonly folder: string
  readonly home: string
}

/** An empty home; the caller removes it. */
export function makeHome(): GateHome {
  const folder = makeGateFolder()
  const home = join(folder, HOME)
  provision(home)
  return { folder, home }
}

/** Ignores files that cannot be removed, such as another user's: the verdict still counts, and the next daemon tries again. */
export const removeHome = ({ folder }: GateHome): Promise<void> => removeFolder(folder).catch(() => undefined)

/** Recreates the home if an earlier command deleted it or its temporary folder. */
export function restoreHome({ folder, home }: GateHome): void {
  const around = lstatSync(folder, { throwIfNoEntry: false })
  // Never write through something else in its place, such as a link.
  const isGone = around === undefined || (around.isDirectory() && !isThere(home))
  if (isGone) provision(home)
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

function provision(home: string): void {
  mkdirSync(home, { recursive: true, mode: OWNER_ONLY })
  writeFileSync(join(home, SETTINGS_FILE), GIT_SETTINGS, { mode: OWNER_WRITES })
}

/** Looks for tools each time, because the setup may have installed some. */
export function withHome(env: Environment, home: string): Environment {
  const { HOME: users, GOCACHE: _, ...rest } = env
  const tools = TOOLS.flatMap(([name, folder]) => {
    const there = users === undefined ? null : join(users, folder)
    return there !== null && rest[name] === undefined && existsSync(there) ? [[name, there]] : []
  })
  return {
    ...rest,
    ...Object.fromEntries(tools),
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_DATA_HOME: join(home, '.local/share'),
    XDG_STATE_HOME: join(home, '.local/state'),
    PYTHONDONTWRITEBYTECODE: '1',
  }
}

const GO = '.cache/go-build'
/** Found by the content of what was compiled. */
const CACHES = [GO, '.cache/ccache', '.ccache']
/** Go takes no result from before this time, in nanoseconds: the last that it can count. */
const EXPIRES = ['testexpire.txt', '9223372036854775807\n'] as const
/** Beyond this a copy may take longer than to compile again. */
const MOST_KIB = 1024 * 1024

/**
 * What compilers keep in a home, handed from a plan's baseline to the gates after it, as a copy for each. The baseline runs
 * before any work of the plan, so no worker's code has written it, and a copy that something changed since is not used. Caches
 * that hold results of tests are left out, or these are made to count for nothing: every gate runs its tests.
 */
export class HomeCaches {
  readonly #folder: string
  readonly #cache: FolderCache
  #kept: { readonly key: string; readonly sight: FolderSight } | null = null

  constructor(folder: string) {
    this.#folder = folder
    this.#cache = new FolderCache(folder, 1)
  }

  /** Removes what an earlier process left. Only before anything is kept. */
  async sweep(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** Copies the caches into a home. It stays without those that cannot be copied whole. */
  async give(home: string): Promise<void> {
    const kept = this.#kept
    if (kept === null) return
    if (await isUnchanged(kept.sight, this.#folder, [kept.key])) await this.#cache.restore(kept.key, home)
    else if (this.#kept === kept) this.#kept = null
  }

  /** Takes the caches of a home in which nothing runs any more. */
  async keep(home: string): Promise<void> {
    const entries = CACHES.filter((entry) => isFolder(home, entry))
    if (entries.length === 0 || !(await isSmall(home, entries))) return
    const key = randomUUID()
    await this.#cache.keep(key, home, entries)
    const sight = await sightOf(this.#folder, [key])
    if (sight !== null) this.#kept = { key, sight }
  }
}

/** No test result that an earlier command left in this home counts for the next one. */
export function expireTestResults(home: string): void {
  if (!isFolder(home, GO)) return
  const [name, text] = EXPIRES
  const place = join(home, GO, name)
  chmodSync(join(home, GO), OWNER_ONLY)
  // Never writes through a link.
  rmSync(place, { recursive: true, force: true })
  writeFileSync(place, text, { flag: 'wx' })
}

/** Nor is any folder above it within the home a link. */
function isFolder(home: string, entry: string): boolean {
  const parts = entry.split('/')
  return parts.every((_, at) => {
    const found = lstatSync(join(home, ...parts.slice(0, at + 1)), { throwIfNoEntry: false })
    return found?.isDirectory() === true
  })
}

async function isSmall(home: string, entries: readonly string[]): Promise<boolean> {
  const { code, output } = await runTool(['du', '-sk', ...entries], home)
  const sizes = output.head
    .toString()
    .trim()
    .split('\n')
    .map((line) => Number.parseInt(line, 10))
  return code === 0 && sizes.reduce((sum, size) => sum + size, 0) <= MOST_KIB
}

const NAME = /^bosun-gate-([a-z0-9]+)-(\d+)-([a-z0-9]+)-\w+$/

let ownPrefix: string | null = null

/**
 * Temporary folders for gates. The name identifies the owning process, so that leftovers can be found, and is short, because
 * tests put sockets there and socket paths are limited. Creates a folder; the caller removes it.
 */
export function makeGateFolder(): string {
  ownPrefix ??= `bosun-gate-${spaceTag()}-${process.pid}-${startTag(process.pid) ?? '0'}-`
  return mkdtempSync(join(tmpdir(), ownPrefix))
}

/** Removes folders of processes that no longer run. Rejects if one cannot be removed. */
export async function removeLeftGateFolders(
  folder: string = tmpdir(),
  remove: (path: string) => Promise<void> = removeFolder,
): Promise<void> {
  const space = spaceTag()
  const removals: Promise<void>[] = []
  for (const name of await readdir(folder)) {
    const [, itsSpace, pid, start] = NAME.exec(name) ?? []
    if (itsSpace !== space || startTag(Number(pid)) === start) continue
    const path = join(folder, name)
    if (isOurs(path)) removals.push(remove(path))
  }
  await Promise.allSettled(removals)
  await Promise.all(removals)
}

/** Null if no such process runs. */
function startTag(pid: number): string | null {
  const identity = identify(pid)
  return identity === null ? null : short(identity.start)
}

/** Identifies the PID namespace: containers may share the temporary folder, and pids differ between namespaces. */
function spaceTag(): string {
  // Some systems have no PID namespaces.
  return orElse(() => short(readlinkSync('/proc/self/ns/pid')), '0')
}

const short = (text: string): string => fingerprint(text).toString(36).slice(-5)

/** Whether it is a real folder (not a link) owned by this user. */
function isOurs(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found !== undefined && found.isDirectory() && found.uid === userInfo().uid
}
