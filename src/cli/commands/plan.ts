import type { CommandDefinition } from '../command.ts'

export const planCommand: CommandDefinition = {
  name: 'plan',
  summary: 'read a plan and show tasks, tiers, order, gates and problems; runs nothing',
  arguments: [{ syntax: '<file>', help: 'the plan, Markdown, YAML or JSON; - reads it from stdin' }],
  examples: [
    { line: 'bosun plan docs/plans/todo.md', what: 'the tasks in the order of work, and what is wrong' },
    { line: 'bosun plan todo.yaml --json', what: 'the same as JSON; exit code 1 only if there is an error' },
    { line: 'cat todo.md | bosun plan -', what: 'from a pipe' },
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
