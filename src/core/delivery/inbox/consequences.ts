/** What happens when an option of an inbox item is chosen, in a sentence for the person who decides. */
import { counted } from '../../../lib/text/counted.ts'
import { plainLine } from '../../../lib/text/quoted.ts'
import type { InboxItem } from '../../event-schemas/schemas.ts'
import { MAX_REVISIONS } from '../../state/budgets.ts'
import type { PlanState, TaskState } from '../../state/state.ts'
import { choiceOf, pointsOf, WORKER_DECIDES, WORKERS_DECIDE_ALL } from './plan-questions.ts'

interface Asked {
  readonly state: PlanState
  readonly item: InboxItem
  /** Absent where the item is about the whole plan. */
  readonly task: TaskState | undefined
}

type Consequence = string | ((asked: Asked) => string)
type Consequences = Readonly<Record<string, Consequence>>

const PAUSED = 'No new worker starts in this plan until you resume it. The question stays open.'
const CANCELLED = 'The plan ends for good. Its workers are stopped, and their work is saved.'
const REPLACED = 'Its work is saved and a new worker continues from it at once. No attempt is used.'

export function consequenceOf(state: PlanState, item: InboxItem, key: string): string {
  if (key === 'pause') return PAUSED
  if (key === 'cancel') return CANCELLED
  const known = BY_SUBJECT[item.subject][key] ?? pointDecided(state, item, key)
  if (known === null) return item.options.find((option) => option.key === key)?.label ?? ''
  if (typeof known === 'string') return known
  return known({ state, item, task: state.tasks.get(item.task ?? '') })
}

const BY_SUBJECT: Readonly<Record<InboxItem['subject'], Consequences>> = {
  task: {
    approve: approved,
    revise: revised,
    retry: ({ task }) =>
      task?.cause?.kind === 'over_budget'
        ? 'A worker continues, and the task may use its whole budget once more.'
        : 'A new attempt starts with fresh budgets.',
    reject: (asked) =>
      `Nothing of it is committed. The task goes back to planning, and you are asked how it continues${dependents(asked, 'cannot start until then')}.`,
    widen:
      'The contract then names these files, and the gates run again on the same work. No worker is needed.',
    recheck: 'The gates run again on the same work. No attempt is used.',
    continue: 'The gates run on its work as it is, and its questions count as settled.',
  },
  worker: {
    extend: 'It gets 30 more minutes, or as many as you write, and its silence counts from now.',
    nudge: 'It gets your message as soon as it can receive one, and its silence counts from now.',
    restart: REPLACED,
    kill: 'It is stopped and its work is saved. The rules decide how the task continues; an attempt is used.',
  },
  request: {
    answer: 'The worker gets your text as the answer.',
    decide: 'The worker decides itself and reports what it assumed.',
    restart: REPLACED,
    allow: 'The agent does it now. Unless you choose a wider scope, you are asked again the next time.',
    deny: ({ item }) =>
      item.kind === 'permission'
        ? 'The agent may not do it and continues without it.'
        : 'The request is denied, and the worker continues with what it has.',
    grant: granted,
  },
  rejection: {
    rescope: 'A worker builds it again, with your feedback as its scope and fresh budgets.',
    split: (asked) =>
      `${asked.task?.proposal?.parts.length ?? 0} tasks replace it${dependents(asked, 'can start after the last of them')}.`,
    drop: (asked) => `It is never built${dependents(asked, 'will be dropped too')}.`,
  },
  risk: {
    accept: 'The release can be prepared. It lists the risks as accepted, with your name and reason.',
    mitigate: 'The release can be prepared. It lists the risks as mitigated, with your name and how.',
  },
  release_gate: {
    retry: 'The release gate runs again on the same commit.',
    approve:
      'The release is prepared although its gate did not pass; the manifest names you and your reason.',
  },
  nothing_built: {
    build: 'Workers build the tasks that were found to exist already.',
    release: 'A release without any task commit is prepared; the manifest names you and your reason.',
  },
  completeness: {
    accept: 'The release is prepared without them; the manifest names you and your reason.',
  },
  budget: {
    raise: 'Workers start again until the raised limit is reached.',
    unlimited: 'Workers start again, and nothing limits what this plan may use.',
  },
  effect: { retry: 'It is tried again at once.' },
  provider: { retry: 'One worker tries it at once; if that works, all that wait for it continue.' },
  breaker: { retry: 'Workers start again, and the tasks that failed get fresh attempts.' },
  checks: {
    install: 'All checks run again on the start commit, and you are asked again about those that still fail.',
    as_is: 'Work starts. Checks that failed are judged against what they found at the start commit.',
    leave_out: 'Work starts, and these checks prove nothing in this plan. The manifest records it.',
  },
  plan_proposal: {
    start: 'The start commit is looked at, then workers start.',
  },
  plan_question: {
    answer: 'The worker gets your text as the decision, and the task can start.',
    [WORKER_DECIDES]: 'The task can start; its worker decides and notes it in its report.',
    [WORKERS_DECIDE_ALL]: 'Every task with an open point can start; the workers decide and note it.',
  },
  sign_off: {
    sign: 'The release is recorded as signed off by you, and the plan ends. Nothing is merged.',
  },
  paused: {
    resume: 'The plan goes on at once. What it was paused for is tried again, and may pause it again.',
  },
  takeover: {
    gates: 'Your work goes to the gates as this attempt, with your name in the record.',
    agent: 'A worker continues from your work.',
  },
}

function approved(asked: Asked): string {
  const { item, task } = asked
  if (item.kind === 'approval')
    return `Its work is committed to the plan's branch${dependents(asked, 'can start then')}.`
  const cause = task?.cause?.kind
  if (cause === 'changes_requested')
    return 'The work is committed with the issues noted. Your name and reason are recorded.'
  if (cause === 'reviewer_lost')
    return 'The work is committed without a review. Your name and reason are recorded.'
  return 'The work continues as if these gates had passed. Your name and reason are recorded, also in the manifest.'
}

function revised({ task }: Asked): string {
  const used = task?.counters.revisions ?? 0
  return used < MAX_REVISIONS
    ? `A worker continues with your feedback (revision ${used + 1} of ${MAX_REVISIONS}); then gates and review run again.`
    : `The plan pauses, since the task was revised ${MAX_REVISIONS} times already.`
}

function granted({ item, task }: Asked): string {
  const request = task?.live?.watch.requests.find(({ id }) => id === item.about)
  if (request?.kind === 'need_time')
    return `Its time limit grows by ${counted(request.minutes ?? 30, 'minute')}, or by as many as you write.`
  return `The task may use ${request?.tokens ?? 'as many'} more tokens, or as many as you write.`
}

/** An option that stands for a choice of the plan's author. */
function pointDecided(state: PlanState, item: InboxItem, key: string): string | null {
  const [point] = item.subject === 'plan_question' ? (pointsOf(state, item)?.questions ?? []) : []
  const choice = point === undefined ? null : choiceOf(point, key)
  return choice === null
    ? null
    : `The worker gets "${plainLine(choice, 200)}" as your decision, and the task can start.`
}

/** What becomes of the tasks that depend directly on it; empty where there are none. */
function dependents({ state, task }: Asked, then: string): string {
  const direct = task === undefined ? 0 : state.dependents.of(task).length
  return direct === 0 ? '' : `; ${counted(direct, 'dependent task')} ${then}`
}
