import type { CommandDefinition } from '../command.ts'

export const runCommand: CommandDefinition = {
  name: 'run',
  summary: 'drive a plan to the release gate, attached',
  arguments: [
    { syntax: '<plan>', help: 'the plan file (- reads it from stdin), or the id of a plan that was begun' },
  ],
  options: [
    { syntax: '--design <file>', help: 'the design document that reviews are held against' },
    {
      syntax: '--dry-run <file>',
      help: 'script agents, gates, people and models by this file, in a throw-away clone (docs/dry-run.md)',
    },
  ],
  examples: [
    {
      line: 'bosun run docs/plans/todo.md',
      what: 'begin it, or attach to it; Ctrl-C detaches, the plan goes on',
    },
    {
      line: 'bosun run todo --no-input',
      what: 'wait until nothing moves without a person, then say what waits',
    },
    {
      line: 'bosun run todo.md --dry-run script.yaml',
      what: 'the whole run without an agent; nothing of yours changes',
    },
    { line: 'bosun run todo.md --json', what: 'one JSON object a line, the outcome last' },
  ],
  detaches: true,
  lines: true,
  async run(call) {
    const script = call.option('dry-run')
    if (script !== undefined) {
      const { runDry } = await import('../run-dry.ts')
      return runDry(call, script)
    }
    const { runPlan } = await import('../run-plan.ts')
    return runPlan(call)
  },
}
