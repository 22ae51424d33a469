/** `bosun demo`: makes a repository, delivers a plan in it with the scripted crew, and checks that it kept its word. */
import { demoGit, DEMO_PLAN, makeDemo, type DemoPlace } from '../app/demo/make-demo.ts'
import { STORY, wasTold } from '../app/demo/story.ts'
import { readPlanText } from '../app/read-plan.ts'
import type { Daemon } from '../client/daemon.ts'
import type { ActivityAnswer, PlanAnswer, RegisteredAnswer, ReleaseAnswer } from '../protocol/answers.ts'
import type { Call, CommandResult } from './command.ts'
import { lookFurther } from './demo-commands.ts'
import { followDemo } from './demo-follow.ts'
import { demoHead, demoText, type DemoReport } from './demo-view.ts'
import type { Parts } from './parts.ts'

/** Longer than the slowest machine takes; what hangs must not hang for ever. */
const LIMIT_MS = 10 * 60_000
const WORKERS_GONE_MS = 30_000
const POLL_MS = 100
const TASKS = 8

export async function runDemo(call: Call): Promise<CommandResult> {
  const interrupted = call.parts.interruption()
  const startedAt = Date.now()
  if (call.flag('open')) call.terminal.say('there is no page to open yet; everything is shown here\n')
  const place = await makeDemo(call.terminal.env)
  const there = call.parts.elsewhere({ cwd: place.repository, env: place.env })
  if (!call.json) await call.terminal.print(demoHead(place, call.terminal))
  try {
    const until = AbortSignal.any([interrupted, AbortSignal.timeout(LIMIT_MS)])
    const delivered = until.aborted ? null : await deliver(call, { place, there, until })
    if (delivered === null && interrupted.aborted) return interruptedResult(call, place)
    const report = { ...(await reportOf(place, delivered)), elapsed_ms: Date.now() - startedAt }
    const exit = report.missing.length === 0 ? 'ok' : 'failed'
    return { exit, document: { ...report }, text: (style) => demoText(report, style) }
  } finally {
    await clearDeck(there)
  }
}

interface Voyage {
  readonly place: DemoPlace
  readonly there: Parts
  readonly until: AbortSignal
}

interface Delivered {
  readonly report: PlanAnswer
  readonly log: ActivityAnswer
  readonly release: ReleaseAnswer
}

/** Null when it was cut short. */
async function deliver(call: Call, { place, there, until }: Voyage): Promise<Delivered | null> {
  const daemon = await there.daemon()
  const { path, id } = DEMO_PLAN
  const cwd = place.repository
  const text = await readPlanText({ path, cwd, readInput: () => Promise.resolve(new Uint8Array()) })
  const begun = await daemon.post<RegisteredAnswer>('/api/plans', { cwd, path, text })
  const report = await followDemo(call, { daemon, begun, until })
  if (report === null) return null
  const [log, release] = await Promise.all([
    daemon.get<ActivityAnswer>('/api/activity', { limit: 10_000 }),
    daemon.get<ReleaseAnswer>(`/api/plans/${id}/release`),
  ])
  return { report, log, release }
}

async function reportOf(
  place: DemoPlace,
  delivered: Delivered | null,
): Promise<Omit<DemoReport, 'elapsed_ms'>> {
  const { folder, repository, home } = place
  const log = delivered?.log.activity ?? []
  const completed = delivered?.report.plans[0]?.counts['completed'] ?? 0
  const story = STORY.map((chapter) => {
    const { name, task, told } = chapter
    return { name, task, told, happened: wasTold(chapter, log) }
  })
  const outcome = delivered?.report.outcome ?? 'cut_short'
  const missing = [
    ...(completed === TASKS ? [] : [`${completed} of ${TASKS} tasks were completed`]),
    ...(outcome === 'released' ? [] : [`the plan is not released: ${delivered?.report.plans[0]?.why ?? ''}`]),
    ...story
      .filter(({ happened }) => !happened)
      .map(({ told, task }) => `not in the log: ${told} (task ${task})`),
  ]
  return {
    folder,
    repository,
    home,
    plan: DEMO_PLAN.id,
    outcome,
    completed,
    branch: delivered?.release.branch ?? null,
    manifest: delivered?.release.manifest ?? null,
    commits: delivered?.release.commits ?? [],
    summary: delivered?.release.summary ?? null,
    graph: await demoGit(place, ['log', '--graph', '--all', '--format=%h %s%d']),
    story,
    missing,
    ...(await lookFurther(place)),
  }
}

/** Nothing is left running: neither a worker nor the daemon. */
async function clearDeck(there: Parts): Promise<void> {
  const daemon = await there.daemonIfWanted()
  if (daemon === null) return
  await endWorkers(daemon)
  await there.stopDaemon()
}

async function endWorkers(daemon: Daemon): Promise<void> {
  const status = () => daemon.get<{ readonly workers: readonly unknown[] }>('/api/status')
  if ((await status()).workers.length === 0) return
  await daemon.post(`/api/plans/${DEMO_PLAN.id}/cancel`, { by: 'the demo', reason: 'it was cut short' })
  const deadline = Date.now() + WORKERS_GONE_MS
  while ((await status()).workers.length > 0 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

function interruptedResult(call: Call, { folder }: DemoPlace): CommandResult {
  call.terminal.say(`the demo was ended; its folder is ${folder}\n`)
  return { exit: 'interrupted', document: { folder, outcome: 'interrupted' }, text: () => '' }
}
