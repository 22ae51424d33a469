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
