import type { CommandDefinition } from '../command.ts'

export const runCommand: CommandDefinition = {
  name: 'run',
  summary: 'run a plan up to its release',
  arguments: [{ syntax: '<plan>', help: 'the plan file (- for stdin), or the id of a plan to attach to' }],
  options: [
    { syntax: '--yes', help: 'start a plan that was made from a spec without asking' },
    { syntax: '--design <file>', help: 'the design document that reviewers check against' },
    {
      syntax: '--dry-run <file>',
      help: 'script agents, gates, people and models with this file, in a throw-away clone (docs/dry-run.md)',
    },
  ],
  examples: [
    {
      line: 'bosun run docs/plans/todo.md',
      what: 'start it or attach to it; Ctrl-C detaches, the plan keeps running',
    },
    {
      line: 'bosun run todo --no-input',
      what: 'wait until it is done or needs a person, and print why',
    },
    {
      line: 'bosun run todo.md --dry-run script.yaml',
      what: 'the whole run without agents; your repository is not changed',
    },
    { line: 'bosun run todo.md --json', what: 'one JSON object per line, the outcome last' },
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
