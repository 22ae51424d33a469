/** Builds the inbox items of tasks, workers, risks, budgets and the release. */
import { lastWordsOf, SAYS_BLOCKED } from '../../state/report-claims.ts'
import { areasConflict } from '../../planning/areas.ts'
import type { Effect } from '../../decide/effects.ts'
import type { Obligation } from '../../decide/owed.ts'
import type { PlanEvent } from '../../events/plan-events.ts'
import type { Cause, InboxItem, Verdict, WorkerIssue } from '../../event-schemas/schemas.ts'
import { formatSpent } from '../../state/spending.ts'
import { gateTitle, counted, firstFew } from '../../../lib/text/counted.ts'
import type { TaskSpec } from '../../planning/plan.ts'
import { askedAbout, type PlanState, type Risk, type TaskState } from '../../state/state.ts'
import { isBeyondWorkers, isAllUntried } from '../../gates/written-findings.ts'
import { FAILING_TEST } from '../../gates/command-output.ts'
import { describeEffect } from '../../state/describe-effect.ts'
import { widenOptions } from './widen-contract.ts'
import { NOT_STARTED } from '../not-started.ts'
import { plainLine } from '../../../lib/text/quoted.ts'

type Option = InboxItem['options'][number]

/** A plan keeps the settings it started with, so this remedy helps only the next plan. */
const REVIEWER_REMEDY =
  'a reviewer must write its verdict to $BOSUN_REPORT (set roles.reviewer in bosun.yaml to an agent that does, or to `rules` for no agent)'

const REVISE: Option = { key: 'revise', label: 'send it back with your feedback' }
const RETRY: Option = { key: 'retry', label: 'try again with fresh budgets' }
export const PAUSE: Option = { key: 'pause', label: 'pause the plan and investigate' }
const RECHECK: Option = { key: 'recheck', label: 'run its gates again, once what they need is available' }
const OVERRIDE_UNCHECKED: Option = {
  key: 'approve',
  label: 'override the gates that could not be checked, in your name',
}
/** In the plan's file: the plan keeps the bosun.yaml it started with. */
const SET_MIGRATIONS: Option = {
  key: 'pause',
  label: "pause, set environment.migrations in the plan's file, `bosun run` it again, then recheck",
}
const UNTRIED: Option = { key: 'approve', label: 'continue without trying the migration here, in your name' }
const REJECT: Option = { key: 'reject', label: 'reject it and send the task back to planning' }

type Fields = Pick<InboxItem, 'subject' | 'problem' | 'impact' | 'options'> & Partial<InboxItem>

/** Without other fields, a blocking escalation about the whole plan that recommends its first option. */
export function newItem(state: PlanState, fields: Fields): InboxItem {
  const { kind = 'escalation', options } = fields
  const id = `${kind.charAt(0).toUpperCase()}-${state.itemsOpened + 1}`
  const recommended = options[0]?.key ?? ''
  return { id, kind, about: null, task: null, recommended, blocking: true, ...fields }
}

export const opened = (item: InboxItem): PlanEvent => ({ type: 'inbox.opened', v: 1, item })
export const withdrawn = (id: string, why: string): PlanEvent => ({ type: 'inbox.withdrawn', v: 1, id, why })

/** Asks, unless the question is open already. */
export const ask = (state: PlanState, item: InboxItem): Obligation =>
  state.asked.has(askedAbout(item)) ? {} : { decision: [opened(item)] }

const aboutTask = ({ spec: { id } }: TaskState) => ({ about: id, task: id })

function impactOf(state: PlanState, task: TaskState): string {
  const direct = state.dependents.of(task).map((dependent) => dependent.spec.id)
  return direct.length === 0
    ? `task ${task.spec.id} stays open; nothing else depends on it`
    : `task ${task.spec.id} and its dependents (${firstFew(direct, 5)}) are blocked`
}

/** A task that waits for a person keeps its area locked, so ready tasks in that area wait too. */
function impactOfWaiting(state: PlanState, task: TaskState): string {
  const held = [...state.tasks.values()].filter(
    ({ step, area }) => step === 'ready' && areasConflict(area, task.area),
  )
  if (held.length === 0) return impactOf(state, task)
  const ids = held.map(({ spec }) => spec.id)
  const waiting = `${firstFew(ids, 5)} ${held.length === 1 ? 'waits' : 'wait'} for its area (${task.area})`
  const isAlone = state.dependents.of(task).length === 0
  return `${isAlone ? `task ${task.spec.id} stays open` : impactOf(state, task)}; ${waiting}`
}

