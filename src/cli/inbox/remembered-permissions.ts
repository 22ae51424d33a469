/** Lists permissions that are remembered for a task or a plan, and revokes one. */
import { usageRefusal } from '../../lib/refusal.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { PermissionsAnswer } from '../../protocol/permissions.ts'
import { deciderName, repoHere } from '../caller.ts'
import type { Call, CommandResult } from '../command.ts'
import { workerIn } from '../inside-worker.ts'
import { readAnswer } from '../reading.ts'
import type { Style } from '../terminal/style.ts'

export async function remembered(call: Call): Promise<CommandResult> {
  const { answer, document } = await readAnswer(call, '/api/permissions')
  return {
    exit: 'ok',
    document,
    text: (style) => rememberedText(answer.permissions, style),
  }
}

export async function revoke(call: Call, id: string | undefined): Promise<CommandResult> {
  if (workerIn(call.terminal.env) !== null)
    throw usageRefusal('a worker cannot revoke a permission', 'A person does that: bosun inbox --remembered')
  if (id === undefined)
    throw usageRefusal(
      '--revoke needs the id of a remembered permission',
      'List them: bosun inbox --remembered',
    )
  const daemon = await call.services.daemon()
  const body = { by: await deciderName(call), repo: await repoHere(call) }
  const revoked = await daemon.post('/api/permissions/{id}/revoke', body, { id })
  return {
    exit: 'ok',
    document: revoked,
    text: () => `revoked ${revoked.id} of ${revoked.plan}; the next equal request is asked again\n`,
  }
}

export function rememberedText(rows: PermissionsAnswer['permissions'], style: Style): string {
  if (rows.length === 0) return 'No permission is remembered; each is asked.\n'
  const lines = rows.map(({ id, plan, decision, what, task, by, at }) => {
    const reach = task === null ? `for the whole plan ${plan}` : `for task ${task} of ${plan}`
    const when = at === null ? '' : ` (${at.slice(0, 16).replace('T', ' ')} UTC)`
    const done = decision === 'allow' ? 'allowed' : 'denied'
    return `${style.bold(terminalLine(id))}  ${done} ${terminalLine(`${reach} by ${by}`)}${when}\n      ${terminalLine(what)}\n`
  })
  return `${lines.join('')}Revoke one with: bosun inbox ${terminalLine(rows[0]?.id ?? 'ID')} --revoke\n`
}
