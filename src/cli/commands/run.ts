import type { CommandDefinition } from '../command.ts'

export const runCommand: CommandDefinition = {
  name: 'run',
  summary: 'drive a plan to the release gate, attached',
  arguments: [
    { syntax: '<plan>', help: 'the plan file (- reads it from stdin), or the id of a plan that was begun' },
  ],
  options: [{ syntax: '--design <file>', help: 'the design document that reviews are held against' }],
  examples: [
    {
      line: 'bosun run docs/plans/todo.md',
      what: 'begin it, or attach to it; Ctrl-C detaches, the plan goes on',
    },
    {
      line: 'bosun run todo --no-input',
      what: 'wait until nothing moves without a person, then say what waits',
    },
    { line: 'bosun run todo.md --json', what: 'one JSON object a line, the outcome last' },
  ],
  detaches: true,
  lines: true,
  async run(call) {
    const { runPlan } = await import('../run-plan.ts')
    return runPlan(call)
  },
}
