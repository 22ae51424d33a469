/** Applies a person's answer about a plan that built nothing. */
import { decided, layerOf, moveTask } from './moves.ts'
import type { EventOf } from '../events/plan-events.ts'
import type { Instant, PlanState, TaskState } from '../state/state.ts'

type Answer = EventOf<'inbox.answered'>

export function settleNothingBuilt(state: PlanState, answer: Answer, at: Instant): void {
  if (answer.choice === 'build') buildExisting(state, answer, at)
  else {
    const { by, feedback: reason } = answer
    state.release = { ...state.release, nothingBuilt: { by, at, reason } }
  }
}

/** Tasks that the baseline counted as done are built after all; their dependents wait again. */
function buildExisting(state: PlanState, answer: Answer, at: Instant): void {
  const again = [...state.tasks.values()].filter((task) => task.step === 'completed')
  for (const task of again)
    for (const dependent of state.dependents.of(task)) state.dependents.wait(dependent)
  for (const task of again) {
    reopen(task, answer)
    forgoDropped(state, task)
    moveTask(state, task, {
      to: state.dependents.unmet(task) === 0 ? 'ready' : 'pending',
      on: answer.type,
      at,
    })
    decided(task, at, `${answer.by} has it built after all`)
    const layer = layerOf(state, task)
    if (layer === undefined) continue
    layer.left++
    layer.status = 'open'
  }
  state.release = { ...state.release, step: 'open', verdicts: null, tree: null }
}

/** What was dropped will never be there: the task is built without it. */
function forgoDropped(state: PlanState, task: TaskState): void {
  const isDropped = (id: string): boolean => state.tasks.get(id)?.dropped === true
  const dropped = task.spec.dependsOn.filter(isDropped)
  if (dropped.length === 0) return
  const dependsOn = task.spec.dependsOn.filter((id) => !isDropped(id))
  task.spec = { ...task.spec, dependsOn }
  for (let left = dropped.length; left > 0; left--) state.dependents.forgo(task)
}

function reopen(task: TaskState, { by, feedback }: Answer): void {
  task.feedback = feedback === '' ? null : feedback
  const { audit } = task
  if (audit === null) return
  task.audit = { ...audit, status: 'PARTIAL', evidence: `${audit.evidence}, but ${by} wants it built` }
}