export function taskEscalation(state: PlanState, task: TaskState, cause: Cause): InboxItem {
  const described = describe(state, task, cause)
  return newItem(state, {
    kind: cause.kind === 'unclear' ? 'question' : 'escalation',
    subject: 'task',
    ...aboutTask(task),
    impact: impactOf(state, task),
    ...described,
    problem: `${described.problem}${askedEarly(task)}`,
  })
}

/** Why a person is asked although the rules allow another attempt. */
function askedEarly({ thinking, attempt }: TaskState): string {
  const assessment = thinking?.assessment ?? null
  if (assessment?.attempt !== attempt || assessment.proposal !== 'escalate') return ''
  return `; ${assessment.by} advises asking you before another attempt: ${plainLine(assessment.note, 600)}`
}

const MOST_REASONS = 3

/** The summary of the first gate that did not pass, and the reasons that it leaves out. */
function whyNot(verdicts: readonly Verdict[] | null): string {
  const bad = verdicts?.find(({ outcome }) => outcome === 'failed' || outcome === 'inconclusive')
  if (bad === undefined || bad.summary === '') return ''
  const { summary, evidence } = bad
  const reasons = evidence.findings
    .filter(({ weight, file }) => weight === 'blocks' && file === null)
    .map(({ text }) => text)
  const shown = reasons.slice(0, MOST_REASONS)
  const isNamed = shown.every((text) => summary.includes(text.replace(FAILING_TEST, '')))
  const named = isNamed ? '' : ` (${firstFew(reasons, MOST_REASONS, ';')})`
  return `: ${summary}${named}`
}

/** How the gates failed, after all attempts that a worker could be given. */
function howOften({ counters, refusal, verdicts }: TaskState): string {
  if (isBeyondWorkers(verdicts)) return 'failed for a reason that no worker can mend'
  const after = `after ${counted(counters.fixes, 'fix attempt')}`
  return refusal?.isRepeated === true
    ? `still failing for the same reasons ${after}`
    : `still failing ${after}`
}

/** Names the gates that failed at the start commit already. */
function redBefore({ baseline }: PlanState, gates: readonly string[]): string {
  const red = (baseline?.start?.checks ?? []).filter(
    ({ gate, outcome }) =>
      outcome === 'failed' &&
      (gates.includes(gate) || (gate !== 'build' && gates.includes('lint_typecheck'))),
  )
  return red.length === 0 ? '' : `; ${red.map(({ gate }) => gate).join(', ')} also failed at the start commit`
}

