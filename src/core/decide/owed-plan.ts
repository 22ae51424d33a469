/** What the plan as a whole owes: its baseline, its milestones, its release. */
import { MAX_INCONCLUSIVE, MAX_INTEGRATION_ROUNDS, MAX_REMEDIATION_ROUNDS } from '../state/budgets.ts'
import { unmappedCriteria } from '../delivery/release/unproven.ts'
import { diagnosticTask, remediationTasks } from '../delivery/extra-tasks.ts'
import { wholeChange } from './whole-change.ts'
import {
  ask,
  opened,
  rejectionQuestion,
  releaseGateEscalation,
  riskEscalation,
  taskEscalation,
} from '../delivery/inbox/inbox-items.ts'
import { nextPlanQuestion } from '../delivery/inbox/plan-questions.ts'
import {
  completenessEscalation,
  nothingBuiltQuestion,
  pausedEscalation,
  proposalQuestion,
  signOffItem,
} from '../delivery/inbox/release-items.ts'
import { releaseManifest } from '../delivery/release/release-manifest.ts'
import { releaseNotes } from '../delivery/release/release-summary.ts'
import { atStart, openTrials, checksQuestion } from '../delivery/inbox/checks-question.ts'
import { spentOnThinking } from './assess-failure.ts'
import type { DiagnoseLayer } from './effects.ts'
import type { PlanEvent } from '../events/plan-events.ts'
import type { Obligation } from './owed.ts'
import { risksForPerson } from '../state/open-risks.ts'
import { askedAbout, hasBuiltNothing, unfinished, type LayerState, type PlanState } from '../state/state.ts'

export function* owedByPlan(state: PlanState): Generator<Obligation> {
  const { release } = state
  if (release.step === 'signed') return
  if (release.step === 'prepared') {
    yield ask(state, signOffItem(state))
    return
  }
  if (state.pauseDue !== null) {
    yield { decision: [paused(state.pauseDue)] }
    return
  }
  if (state.paused !== null) {
    // A person who paused it knows that it waits.
    if (state.paused.by === RULES) yield ask(state, pausedEscalation(state, state.paused.reason))
    return
  }
  if (state.proposal !== null) {
    yield ask(state, proposalQuestion(state, state.proposal))
    return
  }
  if (state.baseline === null) {
    const tasks = [...state.tasks.values()].map((task) => task.spec)
    const { baselineRounds: round, checkChoices: choices } = state
    const again = round === 0 ? {} : { round, choices }
    const key = round === 0 ? 'baseline' : `baseline ${round}`
    yield { effect: { kind: 'take_baseline', key, tasks, ...again } }
    return
  }
  const trials = openTrials(state)
  if (trials.length > 0) {
    yield ask(state, checksQuestion(state, trials))
    return
  }
  const question = nextPlanQuestion(state)
  if (question !== null) yield { decision: [opened(question)] }
  for (const [task, because] of state.reclassify) {
    const reasons = [`depends on task ${because}, which turned out to be critical`]
    yield { decision: [{ type: 'task.tier_raised', v: 1, task: task.spec.id, tier: 'critical', reasons }] }
  }
  for (const task of state.reask) {
    if (task.cause !== null) yield { decision: [opened(taskEscalation(state, task, task.cause))] }
  }
  yield* owedByRejections(state)
  yield* owedByLayers(state)
  if (unfinished(state) === 0 && areLayersPassed(state)) yield owedByRelease(state)
}

const RULES = 'rules'

const paused = (reason: string): PlanEvent => ({
  type: 'plan.paused',
  v: 1,
  by: RULES,
  reason,
  stopWorkers: false,
})

/** A rejected task is replanned: the brain proposes, and a person decides. */
function* owedByRejections(state: PlanState): Generator<Obligation> {
  for (const id of state.rejected) {
    const task = state.tasks.get(id)
    if (task === undefined || state.asked.has(askedAbout({ subject: 'rejection', about: id }))) continue
    const { spec, feedback, attempt, proposal } = task
    yield proposal === null
      ? {
          effect: {
            kind: 'replan',
            key: `replan ${id} ${attempt}`,
            spec,
            feedback,
            ...spentOnThinking(state),
          },
        }
      : { decision: [opened(rejectionQuestion(state, task, proposal))] }
  }
}

