/** What is expected, in words that promise no more than is known: what work takes, and what a merge would meet. */
import { counted, firstFew } from './counted.ts'

interface Range {
  readonly least: number
  readonly most: number
}

interface Estimate {
  readonly tasks: Range
  readonly workers: Range
  readonly time_ms: Range
  readonly tokens: Range | null
  readonly basis: 'history' | 'guess'
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** `1 task`, `about 15 minutes`, `2 agents`, `30k to 1.3M tokens`, as far as they are known, and what that rests on. */
export function estimateWords({ tasks, workers, time_ms: time, tokens, basis }: Estimate): {
  readonly known: readonly string[]
  readonly basis: string
} {
  const amount = (range: Range, name: string): string =>
    `${countText(range)} ${range.most === 1 ? name : `${name}s`}`
  const known = [amount(tasks, 'task'), roughTime(time)]
  if (basis === 'guess') return { known, basis: 'a guess by scope' }
  const used = tokens === null ? [] : [`${shortNumber(tokens.least)} to ${shortNumber(tokens.most)} tokens`]
  return {
    known: [...known, amount(workers, 'agent'), ...used],
    basis: 'from what your agents took so far',
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

function shortNumber(value: number): string {
  if (value >= 1_000_000) return `${(value / 1_000_000).toFixed(1)}M`
  return value >= 1000 ? `${Math.round(value / 1000)}k` : String(value)
}

interface Forecast {
  readonly branch: string
  readonly kind: 'unmoved' | 'clean' | 'conflicts' | 'base_gone' | 'unrelated'
  readonly behind: number
  readonly conflicts: readonly string[]
}

/** Whether the base branch of a plan has moved, and whether a merge would conflict; null where there is nothing to report. */
export function forecastText(
  { branch, kind, behind, conflicts }: Forecast,
  mostFiles: number,
): string | null {
  const moved = `${branch} has moved by ${counted(behind, 'commit')}`
  switch (kind) {
    case 'unmoved':
      return null
    case 'clean':
      return behind === 0 ? null : `${moved}; a merge would be clean`
    case 'conflicts':
      return `${moved}; a merge would conflict in ${firstFew(conflicts, mostFiles)}`
    case 'base_gone':
      return `its base branch ${branch} no longer exists`
    case 'unrelated':
      return `${branch} no longer shares history with it`
  }
}
