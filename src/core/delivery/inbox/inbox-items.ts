/** What a person is asked, always in the one form: problem, impact, options, recommendation, blocking. */
import { SAYS_BLOCKED } from '../../state/says-blocked.ts'
import { doMeet } from '../../state/area.ts'
import type { Effect } from '../../decide/effects.ts'
import type { Cause, InboxItem, Verdict, WorkerIssue } from '../../event-schemas/schemas.ts'
import { formatSpent } from '../../state/spending.ts'
import type { TaskSpec } from '../../planning/plan.ts'
import type { PlanState, Risk, TaskState } from '../../state/state.ts'
import { isAllUntried } from '../../gates/untried.ts'
import { describeEffect } from '../../state/describe-effect.ts'
import { widenOptions } from './widen-contract.ts'
import { NOT_STARTED } from '../not-started.ts'

type Option = InboxItem['options'][number]
const LETTER = { escalation: 'E', question: 'Q', approval: 'A', permission: 'P', release: 'R' } as const

/** Settings are taken when a plan starts, so this helps the next one; this one is a person's. */
const REVIEWER_REMEDY =
  'a reviewer has to write a verdict to $BOSUN_REPORT: name one that does as roles.reviewer in bosun.yaml, or `rules` to go without'

const REVISE: Option = { key: 'revise', label: 'send it back with your feedback' }
const RETRY: Option = { key: 'retry', label: 'try again with fresh budgets' }
const PAUSE: Option = { key: 'pause', label: 'pause here and look' }
const RECHECK: Option = { key: 'recheck', label: 'run its gates again, once what they need is there' }
const OVERRIDE_UNCHECKED: Option = {
  key: 'approve',
  label: 'override what could not be checked, in your name',
}
/** The plan's own file, since it took bosun.yaml along when it began. */
const SET_MIGRATIONS: Option = {
  key: 'pause',
  label: "pause, set environment.migrations in the plan's file, `bosun run` it again, then recheck",
}
const UNTRIED: Option = { key: 'approve', label: 'go on without trying it here, in your name' }
const REJECT: Option = { key: 'reject', label: 'reject it: the task goes back to planning' }

export function newItem(state: PlanState, fields: Omit<InboxItem, 'id'>): InboxItem {
  return { id: `${LETTER[fields.kind]}-${state.itemsOpened + 1}`, ...fields }
}

/** What cannot go on without this task. */
function impactOf(state: PlanState, task: TaskState): string {
  const direct = state.dependents.of(task).map((dependent) => dependent.spec.id)
  return direct.length === 0
    ? `task ${task.spec.id} stays open; nothing else depends on it`
    : `task ${task.spec.id} and what depends on it (${named(direct)}) cannot go on`
}

/** What waits for a person keeps its area: who is ready and meets it waits as well. */
function impactOfWaiting(state: PlanState, task: TaskState): string {
  const held = [...state.tasks.values()].filter(
    ({ step, place }) => step === 'ready' && doMeet(place, task.place),
  )
  if (held.length === 0) return impactOf(state, task)
  const waiting = `${named(held.map(({ spec }) => spec.id))} ${held.length === 1 ? 'waits' : 'wait'} for its area (${task.area})`
  const isAlone = state.dependents.of(task).length === 0
  return `${isAlone ? `task ${task.spec.id} stays open` : impactOf(state, task)}; ${waiting}`
}

const named = (ids: readonly string[]): string =>
  `${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ` and ${ids.length - 5} more` : ''}`

export function taskEscalation(state: PlanState, task: TaskState, cause: Cause): InboxItem {
  const { problem, options, recommended } = describe(state, task, cause)
  return newItem(state, {
    kind: cause.kind === 'unclear' ? 'question' : 'escalation',
    subject: 'task',
    about: task.spec.id,
    task: task.spec.id,
    problem,
    impact: impactOf(state, task),
    options,
    recommended,
    blocking: true,
  })
}

/** The first gate that did not pass, in its own words. */
function whyNot(verdicts: readonly Verdict[] | null): string {
  const bad = verdicts?.find(({ outcome }) => outcome === 'failed' || outcome === 'inconclusive')
  return bad === undefined || bad.summary === '' ? '' : `: ${bad.summary}`
}

/** What was red before anybody worked is not this task's doing. */
function redBefore({ baseline }: PlanState, gates: readonly string[]): string {
  const red = (baseline?.start?.checks ?? []).filter(
    ({ gate, outcome }) =>
      outcome === 'failed' &&
      (gates.includes(gate) || (gate !== 'build' && gates.includes('lint_typecheck'))),
  )
  return red.length === 0
    ? ''
    : `; ${red.map(({ gate }) => gate).join(', ')} failed at the start commit as well`
}

