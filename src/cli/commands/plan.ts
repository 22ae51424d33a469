import type { CommandDefinition } from '../command.ts'

export const planCommand: CommandDefinition = {
  name: 'plan',
  summary: 'show the tasks, tiers, order, gates and problems of a plan; runs nothing',
  arguments: [{ syntax: '<file>', help: 'the plan file: Markdown, YAML or JSON; - for stdin' }],
  examples: [
    { line: 'bosun plan docs/plans/todo.md', what: 'the tasks in execution order, and any problems' },
    { line: 'bosun plan todo.yaml --json', what: 'the same as JSON; exits 1 if there is an error' },
    { line: 'cat todo.md | bosun plan -', what: 'read it from a pipe' },
  ],
  insideWorker: true,
  async run(call) {
    const [{ readCalledPlan }, view] = await Promise.all([
      import('../called-plan.ts'),
      import('../views/plan-view.ts'),
    ])
    const { plan, figures } = await readCalledPlan(call)
    return {
      exit: plan.problems.some((problem) => problem.severity === 'error') ? 'failed' : 'ok',
      document: view.planDocument(plan),
      text: (style) => view.planTable(plan, figures, { style, width: call.terminal.width }),
    }
  },
}
