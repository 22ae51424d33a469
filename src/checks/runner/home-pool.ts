/**
 * A home folder for gates that nobody wrote to before: caches and settings in the user's own could have been left there
 * by a worker. Only the set-up sees the user's home, since packages may need keys of theirs.
 */
import { existsSync, lstatSync, mkdirSync, opendirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../../lib/process/built-environment.ts'
import { removeFolder } from '../../lib/files/remove-folder.ts'
import { makeGateFolder } from './gate-folder.ts'

/** Where tools themselves are, which a fresh home does not have. */
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
/** Tests that commit need somebody to be the author. */
const GIT_SETTINGS = '[user]\n\tname = Gate\n\temail = gate@localhost\n[init]\n\tdefaultBranch = main\n'

const PERMISSIONS = 0o7777
const OWNER_ONLY = 0o700
const OWNER_WRITES = 0o600

/** A temporary folder for one who checks something, and a home in it. */
export interface OwnHome {
  readonly folder: string
  readonly home: string
  /** When its entries changed last. Nobody can set that, and it tells of attributes and access lists too. */
  readonly changedAt: readonly bigint[]
}

/**
 * Hands out homes that hold nothing of anybody's. One that comes back as it was given is given again: making and removing
 * three entries each time would cost more than looking at them.
 */
export class HomePool {
  readonly #most: number
  readonly #kept: OwnHome[] = []
  #isClosed = false

  /** So many are kept while nobody needs them, until `close`. */
  constructor(most: number) {
    this.#most = most
  }

  take(): OwnHome {
    for (let kept = this.#kept.pop(); kept !== undefined; kept = this.#kept.pop()) {
      if (isAsNew(kept)) return kept
      // Somebody was there: nobody else is to be, and nobody is held up by it.
      void remove(kept)
    }
    return make()
  }

  /** However much was put there, it is gone when this resolves, unless it cannot be removed. */
  async giveBack(home: OwnHome): Promise<void> {
    if (!this.#isClosed && this.#kept.length < this.#most && isAsNew(home)) this.#kept.push(home)
    else await remove(home)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#kept.splice(0).map(remove))
  }
}

function make(): OwnHome {
  const folder = makeGateFolder()
  const home = join(folder, HOME)
  provision(home)
  return { folder, home, changedAt: changesOf(folder, home) }
}

/** For the next command in a home of which one before may have cleared away everything, its temporary folder too. */
export function furnishAgain({ folder, home }: OwnHome): void {
  const around = lstatSync(folder, { throwIfNoEntry: false })
  // What was put in its place, a link for one, is not written through.
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

/** What a gate found out is not lost over something that resists, another user's files for one: the next daemon tries again. */
const remove = ({ folder }: OwnHome): Promise<void> => removeFolder(folder).catch(() => undefined)

/**
 * Nothing more and nothing less is there, nobody else was let in, and nothing was there meanwhile. What is there is looked at
 * all the same: two changes within one tick of the system's clock have the same time.
 */
function isAsNew({ folder, home, changedAt }: OwnHome): boolean {
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
    // Gone, or closed to us.
    return false
  }
}

function holdsOnly(folder: string, name: string): boolean {
  const found = lstatSync(folder)
  if (!found.isDirectory() || (found.mode & PERMISSIONS) !== OWNER_ONLY) return false
  // There may be any number of them.
  const entries = opendirSync(folder)
  try {
    return entries.readSync()?.name === name && entries.readSync() === null
  } finally {
    entries.closeSync()
  }
}

/** Looks for tools each time: the set-up may have put some there. */
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
