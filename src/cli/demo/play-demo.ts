/** One demo from its new repository to its report, whatever is delivered in it. */
import { makeDemo } from '../../app/demo/make-demo.ts'
import type { ThrowAwayPlace } from '../../app/plans/throw-away.ts'
import type { Call, CommandResult } from '../command.ts'
import type { Services } from '../services.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { keptOpen } from './demo-page.ts'
import type { Daemon } from '../../client/daemon.ts'

export interface DemoRun {
  readonly place: ThrowAwayPlace
  readonly services: Services
  readonly until: AbortSignal
}

interface Demo<Delivered, Report> {
  /** Ends a demo that hangs; the slowest machine needs less. */
  readonly limitMs: number
  head(place: ThrowAwayPlace, terminal: Terminal): string
  /** Null when interrupted. */
  deliver(call: Call, run: DemoRun): Promise<Delivered | null>
  report(place: ThrowAwayPlace, delivered: Delivered | null): Promise<Report>
  result(report: Report & { readonly elapsed_ms: number }, exit: 'ok' | 'failed'): CommandResult
}

/** Null when interrupted. Leaves nothing running in any case. */
export async function playDemo<Delivered, Report extends { readonly missing: readonly string[] }>(
  call: Call,
  interrupted: AbortSignal,
  demo: Demo<Delivered, Report>,
): Promise<CommandResult | null> {
  const startedAt = Date.now()
  const place = await makeDemo(call.terminal.env)
  const services = call.services.elsewhere({ cwd: place.repository, env: place.env })
  try {
    if (!call.json) await call.terminal.print(demo.head(place, call.terminal))
    const until = AbortSignal.any([interrupted, AbortSignal.timeout(demo.limitMs)])
    const delivered = await demo.deliver(call, { place, services, until })
    if (delivered === null && interrupted.aborted) {
      call.terminal.printMessage(`stopped the demo; its files are in ${place.folder}\n`)
      return null
    }
    const report = { ...(await demo.report(place, delivered)), elapsed_ms: Date.now() - startedAt }
    const exit = report.missing.length === 0 ? 'ok' : 'failed'
    return await keptOpen(call, services, interrupted, demo.result(report, exit))
  } finally {
    await stopEverything(services)
  }
}

const WORKERS_GONE_MS = 30_000
const POLL_MS = 100

/** Cancels plans that still run, waits for their workers to end, then stops the daemon. */
export async function stopEverything(services: Services): Promise<void> {
  const daemon = await services.daemonIfWanted()
  if (daemon === null) return
  const { plans } = await daemon.get('/api/status')
  for (const { id } of plans) await endPlan(daemon, id)
  await services.stopDaemon()
}

async function endPlan(daemon: Daemon, id: string): Promise<void> {
  if ((await daemon.get('/api/plans/{id}', { id })).outcome !== 'moving') return
  await daemon.post('/api/plans/{id}/cancel', { by: 'the demo', reason: 'it was cut short' }, { id })
  const deadline = Date.now() + WORKERS_GONE_MS
  while ((await daemon.get('/api/plans/{id}', { id })).workers.length > 0 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
