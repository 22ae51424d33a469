/**
 * A home folder for gates that nobody wrote to before: caches and settings in the user's own could have been left there
 * by a worker. Only the set-up sees the user's home, since packages may need keys of theirs.
 */
import { existsSync, mkdirSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Environment } from '../lib/process/built-environment.ts'

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
const SETTINGS_FILE = '.gitconfig'
/** Tests that commit need somebody to be the author. */
const GIT_SETTINGS = '[user]\n\tname = Gate\n\temail = gate@localhost\n[init]\n\tdefaultBranch = main\n'

/** In a folder that is new. */
export function makeHome(folder: string): string {
  const home = join(folder, 'home')
  mkdirSync(home, { mode: 0o700 })
  writeFileSync(join(home, SETTINGS_FILE), GIT_SETTINGS)
  return home
}

/** Removes the folder and the home in it: at once where nobody put anything there. */
export async function removeHome(folder: string, home: string): Promise<void> {
  try {
    unlinkSync(join(home, SETTINGS_FILE))
    rmdirSync(home)
    rmdirSync(folder)
  } catch {
    // There is more, or less: however much it is, nobody is held up by it.
    await rm(folder, { recursive: true, force: true })
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
