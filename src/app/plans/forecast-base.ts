/** The forecast for a plan's base branch, within a short time. */
import type { BaseForecast } from '../../ports/base-forecast.ts'
import type { PlanWorld } from '../host/plan-place.ts'

const PATIENCE_MS = 5_000

/** Null if unknown or not ready in time. A slow forecast continues for the next call. */
export async function forecastBase(
  { forecast = async () => null }: Pick<PlanWorld, 'forecast'>,
  patienceMs = PATIENCE_MS,
): Promise<BaseForecast | null> {
  let timer: NodeJS.Timeout | undefined
  const enough = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, patienceMs, null)
  })
  try {
    return await Promise.race([forecast(), enough])
  } finally {
    clearTimeout(timer)
  }
}
