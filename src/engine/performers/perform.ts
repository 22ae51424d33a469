/** One performer per effect; nothing here decides. */
import { choiceOf } from '../../core/choice/choose-agent.ts'
import type { Effect } from '../../core/decide/effects.ts'
import { NOT_STARTED } from '../../core/delivery/not-started.ts'
import type { PlanEvent } from '../../core/events/plan-events.ts'
import { halvesOf } from '../../core/planning/slicing.ts'
import { judgeReview } from '../../core/review/judge-review.ts'
import { risksIn } from '../../core/state/report-claims.ts'
import { handleFailure } from '../../core/thinking/questions/handle-failure.ts'
import { reducedScopeText, reduceScope } from '../../core/thinking/questions/reduce-scope.ts'
import { reviewArtifact } from '../../core/thinking/questions/review-artifact.ts'
import { replan } from '../../core/thinking/questions/replan.ts'
import { formatDuration } from '../../lib/text/format-time.ts'
import { AgentUnavailable, type AskedSpecialist } from '../../ports/agent.ts'
import { NO_LONGER_OWED, type Performance, type Performer } from './performer.ts'
import { think } from './think.ts'

export function perform(effect: Effect, performance: Performance): Promise<readonly PlanEvent[]> {
  const performer = PERFORMERS[effect.kind] as Performer<Effect>
  return performer(effect, performance)
}