function describe(
  state: PlanState,
  task: TaskState,
  cause: Cause,
): Pick<InboxItem, 'problem' | 'options'> & Partial<InboxItem> {
  const name = `task ${task.spec.id} (${task.spec.title})`
  switch (cause.kind) {
    case 'gates_failed':
      return {
        problem: `${name}: ${cause.gates.map(gateTitle).join(', ')} ${howOften(task)}${whyNot(task.verdicts)}${redBefore(state, cause.gates)}`,
        options: [
          isBeyondWorkers(task.verdicts) ? RECHECK : REVISE,
          ...widenOptions(task),
          { key: 'approve', label: 'override the failing gates, in your name' },
          REJECT,
        ],
      }
    case 'gates_inconclusive':
      return {
        problem: `${name}: ${cause.gates.map(gateTitle).join(', ')} could not be checked${whyNot(task.verdicts)}`,
        options: isAllUntried(task.verdicts)
          ? [SET_MIGRATIONS, RECHECK, UNTRIED, REJECT]
          : [RECHECK, OVERRIDE_UNCHECKED, REJECT],
      }
    case 'changes_requested':
      return {
        problem: `${name}: the review ${requestsAfter(task.counters.reworks)} (${counted(cause.issues.length, 'issue')})`,
        options: [REVISE, { key: 'approve', label: 'accept it with the issues noted' }, REJECT],
      }
    case 'reviewer_lost': {
      const pass: Option = { key: 'approve', label: 'approve it without a review, in your name' }
      return {
        problem: `${name}: no reviewer gave a verdict (${cause.reason}${lastWordsOf(cause)}); ${REVIEWER_REMEDY}`,
        options: cause.reason.startsWith(NOT_STARTED) ? [PAUSE, RETRY, pass] : [RETRY, pass, REJECT],
      }
    }
    case 'blocked':
      return {
        problem: `${name}: its worker is blocked: ${cause.reason}`,
        options: [REVISE, RETRY, REJECT],
      }
    case 'unclear': {
      const hasWork = (task.draft?.changed.length ?? 0) > 0
      return {
        problem: `${name}: its worker asks: ${firstFew(cause.questions, 3, ';')}`,
        options: [
          ...(hasWork ? [{ key: 'continue', label: 'run the gates on its work as it is' }] : []),
          { key: 'revise', label: 'send it back with your answer' },
          ...(task.draft?.report?.selfAssessment === 'blocked' ? [RETRY] : []),
          REJECT,
        ],
        recommended: 'revise',
      }
    }
    case 'nothing_done':
      return {
        problem: `${name}: its workers ended and changed nothing${lastWordsOf(cause)}`,
        options: [REVISE, RETRY, REJECT],
      }
    case 'conflict':
      return {
        problem: `${name}: its work conflicts with work that landed meanwhile: ${cause.reason}`,
        options: [RETRY, REVISE, REJECT],
      }
    case 'refused':
      return {
        problem: `${name}: its work cannot land: ${cause.reason}`,
        options: [REVISE, RETRY, REJECT],
      }
    case 'lost':
    case 'interrupted':
      return {
        problem: `${name}: its workers keep failing: ${cause.reason}`,
        options: cause.reason.startsWith(NOT_STARTED) ? [PAUSE, RETRY, REJECT] : [RETRY, REVISE, REJECT],
        ...(cause.reason.includes(SAYS_BLOCKED) ? { recommended: 'revise' } : {}),
      }
    case 'over_budget':
      return {
        problem: `${name}: ${cause.reason}; it has used ${formatSpent(task.spent)}`,
        options: [{ key: 'retry', label: 'continue with the same budget again' }, REVISE, REJECT],
        recommended: 'revise',
      }
    case 'looping':
      return {
        problem: `${name}: ${cause.reason}`,
        options: [REVISE, RETRY, REJECT],
      }
    case 'limited':
      return {
        problem: `${name} cannot continue: its agent has hit a limit`,
        options: [RETRY, REJECT, PAUSE],
        recommended: 'pause',
      }
    case 'restarted':
    case 'plan_edited':
    case 'stopped_for_pause':
      return { problem: `${name} cannot continue`, options: [RETRY, REJECT] }
  }
}

/** Needs no answer: the watch restarts the worker in due time. */
export function workerAlert(
  state: PlanState,
  task: TaskState,
  { worker, why, issue }: { readonly worker: string; readonly why: string; readonly issue: WorkerIssue },
): InboxItem {
  return newItem(state, {
    subject: 'worker',
    about: worker,
    task: task.spec.id,
    problem: `${worker} at task ${task.spec.id} (${task.spec.title}): ${why}`,
    impact: 'without an answer the worker is restarted in due time; its work so far is kept',
    options: [
      { key: 'extend', label: 'give it 30 more minutes, or as many as you set: --feedback "45 min"' },
      { key: 'nudge', label: 'send it a message: --feedback "…"' },
      { key: 'restart', label: 'save its work and replace it now' },
      { key: 'kill', label: 'stop it; the rules decide the next step of its task' },
    ],
    recommended: 'restart',
    blocking: false,
    issue,
  })
}

/** Open while a person works in the place of a worker; its answer hands the work back. */
export function takeoverItem(state: PlanState, task: TaskState): InboxItem {
  const worker = task.draft?.worker ?? ''
  return newItem(state, {
    kind: 'question',
    subject: 'takeover',
    about: worker,
    task: task.spec.id,
    problem: `${task.takenOverBy ?? 'a person'} has taken over ${worker} at task ${task.spec.id} (${task.spec.title})`,
    impact: `${impactOfWaiting(state, task)}; continue with: bosun worker open ${worker}`,
    options: [
      { key: 'gates', label: 'hand the work to the gates' },
      { key: 'agent', label: 'let the agent continue it' },
    ],
  })
}

