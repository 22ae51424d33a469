/** How it all stands, once. */
import { terminalLine } from '../lib/terminal-text.ts'
import type { MetricsAnswer, StatusAnswer, PlanRow, TaskRow, WorkerRow } from '../protocol/answers.ts'
import { answerLine } from './answer-line.ts'
import { ago, shortDuration } from './durations.ts'
import { inboxLines } from './inbox-view.ts'
import { pulseLine } from './pulse-line.ts'
import type { Style } from './terminal.ts'
import { textTable } from './text-table.ts'

export interface View {
  /** How workers fare; absent where nobody asked. */
  readonly metrics?: MetricsAnswer
  readonly style: Style
  readonly width: number
  readonly now: number
  /** Whether what comes next is said elsewhere. */
  readonly isNextSaid?: boolean
  /** What to say about the branches plans started from. */
  readonly forecasts?: ReadonlyMap<PlanRow, string | null>
}

/** The document of `bosun status`: its keys are relied on, so it has these and no others. */
export function statusDocument(status: StatusAnswer): Readonly<Record<string, unknown>> {
  return {
    daemon: status.daemon,
    plans: status.plans.map(({ notes: _notes, ...plan }) => plan),
    tasks: status.tasks.map(({ plan, id, status: word, stage, tier, attempt, commit_sha }) => ({
      plan,
      id,
      status: word,
      stage,
      tier,
      attempt,
      commit_sha,
    })),
    workers: status.workers.map(workerDocument),
    inbox: status.inbox,
  }
}

export function workerDocument({ id, task, role, attempt, health, reason, pid }: WorkerRow) {
  return { id, task, role, attempt, health, reason, pid }
}

export function statusText(status: StatusAnswer, view: View): string {
  const blocks = status.plans.map((plan) => planBlock(plan, status, view))
  if (blocks.length === 0) blocks.push(['No plans. Begin one: bosun run PLAN'])
  const trouble = pulseLine(status, view)
  if (trouble !== null) blocks.unshift([trouble])
  const adopted = adoptedLines(status, view)
  if (adopted.length > 0) blocks.push(adopted)
  const isShown = (stream: string): boolean =>
    status.plans.some(({ id, state }) => state === 'damaged' && stream.endsWith(`/${id}`))
  for (const { plan, why } of status.unreadable.filter((one) => !isShown(one.plan)))
    blocks.push([view.style.red(`${plan} cannot be taken up: ${why}`)])
  const fleet = fleetLines(view)
  if (fleet.length > 0) blocks.push(fleet)
  if (status.inbox.length > 0) blocks.push(needsYou(status, view))
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

/** Processes that Bosun did not start belong to no plan. */
function adoptedLines({ workers }: StatusAnswer, { style, width, now }: View): string[] {
  const rows = workers
    .filter(({ plan }) => plan === null)
    .map(({ id, health, pid, since, reason }) => [
      id,
      health,
      `process ${pid ?? ''}`,
      ago(since, now),
      reason,
    ])
  return rows.length === 0
    ? []
    : [style.bold('adopted'), ...textTable(rows, width).map((line) => `  ${line}`)]
}

function planBlock(plan: PlanRow, status: StatusAnswer, view: View): string[] {
  const isIts = (row: TaskRow | WorkerRow): boolean => row.plan === plan.id && row.repo === plan.repo
  const tasks = status.tasks.filter(isIts)
  const workers = status.workers.filter(isIts)
  const isOpen = (task: TaskRow): boolean => task.status !== 'completed' && task.status !== 'pending'
  const shown = isCancelled(plan) ? [] : tasks.filter(isOpen)
  const rows = shown.map((task) => taskCells(task, workers, view.now))
  const forecast = view.forecasts?.get(plan) ?? null
  const base = forecast === null ? [] : [view.style.yellow(`  ${forecast}`)]
  const notes = plan.notes.map((note) => view.style.dim(`  ${terminalLine(note)}`))
  const isAlone = status.plans.every(({ id, repo }) => id !== plan.id || repo === plan.repo)
  const where = isAlone ? [] : [view.style.dim(`  in ${terminalLine(plan.repo)}`)]
  return [
    ...planHead(plan, view),
    ...where,
    ...notes,
    ...base,
    ...textTable(rows, view.width).map((line) => `  ${line}`),
    ...workers.flatMap((worker) => trouble(worker, view)),
  ]
}

const CALM = ['healthy', 'timeout_warning']

/** Why a worker is not well, in a line of its own. */
function trouble({ id, health, reason }: WorkerRow, { style }: View): string[] {
  return CALM.includes(health)
    ? []
    : [style.yellow(`  ${id} is ${health.replaceAll('_', ' ')}: ${terminalLine(reason)}`)]
}

/** How the workers of all plans fare: now, and within a day. */
function fleetLines({ metrics, style }: View): string[] {
  if (metrics === undefined) return []
  const { watch } = metrics
  const tally = (counts: Readonly<Record<string, number>>): string =>
    Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([word, count]) => `${count} ${word.replaceAll('_', ' ')}`)
      .join(', ')
  const now = tally(metrics.workers)
  if (now === '' && watch.workers === 0) return []
  const rate = watch.success_rate === null ? '' : ` (${watch.success_rate} %)`
  const mean =
    watch.mean_completion_ms === null ? '' : `, ${shortDuration(watch.mean_completion_ms)} on average`
  const did = tally(watch.interventions)
  return [
    `workers: ${now === '' ? 'nobody at work' : now}`,
    style.dim(`  24 h: ${watch.completed} landed, ${watch.failed} lost${rate}${mean}`),
    ...(did === '' ? [] : [style.dim(`  the watch: ${did}`)]),
  ]
}

