/** Lines of activity as rows: newest first, check-ins of one worker together. */
import type { ActivityLine } from '../../../../src/protocol/answers.ts'
import { formatWeekday, sentence } from '../../ui/format.ts'
import { gateTitle } from '../../../../src/lib/text/counted.ts'
import type { Tone } from '../../ui/badge.tsx'
import { isOutcome, kindOf, toneOf, type ActivityKind } from './activity-kinds.ts'

export interface ActivityRow {
  readonly key: string
  readonly text: string
  /** More of it: of gates that failed together the summary of the first, of check-ins the newest claim. */
  readonly quote: string | null
  readonly tone: Tone
  readonly at: string
  readonly kind: ActivityKind
  readonly plan: string | null
  readonly task: string | null
  readonly taskTitle: string | null
  readonly worker: string | null
  /** How many lines it stands for. */
  readonly lines: number
  /** The gates that failed in an attempt; null for other rows. */
  readonly failed: { readonly attempt: unknown; readonly gates: readonly string[] } | null
}

/** `outcomes` leaves out check-ins and machinery. */
export type Shown = 'outcomes' | 'all' | ActivityKind

export const isShown = (kind: ActivityKind, shown: Shown): boolean =>
  shown === 'all' || (shown === 'outcomes' ? isOutcome(kind) : shown === kind)

/** `lines` are oldest first, as the log has them. */
export function activityRows(lines: readonly ActivityLine[], shown: Shown): readonly ActivityRow[] {
  const rows: ActivityRow[] = []
  for (const line of lines.toReversed()) {
    const kind = kindOf(line.event)
    if (!isShown(kind, shown)) continue
    const last = rows.at(-1)
    if (kind === 'checkin' && last?.kind === 'checkin' && last.worker === (line.worker_id ?? null)) {
      const quote = last.quote ?? last.text
      rows[rows.length - 1] = { ...last, lines: last.lines + 1, text: `${last.lines + 1} check-ins`, quote }
      continue
    }
    if (last !== undefined && isSameFailure(last, line)) {
      rows[rows.length - 1] = withGate(last, line)
      continue
    }
    rows.push(rowOf(line, kind))
  }
  return rows
}

/** Gates of one attempt fail together: they are one row. */
const isSameFailure = (row: ActivityRow, { event, plan_id, task_id, data }: ActivityLine): boolean =>
  event === 'gate_failed' &&
  row.failed !== null &&
  row.plan === (plan_id ?? null) &&
  row.task === (task_id ?? null) &&
  row.failed.attempt === data['attempt']

function withGate(row: ActivityRow, line: ActivityLine): ActivityRow {
  const gates = [gateOf(line), ...(row.failed?.gates ?? [])]
  const summary = typeof line.data['summary'] === 'string' ? line.data['summary'] : ''
  return {
    ...row,
    lines: row.lines + 1,
    failed: { attempt: line.data['attempt'], gates },
    text: `${gates.length} gates failed: ${gates.join(', ')}`,
    quote: summary === '' ? row.quote : summary,
  }
}

const gateOf = ({ data }: ActivityLine): string =>
  typeof data['gate'] === 'string' ? gateTitle(data['gate']) : ''

function rowOf(line: ActivityLine, kind: ActivityKind): ActivityRow {
  const { task_id: task = null, task_title: title = null } = line
  return {
    key: keyOf(line),
    at: line.timestamp,
    kind,
    plan: line.plan_id ?? null,
    task,
    taskTitle: title,
    worker: line.worker_id ?? null,
    lines: 1,
    failed: line.event === 'gate_failed' ? { attempt: line.data['attempt'], gates: [gateOf(line)] } : null,
    text: sentence(line.text),
    quote: null,
    tone: toneOf(line.event),
  }
}

const keyOf = ({ timestamp, event, worker_id, task_id, plan_id, data }: ActivityLine): string =>
  [timestamp, event, plan_id, task_id, worker_id, data['seq'], data['gate'], data['id']].join(' ')

/** Rows under the day they happened on, in the reader's time zone. */
export function byDay(
  rows: readonly ActivityRow[],
  now: Date,
): readonly { day: string; rows: readonly ActivityRow[] }[] {
  const groups = Map.groupBy(rows, ({ at }) => dayOf(new Date(at), now))
  return [...groups].map(([day, rows]) => ({ day, rows }))
}

function dayOf(at: Date, now: Date): string {
  const days = Math.round((startOfDay(now) - startOfDay(at)) / 86_400_000)
  if (days === 0) return 'Today'
  if (days === 1) return 'Yesterday'
  return formatWeekday(at.getTime())
}

const startOfDay = (at: Date): number => new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime()
