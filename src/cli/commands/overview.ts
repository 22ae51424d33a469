import type { NextStep } from '../../app/overview.ts'
import { terminalLine } from '../../lib/terminal-text.ts'
import type { Surroundings } from '../../ports/machine.ts'
import type { CommandDefinition } from '../command.ts'
import type { Style } from '../terminal.ts'

/** What a bare `bosun` does; it has no name on the command line. */
export const overviewCommand: CommandDefinition = {
  name: 'overview',
  summary: 'what is here, and what comes next',
  examples: [{ line: 'bosun', what: 'what is here, and what comes next' }],
  async run(call) {
    const [{ nextSteps }, { lookAround }] = await Promise.all([
      import('../../app/overview.ts'),
      import('../../config/surroundings.ts'),
    ])
    const here = await lookAround(call.terminal.cwd)
    const next = nextSteps(here)
    return { exit: 'ok', document: { ...here, next }, text: (style) => overviewText(here, next, style) }
  },
}

function overviewText(here: Surroundings, next: readonly NextStep[], style: Style): string {
  const plans =
    here.plans.length === 0
      ? 'none in docs/plans'
      : `${here.plans.length} in docs/plans: ${here.plans.join(', ')}`
  const facts = [
    `repository  ${here.repository ?? 'none here'}`,
    `bosun.yaml  ${here.settings === 'absent' ? 'absent: every setting has its default' : here.settings}`,
    `plans       ${plans}`,
  ]
  const width = Math.max(...next.map((step) => terminalLine(step.command).length))
  const steps = next.map(
    (step) => `  ${style.bold(terminalLine(step.command).padEnd(width))}   ${style.dim(step.why)}`,
  )
  return [...facts.map(terminalLine), '', 'next:', ...steps, ''].join('\n')
}
