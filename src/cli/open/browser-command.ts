/** How a link is opened here: a program and its arguments, never a line for a shell. */

export interface BrowserPlace {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isOnPath: (program: string) => boolean
}

/** Null where the user would not see a browser: in a session over ssh, without a display, without such a program. */
export function browserCommand(
  link: string,
  { platform, env, isOnPath }: BrowserPlace,
): readonly string[] | null {
  const has = (name: string): boolean => (env[name] ?? '') !== ''
  const chosen = chosenBrowser(env['BROWSER'])
  if (chosen !== null && isOnPath(chosen)) return [chosen, link]
  const command = usualCommand(link, platform, has('WSL_DISTRO_NAME') && isOnPath('wslview'))
  const isShown = platform === 'linux' ? has('DISPLAY') || has('WAYLAND_DISPLAY') : !has('SSH_CONNECTION')
  if (!isOnPath(command[0])) return null
  return isShown || command[0] === 'wslview' ? command : null
}

function usualCommand(
  link: string,
  platform: NodeJS.Platform,
  isWsl: boolean,
): readonly [string, ...string[]] {
  if (platform === 'darwin') return ['open', link]
  // What `start` of the shell comes to.
  if (platform === 'win32') return ['rundll32.exe', 'url.dll,FileProtocolHandler', link]
  return [isWsl ? 'wslview' : 'xdg-open', link]
}

/** One program; a list of them or a line with arguments is left to xdg-open. */
const chosenBrowser = (value: string | undefined): string | null =>
  value !== undefined && /^[^\s:%]+$/.test(value) ? value : null
