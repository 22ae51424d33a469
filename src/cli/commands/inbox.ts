import type { InboxEntry } from '../../protocol/answers.ts'
import type { ReviewAnswer } from '../../protocol/review-answer.ts'
import type { Call, CommandDefinition, CommandResult } from '../command.ts'
import { idSegment } from '../id-segment.ts'
import { workerIn } from '../inside-worker.ts'

export const inboxCommand: CommandDefinition = {
  name: 'inbox',
  summary: 'what needs a person',
  arguments: [{ syntax: '[id]', help: 'one item, with the work, the gates and the diff' }],
  options: [{ syntax: '--by <name>', help: 'in whose name you decide (default: your git user.name)' }],
  examples: [
    { line: 'bosun inbox', what: 'in a terminal: go through it, with the diff and the evidence, and decide' },
    { line: 'bosun inbox A-2', what: 'one item in full' },
    { line: 'bosun inbox --no-input', what: 'each with its problem, impact, options and recommendation' },
    { line: 'bosun inbox A-2 --json', what: 'one in full as JSON, the diff and the evidence included' },
  ],
  insideWorker: true,
  async run(call) {
    const [id] = call.args
    const { input, output, env } = call.terminal
    const isAttended = call.mayAsk && !call.json && input === 'terminal' && output === 'terminal'
    // A worker may read what waits for a person; it decides none of it.
    if (isAttended && workerIn(env) === null) return session(call, id)
    return id === undefined ? list(call) : show(call, id)
  },
}

async function list(call: Call): Promise<CommandResult> {
  const { inboxText } = await import('../views/inbox-view.ts')
  const { offlineDocument, reading } = await import('../reading.ts')
  return reading(call, async (from) => {
    const { inbox } = await from.get<{ readonly inbox: readonly InboxEntry[] }>('/api/inbox')
    const document = { inbox, ...offlineDocument(from) }
    return { exit: 'ok', document, text: (style) => inboxText(inbox, style) }
  })
}

async function show(call: Call, id: string): Promise<CommandResult> {
  const { repoHere } = await import('../caller.ts')
  const { reviewText } = await import('../views/review-view.ts')
  const { offlineDocument, reading } = await import('../reading.ts')
  const asked = { repo: await repoHere(call) }
  return reading(call, async (from) => {
    const review = await from.get<ReviewAnswer>(`/api/inbox/${idSegment(id)}`, asked)
    const document = { ...review, ...offlineDocument(from) }
    return { exit: 'ok', document, text: (style) => reviewText(review, style) }
  })
}

async function session(call: Call, id: string | undefined): Promise<CommandResult> {
  const { deciderName, repoHere } = await import('../caller.ts')
  const { reviewAll, reviewOne } = await import('../review-session.ts')
  // Without a daemon there is nobody to decide with: what is open is shown, and `bosun answer` starts one.
  const daemon = await call.parts.runningDaemon()
  if (daemon === null) return id === undefined ? list(call) : show(call, id)
  const { inbox } = await daemon.get<{ readonly inbox: readonly InboxEntry[] }>('/api/inbox')
  if (inbox.length === 0 && id === undefined) return list(call)
  const [by, repo] = [await deciderName(call), await repoHere(call)]
  const dialogue = await call.terminal.converse()
  try {
    const sitting = { daemon, terminal: call.terminal, dialogue, by, repo }
    if (id === undefined) {
      const decided = await reviewAll(sitting)
      return { exit: 'ok', document: { decided }, text: () => endText(decided.length) }
    }
    const settled = await reviewOne(sitting, id)
    const decided = settled.kind === 'decided' ? [settled.decided] : []
    return { exit: settled.kind === 'gone' ? 'conflict' : 'ok', document: { decided }, text: () => '' }
  } finally {
    dialogue.close()
  }
}

function endText(count: number): string {
  if (count === 0) return 'Nothing was decided. What is open stays in the inbox: bosun inbox\n'
  return `${count} decided. See how it goes on: bosun status\n`
}
