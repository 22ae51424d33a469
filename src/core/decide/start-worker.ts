/** What a worker is started with: its task, how it is chosen, and what is known about the work so far. */
import { workerChoice } from '../choice/choose-agent.ts'
import { atStart } from '../delivery/inbox/checks-question.ts'
import type { Role } from '../event-schemas/schemas.ts'
import { areasConflict } from '../planning/areas.ts'
import { answersInForce } from '../planning/task-schema.ts'
import type { BranchAtTask } from '../planning/brief/brief.ts'
import { grownScope, largerScope, learnedScope } from '../review/grown-scope.ts'
import { reviewTier } from '../review/review-need.ts'
import { sessionToContinue } from '../state/agent-session.ts'
import { MAX_RESTARTS } from '../state/budgets.ts'
import { earlierWorkOf } from '../state/earlier-work.ts'
import { testsText } from '../state/report-claims.ts'
import type { LiveWorker, PlanState, TaskState } from '../state/state.ts'
import { workerBudget } from '../watch/costs.ts'
import { unusableFor } from '../watch/providers/parking.ts'
import type { FinishedDependency } from '../review/dependency-outputs.ts'
import { adviceFor, failedVerdicts } from './assess-failure.ts'
import type { StartWorker } from './effects.ts'

/**
 * Looked up with every turn while the worker is being started, and performed once: what takes time is only made when it
 * is read.
 */
export function startWorker(state: PlanState, task: TaskState, live: LiveWorker): StartWorker {
  const { worker, attempt, role } = live
  const budget = workerBudget(state, task)
  return {
    kind: 'start_worker',
    key: `start ${worker}`,
    worker,
    attempt,
    role,
    spec: task.spec,
    tier: task.tier,
    timeLimitMs: task.spec.timeBudgetMs,
    ...(budget === null ? {} : { budget }),
    get choice() {
      return choiceFor(state, task, live)
    },
    ...continued(task, role),
    ...atStart(state),
    get context() {
      return contextFor(state, task, role)
    },
  }
}

function choiceFor(
  state: PlanState,
  task: TaskState,
  { worker, role }: LiveWorker,
): NonNullable<StartWorker['choice']> {
  const learned = role === 'reviewer' ? null : learnedScope(task, finishedBefore(state, task))
  return {
    ...workerChoice(
      { role, spec: { ...task.spec, tier: task.tier }, grown: largerScope(grownScope(task), learned) },
      state.settings.crew,
    ),
    unusable: unusableFor(state, worker),
    byCommand: Object.keys(state.byCommand),
  }
}

function contextFor(state: PlanState, task: TaskState, role: Role): StartWorker['context'] {
  return {
    block: state.baseline?.contextBlock ?? '',
    feedback: task.feedback,
    checkpoint: task.checkpoint,
    lastWords: task.lastWords,
    ...failingTests(task),
    isLastTry: task.counters.restarts >= MAX_RESTARTS,
    hasFailedFix: task.counters.fixes > 1,
    earlierWork: earlierWorkOf(task.spec, task.doneBefore),
    cause: task.cause,
    failed: failedVerdicts(task),
    ...adviceFor(task),
    draft: task.draft,
    audit: task.audit,
    branches: branchesAt(state, task),
    dependencies: task.spec.dependsOn.map((id) => finishedDependency(id, state.tasks.get(id))),
    ...decisionsOf(task),
    ...(role === 'reviewer' ? { review: underReview(state, task) } : {}),
  }
}

/** Of the worker before, by its own report; the gates name what they found themselves. */
function failingTests({ tests }: TaskState): Pick<StartWorker['context'], 'failingTests'> {
  if (tests?.outcome !== 'failed') return {}
  return { failingTests: tests.failing ?? [testsText(tests)] }
}

/** Its finished dependencies in the same area. */
const finishedBefore = (state: PlanState, { spec, area }: TaskState): readonly TaskState[] =>
  spec.dependsOn
    .flatMap((id) => state.tasks.get(id) ?? [])
    .filter((one) => one.step === 'completed' && areasConflict(one.area, area))

function finishedDependency(id: string, task: TaskState | undefined): FinishedDependency {
  const explanation = task?.draft?.report?.explanation ?? ''
  return { task: id, commit: task?.commit ?? null, ...(explanation === '' ? {} : { explanation }) }
}

/** What people decided about points that the plan leaves open. */
export function decisionsOf(task: TaskState): Pick<StartWorker['context'], 'decisions'> {
  const decisions = answersInForce(task)
  return decisions.length === 0 ? {} : { decisions }
}

function continued(task: TaskState, role: Role): Pick<StartWorker, 'session'> {
  const session = sessionToContinue(task, role)
  return session === null ? {} : { session }
}

function underReview(
  { settings }: PlanState,
  task: TaskState,
): NonNullable<StartWorker['context']['review']> {
  const { reviewRound: round, verdicts, review, pastReviews } = task
  const earlier = review === null ? pastReviews : [...pastReviews, review]
  return { round, tier: reviewTier(task, settings), verdicts: verdicts ?? [], earlier }
}

function branchesAt(state: PlanState, { spec }: TaskState): readonly BranchAtTask[] {
  return (state.baseline?.branches.noticed ?? []).flatMap(({ name, ahead, isWhole, tasks }) => {
    const own = tasks.find(({ task }) => task === spec.id)
    return own === undefined ? [] : [{ name, ahead, isWhole, files: own.files, more: own.more }]
  })
}
