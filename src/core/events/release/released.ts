/** The release: its gates, its manifest, its sign-off. */
import { z } from 'zod'
import { signOff } from '../../fold/answers.ts'
import { planLine } from '../activity-lines.ts'
import { eventShape, type EventDefinition } from '../define.ts'
import { by, ordinal, text, verdictSchema } from '../../event-schemas/schemas.ts'
import { gateData, gateLine, rejectUnhashed, runsOf } from '../verdicts.ts'

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
  activity: ({ round, verdicts }) =>
    verdicts.map((verdict) =>
      planLine(`gate_${verdict.outcome}`, gateData(verdict, { release: true, round })),
    ),
  timeline: ({ verdicts }) => ({ task: null, text: `release gate: ${gateLine(verdicts)}` }),
}

const preparedShape = eventShape('release.prepared', 1, () => ({ sha: text, manifest: text }))

export const releasePrepared: EventDefinition<typeof preparedShape> = {
  shape: preparedShape,
  rejectionReason: ({ release }) => (release.step === 'passed' ? null : 'the release gate has not passed'),
  apply(state, { sha, manifest }) {
    state.release = { ...state.release, step: 'prepared', sha, manifest }
    state.currentSha = sha
  },
  activity: ({ sha, manifest }) => [planLine('release_ready', { sha, manifest })],
  timeline: ({ manifest }) => ({ task: null, text: `released: ${manifest}` }),
}

const signedShape = eventShape('release.signed', 1, () => ({ by }))

export const releaseSigned: EventDefinition<typeof signedShape> = {
  shape: signedShape,
  rejectionReason: ({ release }) =>
    release.step === 'prepared' ? null : 'no release is waiting for a sign-off',
  apply: signOff,
  activity: ({ by }) => [planLine('release_signed', { by })],
  timeline: ({ by }) => ({ task: null, text: `signed off by ${by}` }),
}
