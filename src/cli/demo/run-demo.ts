/**
 * `bosun demo`: creates a repository, delivers a plan or a sentence in it with scripted agents, and checks that all of it
 * happened.
 */
import { DEMO_PLAN, DEMO_SENTENCE, makeDemo, plainGit, type ThrowAwayPlace } from '../../app/plans/dry-run.ts'
import { hasHappened, STORY, summaryOf } from '../../app/demo/story.ts'
import { readPlanText } from '../../app/plans/read-plan.ts'
import type { Daemon } from '../../client/daemon.ts'
import type { ActivityAnswer, PlanAnswer } from '../../protocol/answers.ts'
import type { IntakeAnswer } from '../../protocol/intake.ts'
import type { ReleaseAnswer } from '../../protocol/plan-views.ts'
import { resultOf, type Call, type CommandResult } from '../command.ts'
import type { Services } from '../services.ts'
import { intakeText } from '../start/intake-view.ts'
import { followDemo } from './demo-follow.ts'
import { furtherCommands, keptOpen, patienceOf, showPage } from './demo-page.ts'
import { demoHead, demoText } from './demo-view.ts'

const TASKS = 8
/** Ends a demo that hangs; the slowest machine needs less. */
const LIMIT_MS = { plan: 10 * 60_000, sentence: 3 * 60_000 }

export async function runDemo(call: Call): Promise<CommandResult> {
  const interrupted = call.services.interruption()
  try {
    return await play(call, interrupted)
  } catch (error) {
    // Ctrl-C also reaches the child processes; their failure is expected then.
    if (interrupted.aborted) return ENDED
    throw error
  }
}

const ENDED = resultOf({ outcome: 'interrupted' }, '', 'interrupted')

/** Leaves nothing running in any case. */
async function play(call: Call, interrupted: AbortSignal): Promise<CommandResult> {
  const from = call.flag('from-sentence') ? 'sentence' : 'plan'
  const startedAt = Date.now()
  const place = await makeDemo(call.terminal.env)
  const services = call.services.elsewhere({ cwd: place.repository, env: place.env })
  try {
    if (!call.json) await call.terminal.print(demoHead(from, place, call.terminal))
    const until = AbortSignal.any([interrupted, AbortSignal.timeout(LIMIT_MS[from])])
    const delivered = await deliver(call, { from, place, services, until })
    if (delivered === null && interrupted.aborted) {
      call.terminal.printMessage(`stopped the demo; its files are in ${place.folder}\n`)
      return ENDED
    }
    const report = from === 'plan' ? planReport(delivered) : sentenceReport(delivered)
    const document = {
      ...(await commonReport(place, delivered)),
      ...report,
      ...(await furtherCommands(place, from)),
      elapsed_ms: Date.now() - startedAt,
    }
    const exit = report.missing.length === 0 ? 'ok' : 'failed'
    const result = resultOf(document, (style) => demoText(document, style), exit)
    return await keptOpen(call, services, interrupted, result)
  } finally {
    await stopEverything(services)
  }
}

interface DemoRun {
  readonly from: 'plan' | 'sentence'
  readonly place: ThrowAwayPlace
  readonly services: Services
  readonly until: AbortSignal
}

interface Delivered {
  /** Null for the plan of the demo. */
  readonly intake: IntakeAnswer | null
  readonly report: PlanAnswer
  readonly log: ActivityAnswer
  readonly release: ReleaseAnswer
}

/** Null when interrupted. */
async function deliver(call: Call, { from, place, services, until }: DemoRun): Promise<Delivered | null> {
  if (until.aborted) return null
  const daemon = await services.daemon()
  if (until.aborted) return null
  const cwd = place.repository
  await showPage(call, daemon, place)
  const intake = from === 'plan' ? null : await understood(call, daemon, cwd)
  const given = intake === null ? await demoPlan(cwd) : intake.plan && { ...intake.plan, path: '-' }
  if (given === null || until.aborted) return null
  const { id, path, text } = given
  const begun = await daemon.post('/api/plans', { cwd, path, text })
  const report = await followDemo(call, { daemon, begun, until, patience: patienceOf(call) })
  if (report === null) return null
  const [log, release] = await Promise.all([
    daemon.get('/api/activity', { limit: 10_000 }),
    daemon.get('/api/plans/{id}/release', { id }),
  ])
  return { intake, report, log, release }
}

async function demoPlan(cwd: string) {
  const { id, path } = DEMO_PLAN
  const text = await readPlanText({ path, cwd, readInput: () => Promise.resolve(new Uint8Array()) })
  return { id, path, text }
}

async function understood(call: Call, daemon: Daemon, cwd: string): Promise<IntakeAnswer> {
  const request = { cwd, text: DEMO_SENTENCE, type: 'feature_request', scope: 'small' }
  const intake = await daemon.post('/api/intake', request)
  if (!call.json) await call.terminal.print(`${intakeText(intake, call.terminal.style)}\n`)
  return intake
}

/** `missing`: what did not happen although it should have. */
export type DemoReport = Awaited<ReturnType<typeof commonReport>> &
  Awaited<ReturnType<typeof furtherCommands>> &
  (ReturnType<typeof planReport> | ReturnType<typeof sentenceReport>) & { readonly elapsed_ms: number }

async function commonReport({ folder, repository, home, env }: ThrowAwayPlace, delivered: Delivered | null) {
  const { branch = null, manifest = null, commits = [], summary = null } = delivered?.release ?? {}
  const graph = await plainGit(repository, env, ['log', '--graph', '--all', '--format=%h %s%d'])
  const outcome = delivered?.report.outcome ?? ('cut_short' as const)
  return { folder, repository, home, outcome, branch, manifest, commits, summary, graph }
}

function planReport(delivered: Delivered | null) {
  const log = delivered?.log.activity ?? []
  const completed = delivered?.report.plans[0]?.counts['completed'] ?? 0
  const story = STORY.map((chapter) => {
    const { name, task } = chapter
    return { name, task, told: summaryOf(chapter, log), happened: hasHappened(chapter, log) }
  })
  const missing = [
    ...(completed === TASKS ? [] : [`${completed} of ${TASKS} tasks were completed`]),
    ...unreleased(delivered),
    ...story
      .filter(({ happened }) => !happened)
      .map(({ told, task }) => `not in the log: ${told} (task ${task})`),
  ]
  return { plan: DEMO_PLAN.id, completed, story, missing }
}

function sentenceReport(delivered: Delivered | null) {
  const { type = null, scope = null, workflow = null, plan = null } = delivered?.intake ?? {}
  const isUnderstood = type === 'feature_request' && scope === 'small' && workflow === 'direct'
  const missing = [
    ...(isUnderstood ? [] : [`the sentence was understood as ${type}, ${scope}, ${workflow}`]),
    ...unreleased(delivered),
  ]
  return { sentence: DEMO_SENTENCE, type, scope, workflow, plan: plan?.id ?? null, missing }
}

const unreleased = (delivered: Delivered | null): readonly string[] =>
  delivered?.report.outcome === 'released'
    ? []
    : [`the plan was not released: ${delivered?.report.plans[0]?.why ?? ''}`]

const WORKERS_GONE_MS = 30_000
const POLL_MS = 100

/** Cancels plans that still run, waits for their workers to end, then stops the daemon. */
async function stopEverything(services: Services): Promise<void> {
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
