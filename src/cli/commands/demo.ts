import type { CommandDefinition } from '../command.ts'

export const demoCommand: CommandDefinition = {
  name: 'demo',
  summary: 'a whole project in a throw-away repository with a scripted crew: no key, no network',
  options: [{ syntax: '--open', help: 'show it on the page as well; until there is one, it says so' }],
  examples: [
    { line: 'bosun demo', what: 'eight tasks, delivered for real in about half a minute' },
    { line: 'bosun demo --json', what: 'what came of it, as one document' },
  ],
  detaches: true,
  async run(call) {
    const { runDemo } = await import('../demo/run-demo.ts')
    return runDemo(call)
  },
}
