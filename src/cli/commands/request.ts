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
    const [{ leaveFile, sendToDaemon, workerHere }, { deliveryResult }] = await Promise.all([
      import('../../client/worker-call.ts'),
      import('../views/worker-messages.ts'),
    ])
    const worker = workerHere(call.terminal.env)
    const [type = '', text = ''] = call.args
    const more = Object.fromEntries(
      ['minutes', 'tokens', 'to'].flatMap((name) => {
        const value = call.option(name)
        return value === undefined ? [] : [[name, value]]
      }),
    )
    const request = { type, text, ...more }
    const answer = await sendToDaemon<Parameters<typeof deliveryResult>[0]>(worker, 'requests', request)
    const place = { folder: 'pm-requests/pending', prefix: 'req-' }
    return deliveryResult(answer, answer === null ? leaveFile(worker, place, request) : null)
  },
}
