/** Inbox items about the plan as a whole: a rule paused it, or its release lacks something the plan asked for. */
import type { InboxItem } from '../../event-schemas/schemas.ts'
import type { PlanState } from '../../state/state.ts'
import { failedBefore, formatFailedBefore, type OpenCriterion } from '../release/unproven.ts'
import { newItem, PAUSE } from './inbox-items.ts'
import { firstFew } from '../../../lib/text/counted.ts'

/** A plan that a rule paused goes on only when a person says so. */
export function pausedEscalation(state: PlanState, reason: string): InboxItem {
  return newItem(state, {
    subject: 'paused',
    problem: `the plan was paused: ${reason}`,
    impact: 'nothing of this plan is started until you resume it',
    options: [
      { key: 'resume', label: 'resume the plan, once the cause is settled' },
      { key: 'cancel', label: 'cancel the plan' },
    ],
  })
}

export const proposalProblem = ({ estimate }: NonNullable<PlanState['proposal']>): string =>
  `the plan made from the spec waits for you: ${estimate}`

/** A plan that a person has not written is shown before anything of it starts. An edit leaves the question open. */
export function proposalQuestion(state: PlanState, proposal: NonNullable<PlanState['proposal']>): InboxItem {
  return newItem(state, {
    kind: 'question',
    subject: 'plan_proposal',
    problem: proposalProblem(proposal),
    impact: 'no worker starts until you decide',
    options: [
      { key: 'start', label: 'start the plan as it is' },
      { key: 'cancel', label: 'refuse the plan: it ends, and nothing is built' },
    ],
  })
}

/** Before a release without a commit: either the work exists, or the audit was wrong. */
export function nothingBuiltQuestion(state: PlanState): InboxItem {
  const found = [...state.tasks.values()].filter(({ step }) => step === 'completed')
  const evidence = found.map(({ spec, audit }) => `task ${spec.id}: ${audit?.evidence ?? 'completed'}`)
  const why =
    found.length === 0
      ? 'every task was dropped'
      : `every task was found to exist already (${firstFew(evidence, 5, ';')})`
  const build = { key: 'build', label: 'build the tasks that were found to exist' }
  return newItem(state, {
    kind: 'question',
    subject: 'nothing_built',
    problem: `this plan built nothing: ${why}`,
    impact: 'a release would contain no task commit; nothing is released until you decide',
    options: [
      ...(found.length === 0 ? [] : [build]),
      { key: 'release', label: 'release it anyway, in your name and with a reason' },
      { key: 'cancel', label: 'cancel the plan' },
    ],
    recommended: found.length === 0 ? 'cancel' : 'build',
  })
}

/** A release is complete when each criterion is mapped to a place in the tree. */
export function completenessEscalation(state: PlanState, open: readonly OpenCriterion[]): InboxItem {
  const all = open.map(({ task, criterion }) => `task ${task}: ${criterion}`)
  const are = open.length === 1 ? '1 criterion is' : `${open.length} criteria are`
  return newItem(state, {
    subject: 'completeness',
    problem: `${are} mapped to nothing in the tree: ${firstFew(all, 3, ';')}`,
    impact: 'the release cannot be prepared',
    options: [{ key: 'accept', label: 'release without them, in your name and with a reason' }, PAUSE],
    recommended: 'pause',
  })
}

export function signOffItem(state: PlanState): InboxItem {
  const failing = formatFailedBefore(failedBefore(state))
  const isClean = failing === null || state.settings.wavesThroughOldFailures === true
  const unbuilt = state.release.nothingBuilt === null ? '' : ' without any task commit (nothing was built)'
  return newItem(state, {
    kind: 'release',
    subject: 'sign_off',
    problem: `${isClean ? '' : `${failing}; `}released on its branch${unbuilt}, and waits for your sign-off: ${state.plan.title}`,
    impact: 'Bosun merges nothing; merging is up to you',
    options: [{ key: 'sign', label: 'sign it off' }],
    blocking: false,
  })
}
