import type { AnsweredAnswer } from '../../protocol/answers.ts'
import type { CommandDefinition } from '../command.ts'

export const answerCommand: CommandDefinition = {
  name: 'answer',
  summary: 'answer something that waits for a person',
  arguments: [
    { syntax: '<id>', help: 'the item, as `bosun inbox` shows it' },
    { syntax: '<choice>', help: 'one of its options, or pause' },
  ],
  options: [{ syntax: '--feedback <text>', help: 'what whoever goes on should know' }],
  examples: [
    { line: 'bosun answer A-2 approve', what: 'let it pass' },
    { line: 'bosun answer E-1 revise --feedback "keep the old route"', what: 'send it back, with a word' },
  ],
  async run(call) {
    const { callerName, repoHere } = await import('../here.ts')
    const [id = '', choice = ''] = call.args
    const daemon = await call.parts.daemon()
    const said = {
      choice,
      feedback: call.option('feedback') ?? '',
      by: callerName(call),
      repo: await repoHere(call),
    }
    const answered = await daemon.post<AnsweredAnswer>(`/api/inbox/${encodeURIComponent(id)}/answer`, said)
    return {
      exit: 'ok',
      document: { ...answered },
      text: () => `${answered.id} of ${answered.plan} is answered: ${answered.choice}\n`,
    }
  },
}
