/** What became of the branch a plan started from; nobody waits long for it. */
import type { BaseForecast } from '../../ports/base-forecast.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'

const PATIENCE_MS = 5_000

/** Null where nobody knows, or not soon. A look that takes longer goes on and is there for the next one who asks. */
export async function forecastBase(
  plan: Pick<HostedPlan, 'forecast'>,
  patienceMs = PATIENCE_MS,
): Promise<BaseForecast | null> {
  let timer: NodeJS.Timeout | undefined
  const enough = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, patienceMs, null)
  })
  try {
    return await Promise.race([plan.forecast(), enough])
  } finally {
    clearTimeout(timer)
  }
}