function describe(
  state: PlanState,
  task: TaskState,
  cause: Cause,
): Pick<InboxItem, 'problem' | 'options' | 'recommended'> {
  const name = `task ${task.spec.id} (${task.spec.title})`
  switch (cause.kind) {
    case 'gates_failed':
      return {
        problem: `${name}: ${cause.gates.join(', ')} still failing after ${task.counters.fixes} fix attempts${whyNot(task.verdicts)}${redBefore(state, cause.gates)}`,
        options: [
          REVISE,
          ...widenOptions(task),
          { key: 'approve', label: 'override the failing gates, in your name' },
          REJECT,
        ],
        recommended: 'revise',
      }
    case 'gates_inconclusive':
      return {
        problem: `${name}: ${cause.gates.join(', ')} could not be checked${whyNot(task.verdicts)}`,
        ...(isAllUntried(task.verdicts)
          ? { options: [SET_MIGRATIONS, RECHECK, UNTRIED, REJECT], recommended: 'pause' }
          : { options: [RECHECK, OVERRIDE_UNCHECKED, REJECT], recommended: 'recheck' }),
      }
    case 'changes_requested':
      return {
        problem: `${name}: the review still wants changes after ${task.counters.reworks} rounds (${cause.issues.length} issues)`,
        options: [REVISE, { key: 'approve', label: 'hand it over with the issues noted' }, REJECT],
        recommended: 'revise',
      }
    case 'reviewer_lost': {
      const pass: Option = { key: 'approve', label: 'let it pass without review, in your name' }
      return {
        problem: `${name}: no reviewer came to a verdict (${cause.reason}); ${REVIEWER_REMEDY}`,
        ...(cause.reason.startsWith(NOT_STARTED)
          ? { options: [PAUSE, RETRY, pass], recommended: 'pause' }
          : { options: [RETRY, pass, REJECT], recommended: 'retry' }),
      }
    }
    case 'blocked':
      return {
        problem: `${name}: its worker is blocked: ${cause.reason}`,
        options: [REVISE, RETRY, REJECT],
        recommended: 'revise',
      }
    case 'unclear': {
      const asks = cause.questions.slice(0, 3).join('; ')
      const more = cause.questions.length > 3 ? `; and ${cause.questions.length - 3} more` : ''
      const hasWork = (task.draft?.changed.length ?? 0) > 0
      return {
        problem: `${name}: its worker asks: ${asks}${more}`,
        options: [
          ...(hasWork ? [{ key: 'continue', label: 'take its work as it is to the gates' }] : []),
          { key: 'revise', label: 'send it back with your answer' },
          REJECT,
        ],
        recommended: 'revise',
      }
    }
    case 'nothing_done':
      return {
        problem: `${name}: workers end and change nothing`,
        options: [REVISE, RETRY, REJECT],
        recommended: 'revise',
      }
    case 'conflict':
      return {
        problem: `${name}: it conflicts with what landed meanwhile: ${cause.reason}`,
        options: [RETRY, REVISE, REJECT],
        recommended: 'retry',
      }
    case 'refused':
      return {
        problem: `${name}: its work may not land: ${cause.reason}`,
        options: [REVISE, RETRY, REJECT],
        recommended: 'revise',
      }
    case 'lost':
    case 'interrupted':
      return {
        problem: `${name}: its workers are lost again and again: ${cause.reason}`,
        ...(cause.reason.startsWith(NOT_STARTED)
          ? { options: [PAUSE, RETRY, REJECT], recommended: 'pause' }
          : {
              options: [RETRY, REVISE, REJECT],
              recommended: cause.reason.includes(SAYS_BLOCKED) ? 'revise' : 'retry',
            }),
      }
    case 'over_budget':
      return {
        problem: `${name}: ${cause.reason}; it has used ${formatSpent(task.spent)}`,
        options: [{ key: 'retry', label: 'let it go on with as much again' }, REVISE, REJECT],
        recommended: 'revise',
      }
    case 'looping':
      return {
        problem: `${name}: ${cause.reason}`,
        options: [REVISE, RETRY, REJECT],
        recommended: 'revise',
      }
    case 'limited':
      return {
        problem: `${name} cannot go on: its agent is limited`,
        options: [RETRY, REJECT, PAUSE],
        recommended: 'pause',
      }
    case 'restarted':
    case 'plan_edited':
    case 'stopped_for_pause':
      return { problem: `${name} cannot go on`, options: [RETRY, REJECT], recommended: 'retry' }
  }
}

/** Nobody has to answer it: what is to be done without an answer is done in its time. */
export function workerAlert(
  state: PlanState,
  task: TaskState,
  { worker, why, issue }: { readonly worker: string; readonly why: string; readonly issue: WorkerIssue },
): InboxItem {
  return newItem(state, {
    kind: 'escalation',
    subject: 'worker',
    about: worker,
    task: task.spec.id,
    problem: `${worker} at task ${task.spec.id} (${task.spec.title}): ${why}`,
    impact: 'without an answer it is restarted in its time, with what it has done so far',
    options: [
      { key: 'extend', label: 'let it go on: 30 min more, or what you say: --feedback "45 min"' },
      { key: 'nudge', label: 'speak to it once more, in your words' },
      { key: 'restart', label: 'save its work and send somebody else now' },
      { key: 'kill', label: 'end it; the rules decide how its task goes on' },
    ],
    recommended: 'restart',
    blocking: false,
    issue,
  })
}

