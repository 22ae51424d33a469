/** A bare `bosun`: what is here, and which commands come next. */
import { shellArgument } from '../../lib/text/counted.ts'
import type { Surroundings } from '../../ports/machine.ts'

export interface NextStep {
  readonly command: string
  readonly why: string
}

/** What a person would most likely do next, first things first. */
export function nextSteps(here: Surroundings): readonly NextStep[] {
  const steps: NextStep[] = []
  if (here.settings === 'invalid') steps.push({ command: 'bosun doctor', why: 'bosun.yaml has problems' })
  if (here.settings === 'absent' && here.repository !== null)
    steps.push({ command: 'bosun init', why: 'write a bosun.yaml with the commands found here' })
  if (here.repository !== null)
    steps.push({ command: 'bosun start "TEXT"', why: 'start from a sentence, an issue, a spec or a plan' })
  for (const plan of here.plans.slice(0, 3)) {
    steps.push({
      command: `bosun plan ${shellArgument(plan)}`,
      why: 'tasks, tiers, order and problems of this plan',
    })
  }
  if (here.plans.length === 0)
    steps.push({ command: 'bosun plan FILE', why: 'read a plan, Markdown or YAML' })
  if (here.settings !== 'invalid')
    steps.push({ command: 'bosun doctor', why: 'see what is missing on this machine' })
  steps.push({ command: 'bosun --help', why: 'all commands' })
  return steps
}
