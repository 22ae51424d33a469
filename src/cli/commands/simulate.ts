import { Refusal, usageRefusal } from '../../lib/refusal.ts'
import type { CommandDefinition } from '../command.ts'

const MOST = 4_294_967_295

export const simulateCommand: CommandDefinition = {
  name: 'simulate',
  summary: 'simulate a plan with simulated workers on a virtual clock',
  arguments: [{ syntax: '<plan>', help: 'the plan file, or - for stdin' }],
  options: [
    { syntax: '--seed <number>', help: 'the same seed repeats the same run (default: 1)' },
    { syntax: '--faults <names>', help: 'none, all, or a comma-separated list (default: none)' },
  ],
  examples: [
    { line: 'bosun simulate docs/plans/todo.md', what: 'what would happen and how long it would take' },
    {
      line: 'bosun simulate plan.yaml --seed 7 --faults crashing,gate_once,pm_crash',
      what: 'with crashing workers, gates that fail once, and a crashing PM',
    },
    { line: 'bosun simulate plan.md --faults all --json', what: 'with every fault, as JSON' },
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
      throw usageRefusal(
        `invalid --seed "${text}" (use a whole number from 0 to ${MOST})`,
        'For example: --seed 7',
      )
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
    const simulator = await call.services.simulator()
    const report = await simulatePlan({
      plan,
      settings,
      seed,
      faults: call.option('faults') ?? 'none',
      simulator,
    })
    return {
      exit: report.violation === null ? 'ok' : 'failed',
      document: report,
      text: (style) => simulationText(report, { style, width: call.terminal.width }),
    }
  },
}
