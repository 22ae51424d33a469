/** Opens the page in the user's browser, or prints a link to it; or ends every page session. */
import type { Daemon } from '../../client/daemon.ts'
import { usageRefusal } from '../../lib/refusal.ts'
import { counted } from '../../lib/text/counted.ts'
import type { CodeAnswer } from '../../protocol/machine-answer.ts'
import { resultOf, type Call, type CommandResult } from '../command.ts'
import { basename } from 'node:path'
import { findProgram } from '../../lib/process/find-program.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { spawn } from 'node:child_process'

export async function runOpen(call: Call): Promise<CommandResult> {
  const { terminal } = call
  if (call.flag('print') && call.flag('revoke'))
    throw usageRefusal(
      '--print and --revoke exclude each other',
      'First end every page session: bosun open --revoke; then: bosun open --print',
    )
  const daemon = await call.services.daemon()
  if (call.flag('revoke')) return revoked(daemon)
  const { link, expires_at } = await linkTo(daemon)
  const isPrinted = call.json || call.flag('print')
  const why = isPrinted ? null : await openLink(link, terminal)
  const { url, port } = daemon.facts
  if (!isPrinted && why === null) {
    return resultOf({ url, opened: true }, `opened ${url} in your browser\n`)
  }
  if (why !== null) terminal.printMessage(`${why}; open this link within 60 s, it works once:\n`)
  if (!call.json && (terminal.env['SSH_CONNECTION'] ?? '') !== '')
    terminal.printMessage(`on your own machine first: ssh -L ${port}:127.0.0.1:${port} USER@THIS-MACHINE\n`)
  return resultOf({ link, expires_at, opened: false }, `${link}\n`)
}

async function revoked(daemon: Daemon): Promise<CommandResult> {
  const { revoked: ended } = await daemon.post('/api/session/revoke', { all: true })
  return resultOf({ revoked: ended }, `ended ${counted(ended, 'page session')}\n`)
}

/** It works once, within 60 s. */
export const linkTo = (daemon: Daemon): Promise<CodeAnswer> => daemon.post('/api/session/codes', {})

/** Null once the browser has the link; else why it has not. */
export async function openLink(link: string, { env }: Pick<Terminal, 'env'>): Promise<string | null> {
  const isOnPath = (name: string): boolean => findProgram(name, { cwd: '/', path: env['PATH'] ?? '' }).ok
  const command = browserCommand(link, { platform: process.platform, env, isOnPath })
  if (command === null) return 'no browser can be opened here'
  const why = await startBrowser(command, env)
  return why === null ? null : `${basename(command[0] ?? '')} failed (${why})`
}

export interface BrowserPlace {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isOnPath: (program: string) => boolean
}

/**
 * How a link is opened here: a program and its arguments, never a line for a shell. Null where the user would not see a
 * browser: in a session over ssh, without a display, without such a program.
 */
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

/** Programs that open links end at once, or else become the browser. */
const PATIENCE_MS = 3000

/** Resolves to why it failed; null once it has ended well or keeps running. The browser outlives this process. */
export function startBrowser(
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: '/', env, detached: true, stdio: 'ignore' })
    const end = (why: string | null): void => {
      clearTimeout(timer)
      child.unref()
      resolve(why)
    }
    const timer = setTimeout(() => end(null), PATIENCE_MS)
    child.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? 'it could not be started'))
    child.once('exit', (code, signal) => end(code === 0 ? null : `it ended with ${code ?? signal ?? '?'}`))
  })
}
