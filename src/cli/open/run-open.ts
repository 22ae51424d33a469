/** Opens the page in the user's browser, or prints a link to it; or ends every page session. */
import type { Daemon } from '../../client/daemon.ts'
import { usageRefusal } from '../../lib/refusal.ts'
import { counted } from '../../lib/text/counted.ts'
import type { RevokeAnswer } from '../../protocol/session.ts'
import type { Call, CommandResult } from '../command.ts'
import { linkTo, openLink } from './open-page.ts'

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
    const text = `opened ${url} in your browser\n`
    return { exit: 'ok', document: { url, opened: true }, text: () => text }
  }
  if (why !== null) terminal.printMessage(`${why}; open this link within 60 s, it works once:\n`)
  if (!call.json && (terminal.env['SSH_CONNECTION'] ?? '') !== '')
    terminal.printMessage(`on your own machine first: ssh -L ${port}:127.0.0.1:${port} USER@THIS-MACHINE\n`)
  const document = { link, expires_at, opened: false } as const
  return { exit: 'ok', document, text: () => `${link}\n` }
}

async function revoked(daemon: Daemon): Promise<CommandResult> {
  const { revoked: ended } = await daemon.post<RevokeAnswer>('/api/session/revoke', { all: true })
  const text = `ended ${counted(ended, 'page session')}\n`
  return { exit: 'ok', document: { revoked: ended }, text: () => text }
}
