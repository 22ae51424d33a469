/** The status of all plans, for people and as JSON. */
import { terminalLine, cutText } from '../../lib/text/terminal-text.ts'
import type {
  MetricsAnswer,
  PlanRow,
  ProgressAnswer,
  StatusReading,
  TaskRow,
  Trouble,
  WorkerRow,
} from '../../protocol/answers.ts'
import { answerLine, equalAsOne, inboxLines, interviewLines } from '../inbox/inbox-view.ts'
import { formatDuration } from '../../lib/text/format-time.ts'
import { ago, blockText, textTable } from '../text.ts'
import type { Offline } from '../services.ts'
import { daemonDocument, offlineText } from '../reading.ts'
import type { Style } from '../terminal/terminal.ts'
import { shortUsage } from '../../lib/text/format-usage.ts'
import { counted } from '../../lib/text/counted.ts'
import { localMoment } from '../../lib/system/local-time.ts'

export interface View {
  /** Worker metrics; absent where not requested. */
  readonly metrics?: MetricsAnswer
  readonly style: Style
  readonly width: number
  readonly now: number
  /** Whether next steps are shown elsewhere. */
  readonly hasNextSteps?: boolean
  /** The merge forecast of each plan. */
  readonly forecasts?: ReadonlyMap<PlanRow, string | null>
  /** Shows every row; otherwise stuck and running ones first, and the rest counted. */
  readonly isWhole?: boolean
  /** Why the data comes from the database; null where the daemon responds. */
  readonly offline?: Offline | null
}

/** The document of `bosun status`; scripts rely on exactly these keys. */
export const statusDocument = (status: StatusReading, offline: Offline | null = null) => ({
  ...status,
  daemon: daemonDocument(status.daemon, offline),
  workers: status.workers.map((worker) => workerDocument(worker)),
})

/** With the time it has left. */
export function workerDocument(row: WorkerRow, now = Date.now()) {
  const { time_limit_at: limit } = row
  return { ...row, time_left_ms: limit === null ? null : Math.max(0, Date.parse(limit) - now) }
}

export function statusText(status: StatusReading, view: View): string {
  const { offline = null, style } = view
  const trouble = offline === null ? daemonHealth(status, view) : null
  const isBusy = (plan: PlanRow): boolean => status.workers.some((worker) => isOf(plan, worker))
  const listed = status.plans.filter((plan) => view.isWhole === true || !isCancelled(plan) || isBusy(plan))
  const plans = listed.map((plan) => planBlock(plan, status, view))
  const left = status.plans.length - listed.length
  const isShown = (stream: string): boolean =>
    status.plans.some(({ id, state }) => state === 'damaged' && stream.endsWith(`/${id}`))
  const unloaded = status.unreadable.filter(({ plan }) => !isShown(plan))
  return blockText([
    trouble === null ? [] : [trouble],
    offline === null ? [] : offlineLines(status, offline, view),
    ...(plans.length === 0 ? [['No plans. Start one: bosun run PLAN']] : plans),
    left === 0 ? [] : [style.dim(`${counted(left, 'cancelled plan')} not shown: bosun status --all`)],
    adoptedLines(status, view),
    ...unloaded.map(({ plan, why }) => [style.red(`cannot load ${plan}: ${why}`)]),
    fleetLines(view),
    interviewLines(status.interviews, style),
    status.inbox.length === 0 ? [] : needsYou(status, view),
  ])
}

/** Offline notice, agents that still run, and how to restart the daemon. */
function offlineLines({ plans, workers }: StatusReading, offline: Offline, { style, now }: View): string[] {
  const head = offlineText(offline, style, now)
  const alive = workers.filter(({ pid }) => pid !== null)
  const agents = alive.map(({ id, pid }) => `${terminalLine(id)} (pid ${pid ?? ''})`)
  const isOpen = plans.some(({ state }) => state !== 'done')
  if (!isOpen && alive.length === 0) return [head]
  const living = alive.length === 0 ? 'no agents running' : `still running: ${agents.join(', ')}`
  const next = offline.kind === 'none' || offline.kind === 'dead'
  return [
    head,
    `  ${living}`,
    ...(next && isOpen ? [style.dim('  plans do not continue until the daemon runs: bosun resume')] : []),
  ]
}

/** Adopted processes belong to no plan. */
function adoptedLines({ workers }: StatusReading, { style, width, now }: View): string[] {
  const rows = workers
    .filter(({ plan }) => plan === null)
    .map(({ id, health, pid, since, reason }) => [id, health, `pid ${pid ?? ''}`, ago(since, now), reason])
  return rows.length === 0
    ? []
    : [style.bold('adopted'), ...textTable(rows, width).map((line) => `  ${line}`)]
}

const isOf = (plan: PlanRow, row: TaskRow | WorkerRow): boolean =>
  row.plan === plan.id && row.repo === plan.repo

