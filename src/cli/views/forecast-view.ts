/** Whether the branch a plan started from has moved, and how a merge would go. */
import type { Daemon } from '../../client/daemon.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { ForecastAnswer, PlanRow } from '../../protocol/answers.ts'
import { idSegment } from '../id-segment.ts'
import { counted } from '../../lib/text/counted.ts'

const SHOWN = 5

/** One line for whoever will merge; null where there is nothing to say. A look that fails spoils nothing. */
export async function forecastLine(
  daemon: Pick<Daemon, 'get'>,
  plan: PlanRow | undefined,
): Promise<string | null> {
  if (plan === undefined || plan.branch === null) return null
  try {
    const path = `/api/plans/${idSegment(plan.id)}/forecast`
    const { forecast } = await daemon.get<ForecastAnswer>(path, { repo: plan.repo })
    return forecast === null ? null : forecastText(forecast)
  } catch {
    // The plan's own outcome is what was asked for.
    return null
  }
}

export function forecastText(forecast: NonNullable<ForecastAnswer['forecast']>): string | null {
  const { kind, behind, conflicts } = forecast
  const branch = terminalLine(forecast.branch)
  const moved = `${branch} has moved on by ${counted(behind, 'commit')}`
  switch (kind) {
    case 'unmoved':
      return null
    case 'clean':
      return behind === 0 ? null : `${moved}; a merge would be clean`
    case 'conflicts': {
      const more = conflicts.length > SHOWN ? ` and ${conflicts.length - SHOWN} more` : ''
      const named = conflicts.slice(0, SHOWN).map(terminalLine).join(', ')
      return `${moved}; a merge would conflict in ${named}${more}`
    }
    case 'base_gone':
      return `${branch}, which it started from, is gone`
    case 'unrelated':
      return `${branch} shares no history with it any more`
  }
}
