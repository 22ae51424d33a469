/** Makes a link to the page and opens it in the user's browser, where there is one. */
import { basename } from 'node:path'
import type { Daemon } from '../../client/daemon.ts'
import { findProgram } from '../../lib/process/find-program.ts'
import type { CodeAnswer } from '../../protocol/session.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { browserCommand } from './browser-command.ts'
import { startBrowser } from './start-browser.ts'

/** It works once, within 60 s. */
export const linkTo = (daemon: Daemon): Promise<CodeAnswer> =>
  daemon.post<CodeAnswer>('/api/session/codes', {})

/** Null once the browser has the link; else why it has not. */
export async function openLink(link: string, { env }: Pick<Terminal, 'env'>): Promise<string | null> {
  const isOnPath = (name: string): boolean => findProgram(name, { cwd: '/', path: env['PATH'] ?? '' }).ok
  const command = browserCommand(link, { platform: process.platform, env, isOnPath })
  if (command === null) return 'no browser can be opened here'
  const why = await startBrowser(command, env)
  return why === null ? null : `${basename(command[0] ?? '')} failed (${why})`
}
