/** The path of the state root, in a file of its own so that asking for it loads nothing else. */
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'

/** `$BOSUN_HOME`, else `$XDG_STATE_HOME/bosun`, else `~/.local/state/bosun`. Empty counts as absent. */
export function stateRoot(
  env: Readonly<Record<string, string | undefined>> = process.env,
  home = homedir(),
): string {
  const own = env['BOSUN_HOME']
  if (own !== undefined && own !== '') return resolve(own)
  // The XDG specification has relative paths ignored.
  const xdg = env['XDG_STATE_HOME']
  const base = xdg !== undefined && isAbsolute(xdg) ? xdg : join(home, '.local', 'state')
  return join(base, 'bosun')
}

/** `$BOSUN_HOME` as an absolute path, by which a process that runs elsewhere finds the same folder; null where it is one, or is not set. */
export function resolvedHome(
  env: Readonly<Record<string, string | undefined>>,
  cwd: () => string,
): string | null {
  const own = env['BOSUN_HOME']
  return own === undefined || own === '' || isAbsolute(own) ? null : resolve(cwd(), own)
}
