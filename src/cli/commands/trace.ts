import type { CommandDefinition } from '../command.ts'

export const traceCommand: CommandDefinition = {
  name: 'trace',
  summary: 'follow a requirement of a spec to its story, tasks, tests and commits',
  arguments: [{ syntax: '[requirement]', help: 'the id in the spec, like R-003; without one, all of them' }],
  options: [{ syntax: '--plan <id>', help: 'the plan, if several trace the requirement' }],
  examples: [
    {
      line: 'bosun trace R-003',
      what: 'which tasks build it, which tests show it, which commits contain it',
    },
    { line: 'bosun trace --plan shop', what: 'every requirement of one plan' },
    { line: 'bosun trace R-003 --json', what: 'the same as JSON' },
  ],
  insideWorker: true,
  async run(call) {
    const [{ repoHere }, { readAnswer }, { traceText }] = await Promise.all([
      import('../caller.ts'),
      import('../reading.ts'),
      import('../views/trace-view.ts'),
    ])
    const [requirement] = call.args
    const asked = { requirement, plan: call.option('plan'), repo: await repoHere(call) }
    const { answer, document } = await readAnswer(call, '/api/trace', asked)
    return { exit: 'ok', document, text: (style) => traceText(answer, style) }
  },
}
