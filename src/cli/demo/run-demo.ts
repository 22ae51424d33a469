/** `bosun demo`: creates a repository, delivers a plan in it with scripted agents, and checks that all of it happened. */
import { DEMO_PLAN } from '../../app/demo/make-demo.ts'
import { STORY, hasHappened, summaryOf } from '../../app/demo/story.ts'
import { readPlanText } from '../../app/plans/read-plan.ts'
import { plainGit, type ThrowAwayPlace } from '../../app/plans/throw-away.ts'
import type { ActivityAnswer, PlanAnswer } from '../../protocol/answers.ts'
import type { ReleaseAnswer } from '../../protocol/release-answer.ts'
import type { Call, CommandResult } from '../command.ts'
import { furtherCommands } from './demo-commands.ts'
import { followDemo } from './demo-follow.ts'
import { patienceOf, showPage } from './demo-page.ts'
import { playDemo, type DemoRun } from './play-demo.ts'
import { demoHead, demoText } from './demo-view.ts'

const TASKS = 8

export async function runDemo(call: Call): Promise<CommandResult> {
  const interrupted = call.services.interruption()
  try {
    if (call.flag('from-sentence')) {
      const { runSentenceDemo } = await import('./run-sentence.ts')
      return (await runSentenceDemo(call, interrupted)) ?? ENDED
    }
    return (await runToEnd(call, interrupted)) ?? ENDED
  } catch (error) {
    // Ctrl-C also reaches the child processes; their failure is expected then.
    if (interrupted.aborted) return ENDED
    throw error
  }
}

const ENDED: CommandResult = {
  exit: 'interrupted',
  document: { outcome: 'interrupted' },
  text: () => '',
}

const runToEnd = (call: Call, interrupted: AbortSignal): Promise<CommandResult | null> =>
  playDemo(call, interrupted, {
    limitMs: 10 * 60_000,
    head: demoHead,
    deliver,
    report: reportOf,
    result: (report, exit) => ({
      exit,
      document: report,
      text: (style) => demoText(report, style),
    }),
  })

interface Delivered {
  readonly report: PlanAnswer
  readonly log: ActivityAnswer
  readonly release: ReleaseAnswer
}

/** Null when interrupted. */
async function deliver(call: Call, { place, services, until }: DemoRun): Promise<Delivered | null> {
  if (until.aborted) return null
  const daemon = await services.daemon()
  if (until.aborted) return null
  const { path, id } = DEMO_PLAN
  const cwd = place.repository
  const text = await readPlanText({ path, cwd, readInput: () => Promise.resolve(new Uint8Array()) })
  await showPage(call, daemon, place)
  const begun = await daemon.post('/api/plans', { cwd, path, text })
  const report = await followDemo(call, { daemon, begun, until, patience: patienceOf(call) })
  if (report === null) return null
  const [log, release] = await Promise.all([
    daemon.get('/api/activity', { limit: 10_000 }),
    daemon.get('/api/plans/{id}/release', { id }),
  ])
  return { report, log, release }
}

export type DemoReport = Awaited<ReturnType<typeof reportOf>> & { readonly elapsed_ms: number }

async function reportOf(place: ThrowAwayPlace, delivered: Delivered | null) {
  const { folder, repository, home } = place
  const log = delivered?.log.activity ?? []
  const completed = delivered?.report.plans[0]?.counts['completed'] ?? 0
  const story = STORY.map((chapter) => {
    const { name, task } = chapter
    return { name, task, told: summaryOf(chapter, log), happened: hasHappened(chapter, log) }
  })
  const outcome = delivered?.report.outcome ?? ('cut_short' as const)
  const missing = [
    ...(completed === TASKS ? [] : [`${completed} of ${TASKS} tasks were completed`]),
    ...(outcome === 'released'
      ? []
      : [`the plan was not released: ${delivered?.report.plans[0]?.why ?? ''}`]),
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
    graph: await plainGit(repository, place.env, ['log', '--graph', '--all', '--format=%h %s%d']),
    story,
    /** Expected events that did not happen. */
    missing,
    ...(await furtherCommands(place)),
  }
}