function planBlock(plan: PlanRow, status: StatusReading, view: View): string[] {
  const tasks = status.tasks.filter((row) => isOf(plan, row))
  const workers = status.workers.filter((row) => isOf(plan, row))
  const isOpen = (task: TaskRow): boolean => task.status !== 'completed' && task.status !== 'pending'
  const open = isCancelled(plan) ? [] : tasks.filter(isOpen).toSorted((a, b) => rankOf(a) - rankOf(b))
  const shown = view.isWhole === true ? open : open.slice(0, MOST_ROWS)
  const rows = shown.map((task) => taskCells(task, workers, view.now))
  const forecast = view.forecasts?.get(plan) ?? null
  const base = forecast === null ? [] : [view.style.yellow(`  ${forecast}`)]
  const notes = plan.notes.map((note) => view.style.dim(`  ${terminalLine(note)}`))
  const isAlone = status.plans.every(({ id, repo }) => id !== plan.id || repo === plan.repo)
  const where = isAlone ? [] : [view.style.dim(`  in ${terminalLine(plan.repo)}`)]
  return [
    ...planHead(plan, view),
    ...usageLines(plan, view),
    ...where,
    ...notes,
    ...base,
    ...textTable(rows, view.width).map((line) => `  ${line}`),
    ...more(open.length - shown.length, 'bosun status --all or --json', view).map((line) => `  ${line}`),
    ...troubleLines(plan, shown, view),
    ...workers.flatMap((worker) => trouble(worker, view)),
  ]
}

/** What the plan has used so far. */
function usageLines({ usage, thinking }: PlanRow, { style }: View): readonly string[] {
  if (usage === null) return []
  const all = usage.tokens === 0 && usage.usd === null ? [] : [`  used ${shortUsage(usage)}`]
  return [...all, ...thinkingLines(thinking)].map((line) => style.dim(line))
}

function thinkingLines(thinking: PlanRow['thinking']): readonly string[] {
  if (thinking === null) return []
  const { calls, fallbacks, usage } = thinking
  const instead = fallbacks === 0 ? '' : `; ${fallbacks} not judged (\`bosun log\` says why)`
  return [`  thinking: ${counted(calls, 'question')}, ${shortUsage(usage)}${instead}`]
}

/** The most characters of a failure reason; the log has all of it. */
const MOST_REASON = 200

/** The most rows of one list. */
const MOST_ROWS = 20

const more = (count: number, command: string, { style }: View): readonly string[] =>
  count <= 0 ? [] : [style.dim(`… and ${count} more (${command})`)]

/** Stuck tasks first, then running ones, then waiting ones. */
function rankOf({ status, trouble }: TaskRow): number {
  const order = ['escalated', 'failed', 'in_progress', 'ready']
  const place = order.indexOf(status)
  return trouble !== null ? 0 : 1 + (place === -1 ? order.length : place)
}

/** Failing effects: what fails, why, and when it is retried. */
export function troubleLines(
  plan: PlanRow,
  tasks: readonly TaskRow[],
  { style, now, offline = null }: Pick<View, 'style' | 'now' | 'offline'>,
): readonly string[] {
  const line = (head: string, { reason, failures, retry_at }: Trouble): string => {
    const leftMs = Date.parse(retry_at) - now
    const soon = leftMs > 0 ? `retry in ${formatDuration(leftMs)}` : 'retrying now'
    const next = offline === null ? soon : 'retried when a daemon runs'
    const times = failures === 1 ? '' : ` (failed ${failures} times)`
    return style.yellow(
      `  ${terminalLine(head)}: ${cutText(terminalLine(reason), MOST_REASON)}${times}; ${next}`,
    )
  }
  const ofTasks = tasks.flatMap(({ id, stage, since, trouble }) =>
    trouble === null ? [] : [line(`${id} ${stage.replaceAll('_', ' ')} ${ago(since, now)}`, trouble)],
  )
  return plan.trouble !== null ? [line(plan.trouble.what, plan.trouble), ...ofTasks] : ofTasks
}

const CALM = ['healthy', 'timeout_warning']

/** Why a worker is not healthy. */
function trouble({ id, health, reason }: WorkerRow, { style }: View): string[] {
  return CALM.includes(health)
    ? []
    : [style.yellow(`  ${id} is ${health.replaceAll('_', ' ')}: ${terminalLine(reason)}`)]
}

/** Worker counts of all plans: now, and in the last 24 hours. */
function fleetLines({ metrics, style }: View): string[] {
  if (metrics === undefined) return []
  const { watch } = metrics
  const tally = (counts: Readonly<Record<string, number>>): string =>
    Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([word, count]) => `${count} ${word.replaceAll('_', ' ')}`)
      .join(', ')
  const { completed = 0, failed = 0, ...atWork } = metrics.workers
  const now = tally(atWork)
  const ended = tally({ completed, failed })
  if (now === '' && watch.workers === 0) return []
  const rate = watch.success_rate === null ? '' : ` (${watch.success_rate} %)`
  const mean =
    watch.mean_completion_ms === null ? '' : `, ${formatDuration(watch.mean_completion_ms)} on average`
  const interventions = tally(watch.interventions)
  const active = tally(watch.interventions_active)
  return [
    `workers: ${now === '' ? 'none running' : now}${ended === '' ? '' : `; ${ended}`}`,
    style.dim(`  24 h: ${watch.completed} landed, ${watch.failed} failed${rate}${mean}`),
    ...(active === '' ? [] : [`  interventions now: ${active}`]),
    ...(interventions === '' ? [] : [style.dim(`  interventions: ${interventions}`)]),
  ]
}