const areLayersPassed = (state: PlanState): boolean =>
  [...state.layers.values()].every((layer) => layer.status === 'passed')

function* owedByLayers(state: PlanState): Generator<Obligation> {
  for (const [name, layer] of state.layers) {
    if (layer.status === 'due') {
      const round = layer.runs + 1
      const key = `integration ${name} ${round}`
      const { tests } = layer
      yield {
        effect: { kind: 'run_integration', key, layer: name, round, tests, ...atStart(state) },
      }
    }
    if (layer.status !== 'failed') continue
    if (layer.diagnoses >= MAX_INTEGRATION_ROUNDS) {
      yield { decision: [paused(`integration of ${name} still fails after ${layer.diagnoses} rounds`)] }
      continue
    }
    if (layer.diagnosis === null) {
      yield { effect: diagnose(state, name, layer) }
      continue
    }
    const tasks = [diagnosticTask(state, name, layer)]
    yield { decision: [{ type: 'plan.extended', v: 1, because: 'integration', about: name, tasks }] }
  }
}

function diagnose(state: PlanState, name: string, layer: LayerState): DiagnoseLayer {
  const results = layer.results.filter(({ outcome }) => outcome !== 'passed')
  const tests = layer.tests.filter(({ id }) => results.some((result) => result.id === id))
  const commits = [...state.tasks.values()].flatMap(({ spec, commit }) =>
    commit === null ? [] : [{ task: spec.id, sha: commit.sha }],
  )
  const key = `diagnose ${name} ${layer.runs}`
  const { tree, runs: round } = layer
  return { kind: 'diagnose_layer', key, layer: name, round, tests, results, tree, commits, ...atStart(state) }
}

function owedByRelease(state: PlanState): Obligation {
  const { release } = state
  if (release.nothingBuilt === null && hasBuiltNothing(state)) return ask(state, nothingBuiltQuestion(state))
  switch (release.step) {
    case 'open': {
      if (release.inconclusive > MAX_INCONCLUSIVE) return ask(state, releaseGateEscalation(state))
      const round = release.runs + 1
      const { failing: baselineFailing = [] } = state.baseline ?? {}
      const key = `release gate ${round}`
      return {
        effect: {
          kind: 'run_release_gate',
          key,
          round,
          baselineFailing,
          whole: wholeChange(state),
          ...atStart(state),
        },
      }
    }
    case 'failed': {
      if (release.remediations >= MAX_REMEDIATION_ROUNDS) return ask(state, releaseGateEscalation(state))
      const failed = (release.verdicts ?? []).filter((verdict) => verdict.outcome === 'failed')
      const tasks = remediationTasks(state, failed)
      return { decision: [{ type: 'plan.extended', v: 1, because: 'release', about: 'release gate', tasks }] }
    }
    case 'passed':
      return owedByRisks(state)
    case 'prepared':
    case 'signed':
      return {}
  }
}

/** Only a person settles critical risks and risks of critical work; the rest are listed for the sign-off. */
function owedByRisks(state: PlanState): Obligation {
  const unmapped = state.release.unmapped === null ? unmappedCriteria(state) : []
  if (unmapped.length > 0) return ask(state, completenessEscalation(state, unmapped))
  if (risksForPerson(state).length > 0) {
    return ask(state, riskEscalation(state, risksForPerson(state)))
  }
  const first = [...state.risks.values()].find((risk) => risk.status === 'open')
  if (first !== undefined) {
    const settled = {
      status: 'accepted',
      by: 'rules',
      reason: 'below critical: listed for the sign-off',
    } as const
    return { decision: [{ type: 'risk.settled', v: 1, risk: first.id, ...settled }] }
  }
  return {
    effect: {
      kind: 'prepare_release',
      key: 'prepare release',
      tree: state.release.tree ?? '',
      manifest: releaseManifest(state),
      notes: releaseNotes(state),
    },
  }
}