export function approvalItem(state: PlanState, task: TaskState): InboxItem {
  return newItem(state, {
    kind: 'approval',
    subject: 'task',
    ...aboutTask(task),
    problem: `task ${task.spec.id} (${task.spec.title}) passed ${passedText(task)} and waits for your approval`,
    impact: impactOfWaiting(state, task),
    options: [{ key: 'approve', label: 'commit it' }, REVISE, REJECT],
  })
}

/** A gate that failed and was overridden has not passed. */
function passedText({ overrides, draft }: TaskState): string {
  const waived = overrides.filter(({ tree }) => tree === (draft?.tree ?? null))
  if (waived.length === 0) return 'its gates and its review'
  const gates = [...new Set(waived.map(({ what }) => what))]
  return `its review, ${firstFew(gates, 3)} overridden by ${firstFew([...new Set(waived.map(({ by }) => by))], 2)},`
}

export function rejectionQuestion(
  state: PlanState,
  task: TaskState,
  proposal: NonNullable<TaskState['proposal']>,
): InboxItem {
  return newItem(state, {
    kind: 'question',
    subject: 'rejection',
    ...aboutTask(task),
    problem: `task ${task.spec.id} (${task.spec.title}) was rejected: ${proposal.note}`,
    impact: impactOf(state, task),
    options: [
      { key: 'rescope', label: 'build it again, with your feedback as its new scope' },
      ...splitOption(proposal.parts),
      { key: 'drop', label: 'drop it and everything that depends on it' },
    ],
    recommended: proposal.recommend,
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
  const all = risks.map(({ id, sourceTask, description }) => `${id} (task ${sourceTask}): ${description}`)
  return newItem(state, {
    subject: 'risk',
    problem: `open risks need a decision: ${firstFew(all, 3, ';')}`,
    impact: 'the release cannot be prepared',
    options: [
      {
        key: 'accept',
        label: 'accept them, in your name and with a reason (name risk ids to accept only those)',
      },
      {
        key: 'mitigate',
        label: 'mark them as mitigated, in your name and with how (name risk ids to mark only those)',
      },
      PAUSE,
    ],
    recommended: 'pause',
  })
}

/** No worker starts until a person has answered it. */
export function budgetEscalation(state: PlanState, why: string): InboxItem {
  return newItem(state, {
    subject: 'budget',
    problem: `the plan has used ${formatSpent(state.spending.total)}: ${why}`,
    impact: 'no new worker is started',
    options: [
      {
        key: 'raise',
        label: 'raise the limit by half, or to what you set: --feedback "usd=20 tokens=2000000"',
      },
      { key: 'unlimited', label: 'continue without a limit' },
      PAUSE,
    ],
    recommended: 'pause',
  })
}

export function releaseGateEscalation(state: PlanState): InboxItem {
  const bad = (state.release.verdicts ?? [])
    .filter((verdict) => verdict.outcome === 'failed' || verdict.outcome === 'inconclusive')
    .map((verdict) => `${verdict.gate} ${verdict.outcome}`)
  return newItem(state, {
    subject: 'release_gate',
    problem: `the release gate did not pass: ${bad.join(', ')}${whyNot(state.release.verdicts)}`,
    impact: 'the release cannot be prepared',
    options: [
      { key: 'retry', label: 'run the release gate again' },
      { key: 'approve', label: 'override it, in your name' },
      PAUSE,
    ],
    recommended: 'pause',
  })
}

const requestsAfter = (reworks: number): string =>
  reworks === 0 ? 'requests changes' : `still requests changes after ${counted(reworks, 'round')}`

export function effectEscalation(state: PlanState, effect: Effect, reason: string): InboxItem {
  return newItem(state, {
    subject: 'effect',
    about: effect.key,
    problem: `${describeEffect(effect)} keeps failing: ${reason}`,
    impact: 'the plan cannot continue',
    options: [{ key: 'retry', label: 'try again, once the cause is fixed' }, PAUSE],
    recommended: 'pause',
  })
}
