import type { CommandDefinition } from '../command.ts'

export const requestCommand: CommandDefinition = {
  name: 'request',
  summary: 'for workers: request time, help, an answer or resources',
  arguments: [
    { syntax: '<type>', help: 'need_clarification, need_time, need_resources, blocked or need_help' },
    { syntax: '[text]', help: 'the question or the reason' },
  ],
  options: [
    { syntax: '--minutes <number>', help: 'for need_time' },
    { syntax: '--tokens <number>', help: 'for need_resources' },
    { syntax: '--to <role>', help: 'a role, or human' },
  ],
  examples: [
    {
      line: 'bosun request need_time "the build is slow" --minutes 20',
      what: 'the next check-in returns the answer',
    },
  ],
  insideWorker: true,
  async run(call) {
    const { deliver } = await import('../deliver.ts')
    const [type = '', text = ''] = call.args
    const [minutes, tokens, to] = [call.option('minutes'), call.option('tokens'), call.option('to')]
    return deliver(call, 'request', { type, text, minutes, tokens, to })
  },
}
