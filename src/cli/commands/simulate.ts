import { Refusal } from '../../lib/refusal.ts'
import type { CommandDefinition } from '../command.ts'

const MOST = 4_294_967_295

export const simulateCommand: CommandDefinition = {
  name: 'simulate',
  summary: 'run a plan against simulated workers on a virtual clock',
  arguments: [{ syntax: '<plan>', help: 'the plan file, or - for standard input' }],
  options: [
    { syntax: '--seed <number>', help: 'the same seed gives the same run (default 1)' },
    { syntax: '--faults <names>', help: 'none, all, or names separated by commas (default none)' },
  ],
  examples: [
    { line: 'bosun simulate docs/plans/todo.md', what: 'what would happen, how long it would take' },
    {
      line: 'bosun simulate plan.yaml --seed 7 --faults crashing,gate_once,pm_crash',
      what: 'the same with workers that die, gates that fail once, and a PM that dies too',
    },
    { line: 'bosun simulate plan.md --faults all --json', what: 'everything that can go wrong, as JSON' },
  ],
  busy: true,
  insideWorker: true,
  async run(call) {
    const [{ simulatePlan }, { simulationText }, { readCalledPlan }] = await Promise.all([
      import('../../app/plans/simulate-plan.ts'),
      import('../views/simulate-view.ts'),
      import('../called-plan.ts'),
    ])
    const text = call.option('seed') ?? '1'
    const seed = /^\d{1,10}$/.test(text) ? Number(text) : MOST + 1
    if (seed > MOST) {
      throw new Refusal({
        code: 'usage',
        message: `--seed takes a whole number from 0 to ${MOST}, not ${text}`,
        remedy: 'For example: --seed 7',
      })
    }
    const { plan, settings } = await readCalledPlan(call)
    const problems = plan.problems.filter((problem) => problem.severity === 'error')
    const [first] = problems
    if (first !== undefined) {
      throw new Refusal({
        code: 'failed',
        message: `${first.file}:${first.line}: ${first.message}${problems.length > 1 ? ` (and ${problems.length - 1} more errors)` : ''}`,
        remedy: `${first.remedy} \`bosun plan\` shows every problem.`,
      })
    }
    const simulator = await call.parts.simulator()
    const report = await simulatePlan({
      plan,
      settings,
      seed,
      faults: call.option('faults') ?? 'none',
      simulator,
    })
    return {
      exit: report.violation === null ? 'ok' : 'failed',
      document: { ...report },
      text: (style) => simulationText(report, { style, width: call.terminal.width }),
    }
  },
}