export function approvalItem(state: PlanState, task: TaskState): InboxItem {
  return newItem(state, {
    kind: 'approval',
    subject: 'task',
    about: task.spec.id,
    task: task.spec.id,
    problem: `task ${task.spec.id} (${task.spec.title}) passed its gates and its review and waits for you`,
    impact: impactOfWaiting(state, task),
    options: [{ key: 'approve', label: 'commit it' }, REVISE, REJECT],
    recommended: 'approve',
    blocking: true,
  })
}

export function rejectionQuestion(
  state: PlanState,
  task: TaskState,
  proposal: NonNullable<TaskState['proposal']>,
): InboxItem {
  return newItem(state, {
    kind: 'question',
    subject: 'rejection',
    about: task.spec.id,
    task: task.spec.id,
    problem: `task ${task.spec.id} (${task.spec.title}) was rejected: ${proposal.note}`,
    impact: impactOf(state, task),
    options: [
      { key: 'rescope', label: 'build it again, with your feedback as its new scope' },
      ...splitOption(proposal.parts),
      { key: 'drop', label: 'drop it and everything that depends on it' },
    ],
    recommended: proposal.recommend,
    blocking: true,
  })
}

function splitOption(parts: readonly TaskSpec[]): Option[] {
  if (parts.length < 2) return []
  const files = ({ files: { create, modify, delete: gone } }: TaskSpec): string =>
    [...create, ...modify, ...gone].slice(0, 3).join(', ')
  const shown = parts.slice(0, 4).map((part) => `${part.id} (${files(part)})`)
  const more = parts.length > 4 ? ` and ${parts.length - 4} more` : ''
  return [{ key: 'split', label: `split it into ${shown.join(', then ')}${more}` }]
}

export function riskEscalation(state: PlanState, risks: readonly Risk[]): InboxItem {
  const shown = risks
    .slice(0, 3)
    .map(({ id, sourceTask, description }) => `${id} (task ${sourceTask}): ${description}`)
  const more = risks.length > 3 ? `; and ${risks.length - 3} more` : ''
  return newItem(state, {
    kind: 'escalation',
    subject: 'risk',
    about: null,
    task: null,
    problem: `open risks that a person has to settle: ${shown.join('; ')}${more}`,
    impact: 'the release cannot be prepared',
    options: [
      {
        key: 'accept',
        label: 'accept them, in your name and with your reason (name risk ids to accept only those)',
      },
      {
        key: 'mitigate',
        label: 'mark them as mitigated, in your name: say how (name risk ids to mark only those)',
      },
      { key: 'pause', label: 'pause here and look' },
    ],
    recommended: 'pause',
    blocking: true,
  })
}

/** Nothing more is started until somebody has said how much it may cost. */
export function budgetEscalation(state: PlanState, why: string): InboxItem {
  return newItem(state, {
    kind: 'escalation',
    subject: 'budget',
    about: null,
    task: null,
    problem: `the plan has used ${formatSpent(state.spending.total)}: ${why}`,
    impact: 'no further worker is sent',
    options: [
      {
        key: 'raise',
        label: 'allow half as much again, or what you say: --feedback "usd=20 tokens=2000000"',
      },
      { key: 'unlimited', label: 'go on without a limit' },
      { key: 'pause', label: 'pause here and look' },
    ],
    recommended: 'pause',
    blocking: true,
  })
}

export function releaseGateEscalation(state: PlanState): InboxItem {
  const bad = (state.release.verdicts ?? [])
    .filter((verdict) => verdict.outcome === 'failed' || verdict.outcome === 'inconclusive')
    .map((verdict) => `${verdict.gate} ${verdict.outcome}`)
  return newItem(state, {
    kind: 'escalation',
    subject: 'release_gate',
    about: null,
    task: null,
    problem: `the release gate does not pass: ${bad.join(', ')}${whyNot(state.release.verdicts)}`,
    impact: 'the release cannot be prepared',
    options: [
      { key: 'retry', label: 'run the release gate again' },
      { key: 'approve', label: 'override it, in your name' },
      PAUSE,
    ],
    recommended: 'pause',
    blocking: true,
  })
}

export function effectEscalation(state: PlanState, effect: Effect, reason: string): InboxItem {
  return newItem(state, {
    kind: 'escalation',
    subject: 'effect',
    about: effect.key,
    task: null,
    problem: `${describeEffect(effect)} does not work: ${reason}`,
    impact: 'the plan cannot go on here',
    options: [{ key: 'retry', label: 'try it again, once the cause is removed' }, PAUSE],
    recommended: 'pause',
    blocking: true,
  })
}

export function signOffItem(state: PlanState): InboxItem {
  return newItem(state, {
    kind: 'release',
    subject: 'sign_off',
    about: null,
    task: null,
    problem: `${state.plan.title} is released on its branch${state.release.nothingBuilt === null ? '' : ' without a commit of any task (nothing was built)'} and waits for your sign-off`,
    impact: 'nothing is merged until you do it',
    options: [{ key: 'sign', label: 'sign it off' }],
    recommended: 'sign',
    blocking: false,
  })
}
