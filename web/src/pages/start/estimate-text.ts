/** An estimate in words that promise no more than is known. */
import type { IntakeAnswer } from '../../../../src/protocol/intake.ts'

type Estimate = NonNullable<IntakeAnswer['estimate']>
type Range = Estimate['tasks']

const MINUTE = 60_000
const HOUR = 60 * MINUTE

export interface EstimateWords {
  readonly tasks: string
  readonly time: string
  /** Null where nothing is known of them. */
  readonly workers: string | null
  readonly tokens: string | null
  readonly basis: string
}

export function estimateWords({ tasks, workers, time_ms: time, tokens, basis }: Estimate): EstimateWords {
  const isGuess = basis === 'guess'
  return {
    tasks: `${countText(tasks)} ${tasks.most === 1 ? 'task' : 'tasks'}`,
    time: roughTime(time),
    workers: isGuess ? null : `${countText(workers)} ${workers.most === 1 ? 'agent' : 'agents'}`,
    tokens:
      isGuess || tokens === null
        ? null
        : `${shortNumber(tokens.least)} to ${shortNumber(tokens.most)} tokens`,
    basis: isGuess ? 'a guess by scope' : 'from what your agents took so far',
  }
}

/** `about 15 minutes`, `20 minutes to 1.5 hours` */
export function roughTime({ least, most }: Range): string {
  const [from, to] = [roughly(least), roughly(most)]
  if (from.text === to.text) return from.ms === 0 ? from.text : `about ${from.text}`
  if (from.ms === 0) return `up to ${to.text}`
  return from.unit === to.unit ? `${from.number} to ${to.text}` : `${from.text} to ${to.text}`
}

function roughly(ms: number) {
  if (ms < MINUTE) return { ms: 0, number: '', unit: '', text: 'less than a minute' }
  const isLong = ms >= 1.5 * HOUR
  const step = isLong ? HOUR / 2 : ms >= 10 * MINUTE ? 5 * MINUTE : MINUTE
  const rounded = Math.round(ms / step) * step
  const number = String(rounded / (isLong ? HOUR : MINUTE))
  const unit = isLong ? 'hours' : 'minutes'
  return { ms: rounded, number, unit, text: number === '1' ? '1 minute' : `${number} ${unit}` }
}

const countText = ({ least, most }: Range): string => (least === most ? String(most) : `${least} to ${most}`)

export const shortNumber = (value: number): string =>
  value >= 1_000_000
    ? `${(value / 1_000_000).toFixed(1)}M`
    : value >= 1000
      ? `${Math.round(value / 1000)}k`
      : String(value)
