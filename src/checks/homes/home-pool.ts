/**
 * Gives gates an empty home folder: a worker could have written caches or settings to the user's own home. What the baseline
 * compiled is copied into it (home-caches.ts). Only the setup command runs with the user's home, because private packages may
 * need their keys.
 */
import { existsSync, lstatSync, mkdirSync, opendirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../../lib/process/built-environment.ts'
import { removeFolder } from '../../lib/files/remove-folder.ts'
import { makeGateFolder } from './gate-folder.ts'

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

const PERMISSIONS = 0o7777
const OWNER_ONLY = 0o700
const OWNER_WRITES = 0o600

/** A temporary folder for one gate run, with a home folder in it. */
export interface GateHome {
  readonly folder: string
  readonly home: string
  /** ctime of its entries: programs cannot set it, and it changes with attributes and access lists too. */
  readonly changedAt: readonly bigint[]
}

/** Hands out empty homes and reuses those returned unchanged: checking one is cheaper than creating and removing it. */
export class HomePool {
  readonly #most: number
  readonly #kept: GateHome[] = []
  #isClosed = false

  /** Keeps at most `most` unused homes until `close`. */
  constructor(most: number) {
    this.#most = most
  }

  take(): GateHome {
    for (let kept = this.#kept.pop(); kept !== undefined; kept = this.#kept.pop()) {
      if (isAsNew(kept)) return kept
      // Something changed it while it was unused: discard it without waiting.
      void remove(kept)
    }
    return make()
  }

  /** Keeps an unchanged home and removes any other one, as far as its files can be removed. */
  async giveBack(home: GateHome): Promise<void> {
    if (!this.#isClosed && this.#kept.length < this.#most && isAsNew(home)) this.#kept.push(home)
    else await remove(home)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#kept.splice(0).map(remove))
  }
}

function make(): GateHome {
  const folder = makeGateFolder()
  const home = join(folder, HOME)
  provision(home)
  return { folder, home, changedAt: changesOf(folder, home) }
}

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

const changesOf = (folder: string, home: string): readonly bigint[] =>
  [folder, home, join(home, SETTINGS_FILE)].map((path) => lstatSync(path, { bigint: true }).ctimeNs)

/** Ignores files that cannot be removed, such as another user's: the verdict still counts, and the next daemon tries again. */
const remove = ({ folder }: GateHome): Promise<void> => removeFolder(folder).catch(() => undefined)

/**
 * Whether entries, permissions and ctimes are as created. Contents are compared too, because two changes within one tick of
 * the system clock have the same ctime.
 */
function isAsNew({ folder, home, changedAt }: GateHome): boolean {
  try {
    const file = join(home, SETTINGS_FILE)
    const settings = lstatSync(file)
    return (
      changesOf(folder, home).every((time, at) => time === changedAt[at]) &&
      holdsOnly(folder, HOME) &&
      holdsOnly(home, SETTINGS_FILE) &&
      settings.isFile() &&
      settings.nlink === 1 &&
      (settings.mode & PERMISSIONS) === OWNER_WRITES &&
      settings.size === GIT_SETTINGS.length &&
      readFileSync(file, 'utf8') === GIT_SETTINGS
    )
  } catch {
    // Removed or not readable.
    return false
  }
}

function holdsOnly(folder: string, name: string): boolean {
  const found = lstatSync(folder)
  if (!found.isDirectory() || (found.mode & PERMISSIONS) !== OWNER_ONLY) return false
  // Reads at most two entries; there may be very many.
  const entries = opendirSync(folder)
  try {
    return entries.readSync()?.name === name && entries.readSync() === null
  } finally {
    entries.closeSync()
  }
}

/** Looks for tools each time, because the setup may have installed some. */
export function withHome(env: Environment, home: string): Environment {
  const { HOME: users, GOCACHE: _, ...rest } = env
  const tools = TOOLS.flatMap(([name, folder]) => {
    const there = users === undefined ? null : join(users, folder)
    return there !== null && rest[name] === undefined && existsSync(there) ? [[name, there]] : []
  })
  const own = Object.entries({
    CONFIG: '.config',
    CACHE: '.cache',
    DATA: '.local/share',
    STATE: '.local/state',
  }).map(([kind, folder]) => [`XDG_${kind}_HOME`, join(home, folder)])
  return {
    ...rest,
    ...Object.fromEntries([...tools, ...own]),
    HOME: home,
    PYTHONDONTWRITEBYTECODE: '1',
  }
}
