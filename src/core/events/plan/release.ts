/** The release: its gates, manifest and sign-off; integration tests of a layer, and which commit broke them. */
import { z } from 'zod'
import { signOff } from '../../fold/answers.ts'
import { eventShape, type EventDefinition } from '../define.ts'
import { cameFrom } from '../../event-schemas/origin.ts'
import { originText } from '../../../lib/text/decision-origin.ts'
import { by, ordinal, text, verdictSchema } from '../../event-schemas/schemas.ts'
import { gateFact, gateLine, rejectUnhashed, runsOf } from '../verdicts.ts'
import { fact, aboutPlan, cut } from '../rendering.ts'
import { MAX_INCONCLUSIVE } from '../../state/budgets.ts'
import { layerIn } from '../../fold/moves.ts'
import { diagnosisSchema, integrationResultSchema } from '../integration.ts'

const gatedShape = eventShape('release.gated', 2, () => ({
  round: ordinal,
  tree: text,
  verdicts: z.array(verdictSchema).min(1),
}))

export const releaseGated: EventDefinition<typeof gatedShape> = {
  shape: gatedShape,
  rejectionReason: ({ release }, { round, verdicts }) =>
    release.step === 'open' && round === release.runs + 1
      ? rejectUnhashed(runsOf(verdicts))
      : 'no release gate is due',
  apply(state, { round, verdicts, tree }, at) {
    const outcomes = verdicts.map((verdict) => verdict.outcome)
    const failed = outcomes.includes('failed')
    const inconclusive = !failed && outcomes.includes('inconclusive')
    state.release = {
      ...state.release,
      runs: round,
      verdicts,
      tree,
      gatedAt: at,
      step: failed ? 'failed' : inconclusive ? 'open' : 'passed',
      inconclusive: inconclusive ? state.release.inconclusive + 1 : 0,
    }
  },
  render: ({ round, verdicts }) =>
    aboutPlan(
      `release gate: ${gateLine(verdicts)}`,
      ...verdicts.map((verdict) => gateFact(verdict, { release: true, round })),
    ),
}

const preparedShape = eventShape('release.prepared', 1, () => ({ sha: text, manifest: text }))

export const releasePrepared: EventDefinition<typeof preparedShape> = {
  shape: preparedShape,
  rejectionReason: ({ release }) => (release.step === 'passed' ? null : 'the release gate has not passed'),
  apply(state, { sha, manifest }) {
    state.release = { ...state.release, step: 'prepared', sha, manifest }
    state.currentSha = sha
  },
  render: ({ sha, manifest }) => aboutPlan(`released: ${manifest}`, fact('release_ready', { sha, manifest })),
}

const signedShape = eventShape('release.signed', 1, () => ({ by, ...cameFrom }))

export const releaseSigned: EventDefinition<typeof signedShape> = {
  shape: signedShape,
  rejectionReason: ({ release }) =>
    release.step === 'prepared' ? null : 'no release is waiting for a sign-off',
  apply: signOff,
  render: ({ by, via, process }) =>
    aboutPlan(
      `signed off by ${by}${originText({ via, process })}`,
      fact('release_signed', { by, via, process }),
    ),
}

/** The integration tests of a layer ran; a diagnosis found the commit that broke them. */
const ranShape = eventShape('integration.ran', 2, () => ({
  layer: text,
  round: ordinal,
  /** The tree they ran on. */
  tree: text,
  results: z.array(integrationResultSchema),
}))

export const integrationRan: EventDefinition<typeof ranShape> = {
  shape: ranShape,
  rejectionReason(state, { layer: name, round, results }) {
    const layer = state.layers.get(name)
    if (layer?.status !== 'due' || round !== layer.runs + 1) return `integration of ${name} is not due`
    const missing = layer.tests.find((test) => results.every((result) => result.id !== test.id))
    return missing === undefined
      ? rejectUnhashed(results.flatMap(({ run }) => run ?? []))
      : `no result for ${missing.id}`
  },
  apply(state, event) {
    const layer = layerIn(state, event.layer)
    layer.runs = event.round
    layer.results = event.results
    layer.tree = event.tree
    layer.diagnosis = null
    const outcomes = event.results.map((result) => result.outcome)
    const isUnknown = !outcomes.includes('failed') && outcomes.includes('inconclusive')
    layer.inconclusive = isUnknown ? layer.inconclusive + 1 : 0
    if (outcomes.every((outcome) => outcome === 'passed')) layer.status = 'passed'
    else layer.status = isUnknown && layer.inconclusive <= MAX_INCONCLUSIVE ? 'due' : 'failed'
  },
  render({ layer, round, results }) {
    const bad = results.filter(({ outcome }) => outcome !== 'passed').map(({ id }) => id)
    const text = `integration of ${layer}: ${bad.length === 0 ? 'passed' : `${bad.join(', ')} failed`}`
    const facts = results.map(({ id, outcome }) =>
      fact(`integration_${outcome}`, { id, layer, round }, `integration test ${id}: ${outcome}`),
    )
    return aboutPlan(text, ...facts)
  },
}

const diagnosedShape = eventShape('integration.diagnosed', 1, () => ({
  layer: text,
  round: ordinal,
  diagnoses: z.array(diagnosisSchema),
}))

/** The commit that broke each failing test of a layer. */
export const integrationDiagnosed: EventDefinition<typeof diagnosedShape> = {
  shape: diagnosedShape,
  rejectionReason(state, event) {
    const layer = state.layers.get(event.layer)
    const isDue = layer?.status === 'failed' && layer.diagnosis === null && event.round === layer.runs
    return isDue ? null : `no diagnosis of ${event.layer} is due`
  },
  apply(state, { layer, diagnoses }) {
    layerIn(state, layer).diagnosis = diagnoses
  },
  render({ layer, diagnoses }) {
    const facts = diagnoses.map(({ test, culprit, words }) => {
      const data = { id: test, layer, culprit, why: cut(words) }
      return fact('integration_diagnosed', data, `${test}: ${words}`)
    })
    return aboutPlan(facts.map(({ text }) => text).join('; '), ...facts)
  },
}
