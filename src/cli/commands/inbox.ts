import type { InboxEntry } from '../../protocol/answers.ts'
import type { CommandDefinition } from '../command.ts'

export const inboxCommand: CommandDefinition = {
  name: 'inbox',
  summary: 'what needs a person',
  examples: [
    { line: 'bosun inbox', what: 'each with its problem, impact, options and recommendation' },
    { line: 'bosun inbox --json', what: 'the same as JSON' },
  ],
  async run(call) {
    const { inboxText } = await import('../inbox-view.ts')
    const daemon = await call.parts.daemon()
    const { inbox } = await daemon.get<{ readonly inbox: readonly InboxEntry[] }>('/api/inbox')
    return { exit: 'ok', document: { inbox }, text: (style) => inboxText(inbox, style) }
  },
}
