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
  async run(call) {
    const { terminal } = call
    const [{ readPlanFile }, view, { readSettings }, { findRepositoryRoot }] = await Promise.all([
      import('../../app/read-plan.ts'),
      import('../plan-view.ts'),
      import('../../config/read-settings.ts'),
      import('../../config/repository.ts'),
    ])
    const [repository, settings] = await Promise.all([
      findRepositoryRoot(terminal.cwd),
      readSettings(terminal.cwd),
    ])
    const { plan, figures } = await readPlanFile({
      path: call.args[0] ?? '',
      cwd: terminal.cwd,
      env: terminal.env,
      repository,
      settings,
      readInput: (maxBytes) => terminal.readInput(maxBytes),
    })
    return {
      exit: plan.problems.some((problem) => problem.severity === 'error') ? 'failed' : 'ok',
      document: view.planDocument(plan),
      text: (style) => view.planTable(plan, figures, { style, width: terminal.width }),
    }
  },
}