/** A plan in one line or two: how far it is, and why it is no further. */
export function planHead(plan: PlanRow, { style }: Pick<View, 'style'>): string[] {
  const total = Object.values(plan.counts).reduce((sum, count) => sum + count, 0)
  const progress = `${plan.counts['completed'] ?? 0}/${total} done`
  const branch = plan.branch === null ? '' : `  ${plan.branch}`
  return [`${style.bold(plan.id)}  ${paint(plan, style)}  ${progress}${branch}`, style.dim(`  ${plan.why}`)]
}

/** It counts as done; people want to know how. */
const isCancelled = ({ state, why }: PlanRow): boolean => state === 'done' && why.startsWith('cancelled ')

function paint(plan: PlanRow, style: Style): string {
  const { state } = plan
  if (isCancelled(plan)) return style.yellow('cancelled')
  if (state === 'done') return style.green(state)
  if (state === 'damaged') return style.red(state)
  return state === 'running' ? style.cyan(state) : style.yellow(state)
}

/** A task, who works on it, and for how long it has been where it is. */
export function taskCells(task: TaskRow, workers: readonly WorkerRow[], now: number): readonly string[] {
  const worker = workers.find((row) => row.task === task.id)
  return [
    task.id,
    task.stage.replaceAll('_', ' '),
    task.tier,
    worker?.id ?? '',
    worker === undefined ? '' : workerWords(worker, now),
    ago(task.since, now),
    task.title,
  ]
}

/** Health, how far it says it is, and how much time it has. */
function workerWords({ health, progress_pct, time_limit_at, current_step }: WorkerRow, now: number): string {
  const left = time_limit_at === null ? null : Date.parse(time_limit_at) - now
  const parts = [
    health.replaceAll('_', ' '),
    progress_pct === null ? '' : `${progress_pct} %`,
    current_step === null ? '' : terminalLine(current_step).slice(0, 30),
    left === null ? '' : left > 0 ? `${shortDuration(left)} left` : 'over its time',
  ]
  return parts.filter((part) => part !== '').join(', ')
}

function needsYou({ inbox }: StatusAnswer, { style, width, now, isNextSaid }: View): string[] {
  const [first] = inbox
  const head = style.yellow(`! ${inbox.length} ${inbox.length === 1 ? 'thing needs' : 'things need'} you`)
  const next = first === undefined || isNextSaid === true ? [] : [style.dim(`next: ${answerLine(first)}`)]
  return [head, ...textTable(inboxLines(inbox, now), width), ...next]
}
