import type { CommandDefinition } from '../command.ts'

export const demoCommand: CommandDefinition = {
  name: 'demo',
  summary: 'deliver a demo project with scripted agents: no key, no network',
  options: [
    { syntax: '--from-sentence', help: 'start from one sentence instead of a plan' },
    { syntax: '--open', help: 'open the page to watch it, and to answer what is asked' },
  ],
  examples: [
    { line: 'bosun demo', what: 'eight tasks in a throw-away repository, in about half a minute' },
    { line: 'bosun demo --open', what: 'the same in your browser; at a terminal it stays until Ctrl-C' },
    { line: 'bosun demo --from-sentence', what: 'one sentence, understood by rules, as a released branch' },
    { line: 'bosun demo --json', what: 'print the result as one JSON document' },
  ],
  detaches: true,
  async run(call) {
    const { runDemo } = await import('../demo/run-demo.ts')
    return runDemo(call)
  },
}
