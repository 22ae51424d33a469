/**
 * Applies an edit of the plan. Invalidated tasks run again on top of the landed work; the rest stays as it was. The
 * state is rebuilt from its own JSON, since an edit may change the order of everything.
 */
import { openTrials } from '../delivery/inbox/checks-question.ts'
import { proposalProblem } from '../delivery/inbox/release-items.ts'
import { addDecision, decisionLog, decisionsIn } from '../state/decision-log.ts'
import type { DoneBefore } from '../state/earlier-work.ts'
import type { InboxItem } from '../event-schemas/schemas.ts'
import type { EventOf } from '../events/plan-events.ts'
import { statusOf, type Step } from '../state/life.ts'
import { openQuestions } from '../planning/task-schema.ts'
import type { TaskSpec } from '../planning/plan.ts'
import { layersOf, rankTasks } from '../scheduling/ranks.ts'
import { freeze, freezeTask, thaw, type Frozen, type FrozenTask } from '../state/snapshot.ts'
import { newLayer } from '../state/empty-state.ts'
import { newTask } from '../state/task-state.ts'
import type { Instant, LayerState, OpenItem, PlanState } from '../state/state.ts'

type Edit = EventOf<'plan.edited'>

export function foldEdited(state: PlanState, event: Edit, at: Instant): PlanState {
  const frozen = freeze(state)
  const moved = movedTasks(state, frozen, { event, at })
  const gone = new Set([...event.affected, ...event.removed])
  const proposal =
    state.proposal === null || event.estimate === undefined ? state.proposal : { estimate: event.estimate }
  const inbox = frozen.inbox
    .filter(([, { item }]) => !isAbout(item, gone))
    .map(([id, entry]): [string, OpenItem] => [id, { ...entry, item: asNow(entry.item, proposal) }])
  // The edit may name other commands: the checks are evaluated again.
  const again =
    openTrials(state).length === 0 ? {} : { baseline: null, baselineRounds: state.baselineRounds + 1 }
  return thaw({
    ...frozen,
    ...again,
    plan: event.plan,
    tasks: moved,
    integration: event.integration,
    layers: layersAfter(state, event, moved),
    order: frozen.order.filter((id) => isOrdered(moved, id)),
    reclassify: frozen.reclassify.filter(([id]) => !gone.has(id)),
    rejected: frozen.rejected.filter((id) => !gone.has(id)),
    reask: frozen.reask.filter((id) => !gone.has(id)),
    inbox,
    proposal,
    release: {
      ...state.release,
      step: 'open',
      verdicts: null,
      tree: null,
      nothingBuilt: null,
      unmapped: null,
    },
    documentedAt: state.version + 1,
    // The edit may name another agent.
    agents: {},
    candidates: {},
  } satisfies Frozen)
}

interface At {
  readonly event: Edit
  readonly at: Instant
}

function isAbout({ task, subject }: InboxItem, ids: ReadonlySet<string>): boolean {
  const isPlans = ['release_gate', 'risk', 'nothing_built', 'completeness', 'checks'].includes(subject)
  return isPlans || (task !== null && ids.has(task))
}

/** The question whether the plan starts tells what the plan takes now. */
const asNow = (item: InboxItem, proposal: PlanState['proposal']): InboxItem =>
  item.subject === 'plan_proposal' && proposal !== null
    ? { ...item, problem: proposalProblem(proposal) }
    : item

const isOrdered = (tasks: readonly FrozenTask[], id: string): boolean => {
  const task = tasks.find(({ spec }) => spec.id === id)
  const status = task === undefined ? 'pending' : statusOf(task.step)
  return status === 'in_progress' || status === 'escalated' || status === 'failed'
}

function movedTasks(state: PlanState, frozen: Frozen, edit: At): FrozenTask[] {
  const { event, at } = edit
  const relinked = withSplits(frozen.tasks, event)
  const specs = new Map(event.specs.map((spec) => [spec.id, relinked(spec)]))
  const isAffected = new Set(event.affected)
  const isRemoved = new Set(event.removed)
  const known = frozen.tasks.map((task): FrozenTask => {
    const spec = specs.get(task.spec.id) ?? task.spec
    if (isRemoved.has(spec.id)) return removed(task, at)
    const now = withSpec(task, spec)
    return isAffected.has(spec.id) ? invalid(now, { ...edit, was: task.spec }) : now
  })
  const added = [...specs.values()]
    .filter(({ id }) => !state.tasks.has(id))
    .map((spec) =>
      freezeTask(newTask(spec, { rank: 0, chain: 0, at, area: state.locks.find(spec.ownership) })),
    )
  return settled(ranked([...known, ...added]))
}

/** The plan's text does not contain splits: a dependency on a split task becomes one on its last part. */
function withSplits(tasks: readonly FrozenTask[], { affected }: Edit): (spec: TaskSpec) => TaskSpec {
  const lastOf = new Map<string, string>()
  for (const { spec, splitInto } of tasks) {
    const last = affected.includes(spec.id) ? undefined : splitInto?.at(-1)
    if (last !== undefined) lastOf.set(spec.id, last)
  }
  return (spec) => ({ ...spec, dependsOn: spec.dependsOn.map((id) => lastOf.get(id) ?? id) })
}

