import type { StatusAnswer } from '../../protocol/answers.ts'
import type { CommandDefinition } from '../command.ts'

export const statusCommand: CommandDefinition = {
  name: 'status',
  summary: 'where every plan stands, who works on what, what waits for you',
  examples: [
    { line: 'bosun status', what: 'plans, tasks, workers and the inbox, once' },
    { line: 'bosun status --json', what: 'the same as JSON' },
  ],
  async run(call) {
    const { statusDocument, statusText } = await import('../status-view.ts')
    const daemon = await call.parts.daemon()
    const status = await daemon.get<StatusAnswer>('/api/status')
    const { width } = call.terminal
    return {
      exit: 'ok',
      document: statusDocument(status),
      text: (style) => statusText(status, { style, width, now: Date.now() }),
    }
  },
}
