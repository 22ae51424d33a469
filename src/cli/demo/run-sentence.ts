/** `bosun demo --from-sentence`: one sentence, understood by rules, delivered by the scripted crew as a branch. */
import { DEMO_SENTENCE } from '../../app/demo/make-demo.ts'
import { plainGit, type ThrowAwayPlace } from '../../app/plans/throw-away.ts'
import type { PlanAnswer } from '../../protocol/answers.ts'
import type { ReleaseAnswer } from '../../protocol/release-answer.ts'
import type { IntakeAnswer } from '../../protocol/intake.ts'
import type { Call, CommandResult } from '../command.ts'
import { intakeText } from '../start/intake-view.ts'
import { sentenceHead, sentenceText } from './demo-view.ts'
import { furtherCommands } from './demo-commands.ts'
import { followDemo } from './demo-follow.ts'
import { patienceOf, showPage } from './demo-page.ts'
import { playDemo, type DemoRun } from './play-demo.ts'

export const runSentenceDemo = (call: Call, interrupted: AbortSignal): Promise<CommandResult | null> =>
  playDemo(call, interrupted, {
    limitMs: 3 * 60_000,
    head: sentenceHead,
    deliver,
    report: reportOf,
    result: (report, exit) => ({
      exit,
      document: report,
      text: (style) => sentenceText(report, style),
    }),
  })

interface Delivered {
  readonly intake: IntakeAnswer
  readonly report: PlanAnswer
  readonly release: ReleaseAnswer
}

/** Null when interrupted. */
async function deliver(call: Call, { place, services, until }: DemoRun): Promise<Delivered | null> {
  if (until.aborted) return null
  const daemon = await services.daemon()
  const cwd = place.repository
  await showPage(call, daemon, place)
  const intake = await daemon.post('/api/intake', {
    cwd,
    text: DEMO_SENTENCE,
    type: 'feature_request',
    scope: 'small',
  })
  if (!call.json) await call.terminal.print(`${intakeText(intake, call.terminal.style)}\n`)
  if (intake.plan === null || until.aborted) return null
  const begun = await daemon.post('/api/plans', { cwd, path: '-', text: intake.plan.text })
  const report = await followDemo(call, { daemon, begun, until, patience: patienceOf(call) })
  if (report === null) return null
  const release = await daemon.get('/api/plans/{id}/release', { id: intake.plan.id })
  return { intake, report, release }
}

export type SentenceReport = Awaited<ReturnType<typeof reportOf>> & { readonly elapsed_ms: number }

async function reportOf(place: ThrowAwayPlace, delivered: Delivered | null) {
  const { folder, repository, home } = place
  const outcome = delivered?.report.outcome ?? ('cut_short' as const)
  const { type = null, scope = null, workflow = null } = delivered?.intake ?? {}
  const wanted = { type: 'feature_request', scope: 'small', workflow: 'direct' }
  const isUnderstood = type === wanted.type && scope === wanted.scope && workflow === wanted.workflow
  const missing = [
    ...(isUnderstood ? [] : [`the sentence was understood as ${type}, ${scope}, ${workflow}`]),
    ...(outcome === 'released'
      ? []
      : [`the plan was not released: ${delivered?.report.plans[0]?.why ?? ''}`]),
  ]
  return {
    folder,
    repository,
    home,
    sentence: DEMO_SENTENCE,
    type,
    scope,
    workflow,
    plan: delivered?.intake.plan?.id ?? null,
    outcome,
    branch: delivered?.release.branch ?? null,
    manifest: delivered?.release.manifest ?? null,
    commits: delivered?.release.commits ?? [],
    summary: delivered?.release.summary ?? null,
    graph: await plainGit(repository, place.env, ['log', '--graph', '--all', '--format=%h %s%d']),
    /** What did not happen although it should have. */
    missing,
    cleanup: (await furtherCommands(place)).cleanup,
  }
}
