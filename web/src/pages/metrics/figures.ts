/** The figures of the metrics page: what each counts, and how it reads. */
import type { HistoryAnswer } from '../../../../src/protocol/machine-answer.ts'
import { formatDuration } from '../../../../src/lib/text/format-time.ts'
import { formatUsd } from '../../../../src/lib/text/format-usage.ts'
import { formatCount, formatDay, formatTime } from '../../ui/format.ts'

type Figures = HistoryAnswer['total']

export interface Figure {
  readonly key: string
  readonly name: string
  /** What is counted, in a sentence that stands beside the number. */
  readonly rule: string
  /** Null where there is nothing to count. */
  readonly value: (figures: Figures) => number | null
  readonly text: (value: number) => string
  readonly draw: 'bars' | 'line'
  /** In milliseconds: its axis has round seconds, minutes or hours. */
  readonly isDuration?: true
  /** It counts things: its axis has no halves of them. */
  readonly isWhole?: true
}

const ROUND_MS = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1000),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60_000),
  ...[1, 2, 4, 6, 12].map((hours) => hours * 3_600_000),
  ...[1, 2, 4, 7, 14, 30, 60, 100, 200, 500, 1000].map((days) => days * 86_400_000),
]

/** From nothing up to a duration, in at most five steps that are round. */
export function roundSteps(longest: number): number[] {
  const step = ROUND_MS.find((round) => round * 5 >= longest) ?? longest / 5
  return Array.from({ length: Math.floor(longest / step) + 1 }, (_, place) => place * step)
}

const percent = (value: number): string => `${Math.round(value * 100)} %`

export const FIGURES: readonly Figure[] = [
  {
    key: 'completed',
    name: 'Tasks completed',
    rule: 'Tasks that were committed, or that existed already.',
    value: ({ completed }) => completed,
    text: String,
    isWhole: true,
    draw: 'bars',
  },
  {
    key: 'success',
    name: 'Success rate',
    rule: 'Completed tasks, of those that were completed, failed or given up.',
    value: ({ success_rate: rate }) => rate,
    text: percent,
    draw: 'line',
  },
  {
    key: 'lead',
    name: 'Lead time',
    rule: "From a task's first dispatch to its commit, the median.",
    value: ({ lead_time_ms: ms }) => ms,
    text: formatDuration,
    isDuration: true,
    draw: 'line',
  },
  {
    key: 'first_pass',
    name: 'First pass',
    rule: 'Tasks whose first attempt was committed, of those completed.',
    value: ({ first_pass_rate: rate }) => rate,
    text: percent,
    draw: 'line',
  },
  {
    key: 'wait',
    name: 'Waiting for you',
    rule: 'How long items waited for a person, all together.',
    value: ({ person_wait_ms: ms }) => ms,
    text: formatDuration,
    isDuration: true,
    draw: 'bars',
  },
  {
    key: 'interventions',
    name: 'Interventions',
    rule: 'Reminders, warnings, nudges, extensions, restarts and kills.',
    value: ({ interventions }) => interventions,
    text: String,
    isWhole: true,
    draw: 'bars',
  },
  {
    key: 'tokens',
    name: 'Tokens per task',
    rule: 'Tokens of all workers and of the brain, per completed task.',
    value: ({ tokens_per_task: tokens }) => tokens,
    text: (tokens) => formatCount(Math.round(tokens)),
    draw: 'bars',
  },
]

/** Only where a price is known: a subscription has none, and none is never shown as nothing. */
export const COST: Figure = {
  key: 'cost',
  name: 'Cost per task',
  rule: 'Of the tokens that have a price, per completed task.',
  value: ({ usd_per_task: usd }) => (usd === null || usd === 0 ? null : usd),
  text: (usd) => formatUsd(usd) ?? '',
  draw: 'bars',
}

export const figuresOf = ({ total }: Pick<HistoryAnswer, 'total'>): readonly Figure[] =>
  COST.value(total) === null ? FIGURES : [...FIGURES, COST]

/** Whether anything was counted at all. */
export const isEmpty = ({ total }: Pick<HistoryAnswer, 'total'>): boolean =>
  total.completed === 0 && total.failed === 0 && total.interventions === 0 && total.person_wait_ms === 0

/** The name of a point: its hour within two days, else its day. */
export function pointName(from: string, isHourly: boolean): string {
  const at = Date.parse(from)
  return isHourly ? `${formatDay(at)} ${formatTime(at)}` : formatDay(at)
}