/** While work is in progress a tier can only be raised. */
function withSpec(task: FrozenTask, spec: TaskSpec): FrozenTask {
  const tier = task.attempt === 0 ? spec.tier : task.tier
  return { ...task, spec, tier, area: spec.ownership }
}

const noted = (task: FrozenTask, at: Instant, text: string): FrozenTask => ({
  ...task,
  decisions: decisionsIn(addDecision(decisionLog(task.decisions), at, text)),
})

/** Committed work stays; running work is saved and stopped; the rest is dropped. */
function removed(task: FrozenTask, at: Instant): FrozenTask {
  if (task.step === 'completed') return noted(task, at, 'removed from the plan after it was completed')
  const updated = noted(
    { ...task, dropped: true, stepSince: at, turn: null, keepsSlot: false },
    at,
    'removed from the plan',
  )
  // What the person wrote is saved first.
  if (task.step === 'taken_over') return { ...updated, step: 'collecting', cause: { kind: 'plan_edited' } }
  return task.live === null ? { ...updated, step: 'failed' } : stopping(updated)
}

/** Runs again: on its own draft where one did not land, else on top of the landed work. */
function invalid(task: FrozenTask, { event, at, was }: At & { readonly was: TaskSpec }): FrozenTask {
  const why = event.why[task.spec.id] ?? 'the plan was edited'
  // Its sessions know the contract from before.
  const unplaced = { turn: null, keepsSlot: false, session: null, reviewSession: null }
  const updated = noted({ ...task, stepSince: at, feedback: why, ...unplaced }, at, why)
  if (task.step === 'pending' || (task.step === 'ready' && task.attempt === 0))
    return { ...updated, feedback: null }
  if (task.live !== null) return stopping(updated)
  // The person goes on; the gates will judge by the new contract.
  if (task.step === 'taken_over') return updated
  // A running collection finishes first; the task waits for its dependencies afterwards.
  if (task.step === 'collecting') return { ...updated, cause: { kind: 'plan_edited' } }
  const landed = task.step === 'completed'
  return {
    ...updated,
    step: 'ready',
    requeued: 'again',
    cause: null,
    dropped: false,
    splitInto: null,
    proposal: null,
    verdicts: null,
    recheck: null,
    refusal: null,
    review: null,
    pastReviews: [],
    approved: null,
    overrides: [],
    repeats: 0,
    draft: landed ? null : task.draft,
    commit: null,
    earlier:
      landed && task.commit !== null
        ? [...task.earlier, { ...task.commit, review: task.review }]
        : task.earlier,
    doneBefore: landed ? doneBefore(task, was) : task.doneBefore,
  }
}

function doneBefore({ draft, doneBefore: known }: FrozenTask, spec: TaskSpec): DoneBefore {
  return { spec, files: [...new Set([...(known?.files ?? []), ...(draft?.changed ?? [])])] }
}

function stopping(task: FrozenTask): FrozenTask {
  if (task.live === null) return task
  const step: Step = task.step === 'reviewing' ? 'reviewing' : 'stopping'
  return { ...task, step, live: { ...task.live, step: 'stopping', stopCause: 'plan_edited' } }
}

function ranked(tasks: readonly FrozenTask[]): FrozenTask[] {
  const ranks = rankTasks(tasks.map(({ spec }) => spec))
  return tasks.map((task, place) => ({ ...task, ...(ranks[place] ?? { rank: place, chain: 0 }) }))
}

/** Tasks wait again for dependencies that run again. */
function settled(tasks: readonly FrozenTask[]): FrozenTask[] {
  const done = new Set(tasks.filter(({ step }) => step === 'completed').map(({ spec }) => spec.id))
  return tasks.map((task) => {
    if (task.step !== 'pending' && task.step !== 'ready') return task
    const isReady = task.spec.dependsOn.every((id) => done.has(id)) && openQuestions(task).length === 0
    return { ...task, step: isReady ? 'ready' : 'pending' }
  })
}

/** A reopened layer has to be proven again. */
function layersAfter(state: PlanState, event: Edit, tasks: readonly FrozenTask[]): Frozen['layers'] {
  return [...layersOf(event.integration)].map(([name, tests]): [string, LayerState] => {
    const left = tasks.filter(
      ({ spec, step, dropped }) => spec.layer === name && step !== 'completed' && !dropped,
    ).length
    const known = state.layers.get(name)
    const layer = known === undefined ? newLayer(tests) : { ...known, tests }
    const isSame = known !== undefined && JSON.stringify(known.tests) === JSON.stringify(tests)
    const status = left > 0 ? 'open' : isSame && known.status !== 'open' ? known.status : 'due'
    return [name, { ...layer, left, status }]
  })
}
