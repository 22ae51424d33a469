/** `bosun status` and `bosun watch`: the state once, or live. */
import { resultOf, type Call, type CommandResult } from '../command.ts'
import type { Daemon } from '../../client/daemon.ts'
import type { MetricsAnswer, StatusReading, PlanRow } from '../../protocol/answers.ts'
import type { Offline } from '../services.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import { progressText, statusDocument, statusText } from './status-view.ts'
import { followerFor } from '../follow.ts'
import { followDaemons } from './follow-daemons.ts'
import { forecastText } from '../../lib/text/format-forecast.ts'

export async function showStatus(call: Call): Promise<CommandResult> {
  await using from = await call.services.reading()
  const { offline } = from
  const isWhole = call.flag('all')
  const progress = call.flag('progress') ? (await from.get('/api/progress')).progress : null
  const [status, metrics] = await Promise.all([
    from.get('/api/status', { records: call.json ? 'true' : undefined }),
    from.get('/api/metrics'),
  ])
  const { width } = call.terminal
  const lines = call.json ? [] : await Promise.all(status.plans.map((plan) => forecastLine(from, plan)))
  const forecasts = new Map(status.plans.map((plan, at) => [plan, lines[at] ?? null]))
  return resultOf(
    { ...statusDocument(status, offline), ...(progress === null ? {} : { progress }) },
    (style) =>
      progress === null
        ? statusText(status, { style, width, now: Date.now(), forecasts, metrics, offline, isWhole })
        : progressText(progress, offline, style),
  )
}

export async function watch(call: Call): Promise<CommandResult> {
  const interrupted = call.services.interruption()
  let [status, metrics, offline] = await firstStatus(call)
  const { style, width } = call.terminal
  const text = (): string => statusText(status, { style, width, now: Date.now(), metrics, offline })
  const block = (): readonly string[] => ['', ...text().trimEnd().split('\n')]
  if (offline !== null && !call.json) call.terminal.printMessage(text())
  const follower = followerFor(call, { command: 'watch', block, isOnePlan: false })
  try {
    const from = { after: status.seq, interrupted, notices: follower.notices }
    for await (const { daemon, message } of followDaemons(call, from)) {
      if (message !== null && (await follower.show(message)) === 'unwanted') break
      if (call.terminal.output !== 'terminal') continue
      ;[status, metrics] = await statusFrom(daemon)
      offline = null
      await follower.refresh()
    }
  } finally {
    await follower.end()
  }
  return resultOf({ ended: true }, '', 'interrupted')
}

const statusFrom = (from: Pick<Daemon, 'get'>): Promise<[StatusReading, MetricsAnswer]> =>
  Promise.all([from.get('/api/status'), from.get('/api/metrics')])

async function firstStatus(call: Call): Promise<[StatusReading, MetricsAnswer, Offline | null]> {
  await using from = await call.services.reading()
  return [...(await statusFrom(from)), from.offline]
}

const SHOWN = 5

/**
 * Whether the base branch of a plan has moved, and whether a merge would conflict, in a line for the person who merges; null
 * where there is nothing to report or the forecast failed.
 */
export async function forecastLine(
  daemon: Pick<Daemon, 'get'>,
  plan: PlanRow | undefined,
): Promise<string | null> {
  if (plan === undefined || plan.branch === null) return null
  try {
    const { id, repo } = plan
    const { forecast } = await daemon.get('/api/plans/{id}/forecast', { id, repo })
    const text = forecast === null ? null : forecastText(forecast, SHOWN)
    return text === null ? null : terminalLine(text)
  } catch {
    // The forecast is optional: the command is about the plan.
    return null
  }
}
