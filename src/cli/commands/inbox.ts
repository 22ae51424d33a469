import type { Call, CommandDefinition, CommandResult } from '../command.ts'
import { workerIn } from '../inside-worker.ts'

export const inboxCommand: CommandDefinition = {
  name: 'inbox',
  summary: 'show what needs a person, and decide',
  arguments: [{ syntax: '[id]', help: 'show one item with its work, gates and diff' }],
  options: [
    { syntax: '--by <name>', help: 'the name to record (default: your git user.name)' },
    { syntax: '--remembered', help: 'list permissions that were decided for a task or a plan' },
    { syntax: '--revoke', help: 'with the id of such a permission: forget it, so that it is asked again' },
  ],
  examples: [
    { line: 'bosun inbox', what: 'in a terminal: review each item with diff and evidence, and decide' },
    { line: 'bosun inbox A-2', what: 'show one item in full' },
    { line: 'bosun inbox --no-input', what: 'list items with problem, impact, options and recommendation' },
    { line: 'bosun inbox --remembered', what: 'list permissions that are not asked again' },
    { line: 'bosun inbox P-3 --revoke', what: 'have a remembered permission asked again' },
    { line: 'bosun inbox A-2 --json', what: 'one item as JSON, with diff and evidence' },
  ],
  insideWorker: true,
  async run(call) {
    const [id] = call.args
    if (call.flag('remembered') || call.flag('revoke')) {
      const { remembered, revoke } = await import('../inbox/remembered-permissions.ts')
      return call.flag('revoke') ? revoke(call, id) : remembered(call)
    }
    const { input, output, env } = call.terminal
    const isAttended = call.mayAsk && !call.json && input === 'terminal' && output === 'terminal'
    // A worker may read the inbox but not decide.
    if (isAttended && workerIn(env) === null) return session(call, id)
    return id === undefined ? list(call) : show(call, id)
  },
}

async function list(call: Call): Promise<CommandResult> {
  const { inboxText } = await import('../views/inbox-view.ts')
  const { readAnswer } = await import('../reading.ts')
  const { answer, document } = await readAnswer(call, '/api/inbox')
  return { exit: 'ok', document, text: (style) => inboxText(answer, style) }
}

async function show(call: Call, id: string): Promise<CommandResult> {
  const { repoHere } = await import('../caller.ts')
  const { reviewText } = await import('../inbox/review-view.ts')
  const { readAnswer } = await import('../reading.ts')
  const asked = { id, repo: await repoHere(call) }
  const { answer, document } = await readAnswer(call, '/api/inbox/{id}', asked)
  return { exit: 'ok', document, text: (style) => reviewText(answer, style) }
}

async function session(call: Call, id: string | undefined): Promise<CommandResult> {
  const { deciderName, repoHere } = await import('../caller.ts')
  const { reviewAll, reviewOne } = await import('../inbox/review-session.ts')
  // Without a daemon the items are only shown; `bosun answer` starts one.
  const daemon = await call.services.runningDaemon()
  if (daemon === null) return id === undefined ? list(call) : show(call, id)
  const { inbox } = await daemon.get('/api/inbox')
  if (inbox.length === 0 && id === undefined) return list(call)
  const [by, repo] = [await deciderName(call), await repoHere(call)]
  const dialogue = await call.terminal.converse()
  try {
    const reviewSession = { daemon, terminal: call.terminal, dialogue, by, repo }
    if (id === undefined) {
      const decided = await reviewAll(reviewSession)
      return { exit: 'ok', document: { decided }, text: () => endText(decided.length) }
    }
    const settled = await reviewOne(reviewSession, id)
    const decided = settled.kind === 'decided' ? [settled.decided] : []
    const exit = settled.kind === 'gone' ? 'conflict' : 'ok'
    return { exit, document: { decided }, text: () => '' }
  } finally {
    dialogue.close()
  }
}

function endText(count: number): string {
  if (count === 0) return 'No decision made; the items stay open (bosun inbox).\n'
  return `${count} decided. See the progress with: bosun status\n`
}
