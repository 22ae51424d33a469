/** Whether the base branch of a plan has moved, and whether a merge would conflict. */
import type { Daemon } from '../../client/daemon.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { PlanRow } from '../../protocol/answers.ts'
import type { ForecastAnswer } from '../../protocol/release-answer.ts'
import { counted } from '../../lib/text/counted.ts'

const SHOWN = 5

/** One line for the person who merges; null where there is nothing to report or the forecast failed. */
export async function forecastLine(
  daemon: Pick<Daemon, 'get'>,
  plan: PlanRow | undefined,
): Promise<string | null> {
  if (plan === undefined || plan.branch === null) return null
  try {
    const { id, repo } = plan
    const { forecast } = await daemon.get('/api/plans/{id}/forecast', { id, repo })
    return forecast === null ? null : forecastText(forecast)
  } catch {
    // The forecast is optional: the command is about the plan.
    return null
  }
}

export function forecastText(forecast: NonNullable<ForecastAnswer['forecast']>): string | null {
  const { kind, behind, conflicts } = forecast
  const branch = terminalLine(forecast.branch)
  const moved = `${branch} has moved by ${counted(behind, 'commit')}`
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
      return `its base branch ${branch} no longer exists`
    case 'unrelated':
      return `${branch} no longer shares history with it`
  }
}