/** A plan in two lines: progress, and the reason for its state. */
export function planHead(plan: PlanRow, { style }: Pick<View, 'style'>): string[] {
  const total = Object.values(plan.counts).reduce((sum, count) => sum + count, 0)
  const progress = `${plan.counts['completed'] ?? 0}/${total} done`
  const branch = plan.branch === null ? '' : `  ${plan.branch}`
  return [`${style.bold(plan.id)}  ${paint(plan, style)}  ${progress}${branch}`, style.dim(`  ${plan.why}`)]
}

/** A cancelled plan counts as done but is shown as cancelled. */
const isCancelled = ({ state, why }: PlanRow): boolean => state === 'done' && why.startsWith('cancelled ')

function paint(plan: PlanRow, style: Style): string {
  const { state } = plan
  if (isCancelled(plan)) return style.yellow('cancelled')
  if (state === 'done') return style.green(state)
  if (state === 'damaged') return style.red(state)
  return state === 'running' ? style.cyan(state) : style.yellow(state)
}

/** A task, its worker, and how long it has been in its stage. */
export function taskCells(task: TaskRow, workers: readonly WorkerRow[], now: number): readonly string[] {
  const worker = workers.find((row) => row.task === task.id)
  return [
    task.id,
    task.stage.replaceAll('_', ' '),
    task.tier,
    worker?.id ?? '',
    worker === undefined ? proofProgress(task, now) : workerProgress(worker, now),
    ago(task.since, now),
    task.title,
  ]
}

/** Its position in the landing queue, and the progress of its gate command. */
function proofProgress({ landing, check }: TaskRow, now: number): string {
  if (check === null) return landing ?? ''
  const parts = [
    landing ?? '',
    terminalLine(check.command).slice(0, 40),
    `${formatDuration(Math.max(0, now - Date.parse(check.started_at)))} so far`,
    check.tests === 0 ? '' : counted(check.tests, 'test'),
    check.last_ms === null ? '' : `took ${formatDuration(check.last_ms)} last time`,
  ]
  return parts.filter((part) => part !== '').join(', ')
}

/** Health, reported progress and remaining time. */
function workerProgress(row: WorkerRow, now: number): string {
  const { health, progress_pct, time_limit_at, current_step, last_checkin } = row
  const left = time_limit_at === null ? null : Date.parse(time_limit_at) - now
  const parts = [
    health.replaceAll('_', ' '),
    progress_pct === null
      ? ''
      : `${progress_pct} %${last_checkin === null ? '' : ` ${ago(last_checkin, now)} ago`}`,
    current_step === null ? '' : terminalLine(current_step).slice(0, 30),
    left === null ? '' : left > 0 ? `${formatDuration(left)} left` : 'over its time limit',
  ]
  return parts.filter((part) => part !== '').join(', ')
}

function needsYou({ inbox }: StatusReading, view: View): string[] {
  const { style, width, now, hasNextSteps, isWhole } = view
  const items = equalAsOne(inbox)
  const [first] = items
  const head = style.yellow(`! ${inbox.length} ${inbox.length === 1 ? 'item needs' : 'items need'} you`)
  const next = first === undefined || hasNextSteps === true ? [] : [style.dim(`next: ${answerLine(first)}`)]
  const shown = isWhole === true ? items : items.slice(0, MOST_ROWS)
  const rest = more(items.length - shown.length, 'bosun inbox', view)
  return [head, ...textTable(inboxLines(shown, now), width), ...rest, ...next]
}

/** Progress reports, one plan after the other. */
export function progressText(
  progress: ProgressAnswer['progress'],
  offline: Offline | null,
  style: Style,
): string {
  const head = offline === null ? [] : [offlineText(offline, style)]
  const reports = progress.map(({ text }) => text.split('\n').map(terminalLine).join('\n'))
  const all = reports.length === 0 ? ['No open plans.'] : reports
  return `${[...head, ...all].join('\n\n')}\n`
}

/** Without a completed loop for this long the daemon is stuck, even if it responds. */
const STUCK_MS = 10 * 60_000

/** The problem of the daemon; null when it is healthy. */
export function daemonHealth(
  { pulse, daemon }: Pick<StatusReading, 'pulse' | 'daemon'>,
  { style, now }: { readonly style: Style; readonly now: number },
): string | null {
  if (daemon === null) return null
  const last = new Date(pulse.last_loop ?? daemon.started_at)
  if (now - last.getTime() > STUCK_MS) {
    const since = localMoment(last, new Date(now))
    return style.red(
      `PM offline since ${since}: the daemon (pid ${daemon.pid}) is not responding; restart it: bosun stop, then bosun resume`,
    )
  }
  if (pulse.damage !== null) return style.red(terminalLine(pulse.damage))
  return pulse.overloaded === null
    ? null
    : style.yellow(`PM overloaded: ${pulse.overloaded}; no new work is started`)
}
