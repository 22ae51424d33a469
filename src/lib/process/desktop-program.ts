/** The program that shows notices on this machine's desktop. */
import { builtEnvironment } from './built-environment.ts'
import { findOnPath } from '../system/find-on-path.ts'

type Env = Readonly<Record<string, string | undefined>>

/** What shows notices on a desktop; null where there is none, over SSH for example. */
export type DesktopProgram = { readonly kind: 'notify-send' | 'osascript'; readonly file: string }

export function desktopProgram(env: Env, platform: string = process.platform): DesktopProgram | null {
  const path = builtEnvironment(env)['PATH'] ?? ''
  if (platform === 'darwin') return found('osascript', path)
  const hasDesktop = [env['DISPLAY'], env['WAYLAND_DISPLAY']].some((name = '') => name !== '')
  return hasDesktop ? found('notify-send', path) : null
}

function found(kind: DesktopProgram['kind'], path: string): DesktopProgram | null {
  const file = findOnPath(kind, path)
  return file === null ? null : { kind, file }
}
