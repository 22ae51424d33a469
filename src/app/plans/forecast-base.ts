/** The forecast for a plan's base branch, within a short time. */
import { setTimeout } from 'node:timers/promises'
import type { BaseForecast } from '../../ports/workspace.ts'
import type { PlanWorld } from '../host/plan-place.ts'

const PATIENCE_MS = 5_000

/** Null if unknown or not ready in time. A slow forecast continues for the next call. */
export async function forecastBase(
  { forecast = async () => null }: Pick<PlanWorld, 'forecast'>,
  patienceMs = PATIENCE_MS,
): Promise<BaseForecast | null> {
  return Promise.race([forecast(), setTimeout(patienceMs, null, { ref: false })])
}
