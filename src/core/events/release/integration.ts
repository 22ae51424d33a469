/** The integration tests of a layer ran; a diagnosis found the commit that broke them. */
import { z } from 'zod'
import { MAX_INCONCLUSIVE } from '../../state/budgets.ts'
import { layerIn } from '../../fold/moves.ts'
import { cut, planLine } from '../activity-lines.ts'
import { eventShape, type EventDefinition } from '../define.ts'
import { diagnosisSchema, integrationResultSchema } from '../integration.ts'
import { ordinal, text } from '../../event-schemas/schemas.ts'
import { rejectUnhashed } from '../verdicts.ts'

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
  activity: ({ layer, round, results }) =>
    results.map(({ id, outcome }) => planLine(`integration_${outcome}`, { id, layer, round })),
  timeline({ layer, results }) {
    const bad = results.filter(({ outcome }) => outcome !== 'passed').map(({ id }) => id)
    const outcome = bad.length === 0 ? 'passed' : `${bad.join(', ')} failed`
    return { task: null, text: `integration of ${layer}: ${outcome}` }
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
  activity: ({ layer, diagnoses }) =>
    diagnoses.map(({ test, culprit, words }) =>
      planLine('integration_diagnosed', { id: test, layer, culprit, why: cut(words) }),
    ),
  timeline: ({ diagnoses }) => ({
    task: null,
    text: diagnoses.map(({ test, words }) => `${test}: ${words}`).join('; '),
  }),
}