const PERFORMERS: { readonly [K in Effect['kind']]: Performer<Extract<Effect, { readonly kind: K }>> } = {
  async take_baseline(effect, { world, signal }) {
    const seen = await world.takeBaseline(effect, signal)
    return [{ type: 'plan.baselined', v: 2, ...seen, failing: [...seen.failing], audits: [...seen.audits] }]
  },

  async start_worker(effect, { world, plan, signal }) {
    const about = { worker: effect.worker, task: effect.spec.id, attempt: effect.attempt }
    try {
      const started = await world.agent.start({ ...effect, plan: plan.id, design: plan.design }, signal)
      const { agent, candidates, ...how } = started
      const named = agent === null ? {} : { agent }
      const others = candidates === undefined ? {} : { candidates: [...candidates] }
      return [{ type: 'worker.started', v: 1, ...about, ...named, ...how, ...others }]
    } catch (error) {
      if (!(error instanceof AgentUnavailable)) throw error
      const end = { kind: 'failed', reason: `${NOT_STARTED}${error.message}` } as const
      return [{ type: 'worker.ended', v: 1, ...about, end, report: null }]
    }
  },

  /** Saves the work, then stops the worker. The agent reports the end, since the worker may just have finished. */
  async stop_worker(effect, { world }) {
    if (effect.role !== 'reviewer') await world.workspace.save(effect)
    await world.agent.stop(effect.worker, effect.cause)
    return []
  },

  /**
   * Hands a message to an agent that accepts input while it works; else it waits for the next check-in. That it was
   * delivered is known once the agent has it. Where the worker gets it with a check-in before that, it is taken back.
   */
  async tell_worker({ worker, message }, { world, signal }) {
    const { id, permission } = message
    const takeBack = async (): Promise<void> => {
      if (signal.reason === NO_LONGER_OWED) await world.agent.send(worker, { kind: 'withdrawn', message: id })
    }
    // A worker that is gone, or gets it twice, does no harm.
    signal.addEventListener('abort', () => void takeBack().catch(() => undefined), { once: true })
    await world.agent.send(
      worker,
      permission === undefined
        ? { kind: 'prompt', message }
        : { kind: 'permission', ...permission, message: id },
    )
    return []
  },

  async extend_worker({ worker, task, attempt, extraMs, limitMs }, { world }) {
    await world.agent.extend(worker, limitMs)
    const why = `its limit is now ${formatDuration(limitMs)}`
    return [{ type: 'worker.extended', v: 1, worker, task, attempt, extraMs, why }]
  },

  async hold_worker({ worker, task, attempt, isHeld }, { world }) {
    await world.agent.hold(worker, isHeld)
    return [{ type: 'worker.clock_set', v: 1, worker, task, attempt, isHeld }]
  },

  async ask_specialist(effect, { world, plan, signal }) {
    const { worker, task, attempt, request: id } = effect
    const asked = { ...effect, plan: plan.id, design: plan.design }
    const { answer, usage } = (await world.specialist?.ask(asked, signal)) ?? NO_SPECIALIST
    const used = usage === undefined ? {} : { usage }
    const answered = { worker, task, attempt, id, answer, ...used }
    return [{ type: 'specialist.answered', v: 1, ...answered }]
  },

  async collect_work(effect, { world }) {
    const collected = await world.workspace.collect(effect)
    const { tree, onto, changed, salvage, patch, refused, conflicts, scan } = collected
    const { worker, task, attempt, ahead, landings } = effect
    const work = { tree, onto, changed: [...changed], salvage, ahead: [...ahead], landings }
    const read = { ...(patch === undefined ? {} : { patch }), ...(scan === undefined ? {} : { scan }) }
    const judged = refused === undefined ? {} : { refused, ...(conflicts === true ? { conflicts } : {}) }
    return [{ type: 'work.collected', v: 1, worker, task, attempt, ...work, ...read, ...judged }]
  },

  async run_gates(effect, { world, signal }) {
    const verdicts = [...(await world.gates.run(effect, signal))]
    const { spec, attempt, tree, scope } = effect
    return [{ type: 'task.gated', v: 2, task: spec.id, attempt, tree, scope, verdicts }]
  },

  async commit_task(effect, { world }) {
    const { draft, tag } = effect
    const about = { task: effect.spec.id, attempt: effect.attempt }
    const done = await world.workspace.commit(effect)
    if (!done.ok) {
      const { reason, moved = false } = done
      return [{ type: 'task.commit_refused', v: 1, ...about, reason, moved }]
    }
    const { sha, branch } = done
    const landed = { tree: draft.tree, sha, branch, tag, artifacts: [...done.artifacts] }
    return [{ type: 'task.committed', v: 1, ...about, ...landed, risks: [...risksIn(draft.report)] }]
  },

  async replan({ spec, feedback, spentUsd = 0 }, performance) {
    const about = { ...performance, task: spec.id, spentUsd }
    const { answer, by, events } = await think(replan, { spec, feedback }, about)
    const parts = halvesOf(spec)
    const split = parts.length === 0 ? {} : { parts: [...parts] }
    return [...events, { type: 'task.replanned', v: 1, task: spec.id, ...answer, by, ...split }]
  },

  async assess_failure(effect, performance) {
    const { spec, attempt, cause, failed, attemptsLeft, spentUsd } = effect
    const about = { ...performance, task: spec.id, size: choiceOf(spec).model, spentUsd }
    const input = { spec, attempt, cause, failed, attemptsLeft }
    const { answer, by, events } = await think(handleFailure, input, about)
    const { move: proposal, note } = answer
    const reduced = proposal === 'reduce_scope' ? await think(reduceScope, input, about) : null
    const advice = reduced === null ? answer.advice : reducedScopeText(reduced.answer)
    return [
      ...events,
      ...(reduced?.events ?? []),
      { type: 'task.failure_assessed', v: 1, task: spec.id, attempt, proposal, note, advice, by },
    ]
  },

  async review_artifact(effect, performance) {
    const { spec, attempt, round, tree, spentUsd, passMinor, changed, checked, explanation } = effect
    const change = (await performance.world.changeText?.({ task: spec.id, attempt, tree })) ?? ''
    const input = { spec, changed, change, checked, explanation }
    const { answer, by, events } = await think(reviewArtifact, input, {
      ...performance,
      task: spec.id,
      spentUsd,
    })
    const report = {
      verdict: answer.verdict === 'approve' ? ('approved' as const) : ('changes_requested' as const),
      summary: answer.summary,
      issues: answer.issues.map(({ how_to_fix: howToFix, ...issue }) => ({ ...issue, howToFix })),
    }
    // The question allows no report that names nothing to change.
    const { remark, issues, ...judged } = judgeReview(report, { passMinor }) ?? { ...report, remark: null }
    const about = { task: spec.id, attempt, round, by, ...(remark === null ? {} : { remark }) }
    return [...events, { type: 'task.reviewed', v: 1, ...about, ...judged, issues: [...issues] }]
  },

  async run_integration(effect, { world, signal }) {
    const { tree, results } = await world.integration.run(effect, signal)
    const { layer, round } = effect
    return [{ type: 'integration.ran', v: 2, layer, round, tree, results: [...results] }]
  },

  async diagnose_layer(effect, { world, signal }) {
    const diagnoses = await world.integration.diagnose(effect, signal)
    const { layer, round } = effect
    return [{ type: 'integration.diagnosed', v: 1, layer, round, diagnoses: [...diagnoses] }]
  },

  async run_release_gate(effect, { world, signal }) {
    const { tree, verdicts } = await world.gates.runRelease(effect, signal)
    return [{ type: 'release.gated', v: 2, round: effect.round, tree, verdicts: [...verdicts] }]
  },

  async prepare_release(effect, { world }) {
    const { sha, manifest } = await world.workspace.prepareRelease(effect)
    return [{ type: 'release.prepared', v: 1, sha, manifest }]
  },

  async report_progress({ why, text }) {
    return [{ type: 'progress.reported', v: 1, why, text }]
  },
}

const NO_SPECIALIST: AskedSpecialist = { answer: { outcome: 'none', text: 'there is no specialist' } }
