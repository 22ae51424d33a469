/** `bosun inbox`: lists what needs a person, shows one item, or asks for decisions; and the permissions that are remembered. */
import { resultOf, isSeen, workerIn, type Call, type CommandResult } from '../command.ts'
import { usageRefusal } from '../../lib/refusal.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { PermissionsAnswer } from '../../protocol/task-answer.ts'
import { decider, repoHere } from '../caller.ts'
import { readAnswer } from '../reading.ts'
import type { Style } from '../terminal/terminal.ts'
import { inboxText } from './inbox-view.ts'
import { reviewText } from './review-view.ts'

export async function runInbox(call: Call): Promise<CommandResult> {
  const [id] = call.args
  if (call.flag('revoke')) return revoke(call, id)
  if (call.flag('remembered')) return remembered(call)
  // A worker may read the inbox but not decide.
  if (isSeen(call) && workerIn(call.terminal.env) === null) return session(call, id)
  return id === undefined ? list(call) : show(call, id)
}

async function list(call: Call): Promise<CommandResult> {
  const { answer, document } = await readAnswer(call, '/api/inbox')
  return resultOf(document, (style) => inboxText(answer, style))
}

async function show(call: Call, id: string): Promise<CommandResult> {
  const { answer, document } = await readAnswer(call, '/api/inbox/{id}', { id, repo: await repoHere(call) })
  return resultOf(document, (style) => reviewText(answer, style))
}

async function session(call: Call, id: string | undefined): Promise<CommandResult> {
  const { reviewAll, reviewOne } = await import('./review-session.ts')
  // Without a daemon the items are only shown; `bosun answer` starts one.
  const daemon = await call.services.runningDaemon()
  if (daemon === null) return id === undefined ? list(call) : show(call, id)
  const { inbox } = await daemon.get('/api/inbox')
  if (inbox.length === 0 && id === undefined) return list(call)
  const from = await decider(call)
  const dialogue = await call.terminal.converse()
  try {
    const reviewSession = { daemon, terminal: call.terminal, dialogue, ...from }
    if (id === undefined) {
      const decided = await reviewAll(reviewSession)
      return resultOf({ decided }, endText(decided.length))
    }
    const settled = await reviewOne(reviewSession, id)
    const decided = settled.kind === 'decided' ? [settled.decided] : []
    return resultOf({ decided }, '', settled.kind === 'gone' ? 'conflict' : 'ok')
  } finally {
    dialogue.close()
  }
}

function endText(count: number): string {
  if (count === 0) return 'No decision made; the items stay open (bosun inbox).\n'
  return `${count} decided. See the progress with: bosun status\n`
}

/** Lists permissions that are remembered for a task or a plan, and revokes one. */
async function remembered(call: Call): Promise<CommandResult> {
  const { answer, document } = await readAnswer(call, '/api/permissions')
  return resultOf(document, (style) => rememberedText(answer.permissions, style))
}

async function revoke(call: Call, id: string | undefined): Promise<CommandResult> {
  if (workerIn(call.terminal.env) !== null)
    throw usageRefusal('a worker cannot revoke a permission', 'A person does that: bosun inbox --remembered')
  if (id === undefined)
    throw usageRefusal(
      '--revoke needs the id of a remembered permission',
      'List them: bosun inbox --remembered',
    )
  const daemon = await call.services.daemon()
  const revoked = await daemon.post('/api/permissions/{id}/revoke', await decider(call), { id })
  return resultOf(
    revoked,
    `revoked ${revoked.id} of ${revoked.plan}; the next equal request is asked again\n`,
  )
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
